"""The colour of a mark: no single one reads well on white and on black, so it leans to the text."""

from __future__ import annotations


def mark_colour(colour: str) -> str:
    """Return CSS for letters of a colour: darker on a light page, lighter on a dark one."""
    return f"color:{colour};color:color-mix(in srgb,{colour} 65%,currentcolor)"
