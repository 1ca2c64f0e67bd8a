"""Measure what a network does: gradients, gates, units, vectors in context."""
