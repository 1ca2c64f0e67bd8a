"""A class: its term, hand-outs, hand-ins, grades and updates."""
