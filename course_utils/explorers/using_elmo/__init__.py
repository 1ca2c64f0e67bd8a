"""Explorers of lecture 10."""
