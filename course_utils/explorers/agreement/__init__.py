"""Explorers of lecture 06: units over words, units silenced, units patched, units found by luck."""
