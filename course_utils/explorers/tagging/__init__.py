"""Explorers of lecture 08: a tagger, a pooling, starts by labels and by steps."""
