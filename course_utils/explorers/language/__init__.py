"""Unroll a unit, and let language models go on from a prompt."""
