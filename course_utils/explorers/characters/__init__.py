"""Colour a text by any unit, brush a span, write with temperature, hold a cell."""
