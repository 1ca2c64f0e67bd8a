"""Elman, LSTM and GRU as layers: torch.nn's speed, with every gate open to view and to edits."""
