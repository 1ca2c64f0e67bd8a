"""Cells that count, letter by letter, and what is left of a count with few bits."""
