"""Lecture 09: a highway layer, peeking, embeddings and parameters counted, a mix, a loss."""
