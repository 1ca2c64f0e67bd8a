"""Explorers of ELMo: a word's way, filters on letters, layers, gaps, mixes."""
