"""The box that shows checks, claims and facts: a coloured line at its left, a mark, words."""

from __future__ import annotations

BLUE, GREEN, AMBER, GREY = "#0072b2", "#00875f", "#c04f00", "#777777"


def box(colour: str, inside: str) -> str:
    """Return HTML that is set apart by a coloured line."""
    return f'<div style="border-left:3px solid {colour};padding:2px 12px">{inside}</div>'


def marked(colour: str, text: str) -> str:
    """Return text in bold and in a colour: darker on a light page, lighter on a dark one.

    No single colour reads well on white and on black, so it leans to the page's own text.
    """
    leaning = f"color:{colour};color:color-mix(in srgb,{colour} 65%,currentcolor)"
    return f'<b style="{leaning}">{text}</b>'
