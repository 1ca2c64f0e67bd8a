"""Explorers of lecture 08: a tagger, a pooling, a learning curve, depth and width."""
