"""Elman, LSTM and GRU as layers: torch.nn's speed, and every gate can be seen and changed."""
