"""Drawings without matplotlib: shapes with keys, which a page moves from where they were."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import NamedTuple

from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.tags import elements, tag
from course_utils.plots.style import INK

SMALLEST = 20  # the least size of letters, in the drawing's own pixels
FONT = "'Helvetica Neue', 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
SYMBOLS = "'STIX Two Text', 'Cambria Math', 'Times New Roman', 'Liberation Serif', serif"
SUBSCRIPT, LOWERED = 0.74, 0.26  # of the size of what it belongs to
LOOK = {"font_family": FONT, "font_size": SMALLEST, "fill": INK}
_KEY = re.compile(r'data-key="([^"]*)"')
_NARROW, _WIDE = frozenset("iljtfrI.,'|!:;()[] ’“”‹›-"), frozenset("mwMW@%&—…")


class Sketch(NamedTuple):
    """A drawing of our own, and what it shows in words made from its data."""

    scene: Scene
    words: str


def drawing(width: int, height: int, *inside: str) -> Scene:
    """Return a whole drawing; what has the same key in the next one is the same thing."""
    parts: dict[str, str] = {}
    for place, element in enumerate(elements("".join(inside))):
        key = _KEY.search(element)
        parts[key[1] if key and key[1] not in parts else f"{place}"] = element
    return Scene(width, height, parts, LOOK)


def line_of(*pieces: str, x: float, y: float, key: str, **look: object) -> str:
    """Return one line of text at a place; its pieces come from `plain` and `formula`."""
    place = f"transform:translate({x:g}px,{y:g}px)"
    return tag("text", *pieces, style=place, data_key=key, **look)


def plain(text: str) -> str:
    """Return words as they are, whatever they hold."""
    return html.escape("".join(c for c in text if not unicodedata.category(c).startswith("C")))


def formula(source: str, size: float = SMALLEST) -> str:
    """Return a formula such as `c_{t−1}`: letters slanted, names such as tanh upright."""
    spans, lowered = [], 0.0
    for group, one, letter, other in _PARTS.findall(source):
        low = group or one
        depth = LOWERED * size if low else 0.0
        slanted = low or letter
        spans.append(
            tag(
                "tspan", plain(slanted or other), dy=(depth - lowered) or None,
                font_size=SUBSCRIPT * size if low else None,
                font_style="italic" if slanted else None,
                font_family=SYMBOLS if slanted else None,
            )
        )  # fmt: skip
        lowered = depth
    if lowered:  # what follows stands on the line again
        spans.append(tag("tspan", "\u200b", dy=-lowered))
    return "".join(spans)


_PARTS = re.compile(  # of a formula: below in braces, one letter below, a letter, anything else
    r"_\{([^}]*)\}|_(.)|(?<![A-Za-z])([A-Za-z])(?![A-Za-z])|((?:[A-Za-z]{2,}|[^A-Za-z_])+)"
)


def width_of(text: str, size: float = SMALLEST) -> float:
    """Return about how wide a line of words is: fonts differ, so it errs on the wide side."""
    return sum(size * _share(letter) for letter in text)


def _share(letter: str) -> float:
    if letter in _NARROW:
        return 0.32
    if letter in _WIDE or ord(letter) > 0x2E80:
        return 0.95 if ord(letter) < 0x2E80 else 1.1
    return 0.7 if letter.isupper() else 0.56
