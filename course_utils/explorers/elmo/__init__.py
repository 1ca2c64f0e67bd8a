"""Explorers of ELMo: a word's path, filters on letters, layers, gaps, mixes."""
