"""Measure what a network does: gradients, gates, counting, units."""
