"""Unroll a unit, and let language models continue a prompt."""
