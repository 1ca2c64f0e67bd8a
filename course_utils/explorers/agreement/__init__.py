"""Explorers of lecture 06: units over words, units silenced, units moved, units found by luck."""
