"""Write pictures as SVG: shapes with keys, which a page can move from where they were."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import NamedTuple

from course_utils.plots.style import INK

SMALLEST = 20  # the least size of letters, in the drawing's own pixels
FONT = "'Helvetica Neue', 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
SYMBOLS = "'STIX Two Text', 'Cambria Math', 'Times New Roman', 'Liberation Serif', serif"
SUBSCRIPT, LOWERED = 0.74, 0.26  # of the size of what it belongs to
_NARROW, _WIDE = frozenset("iljtfrI.,'|!:;()[] ’“”‹›-"), frozenset("mwMW@%&—…")


class Sketch(NamedTuple):
    """A drawing of our own, and what it shows in words made from its data."""

    svg: str
    words: str
    width: int  # page pixels


def tag(name: str, *inside: str, **attributes: object) -> str:
    """Return an element; `_` in a name stands for `-`, None leaves an attribute out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_said(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(inside)}</{name}>"


def _said(value: object) -> str:
    """Return an attribute's value, safe between quotes; numbers in as few digits as are seen."""
    if isinstance(value, float):
        value = f"{round(value, 2) + 0.0:g}"
    return html.escape(str(value))


def drawing(width: int, height: int, words: str, *inside: str) -> str:
    """Return a whole SVG that says in words what it shows."""
    return tag(
        "svg", *inside,
        xmlns="http://www.w3.org/2000/svg", class_="course-drawing", role="img",
        viewBox=f"0 0 {width} {height}", width=width, height=height, aria_label=words,
        font_family=FONT, font_size=SMALLEST, fill=INK, data_key="drawing",
    )  # fmt: skip


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
    """Return about how wide a line of words is: fonts differ, so rather too wide."""
    return sum(size * _share(letter) for letter in text)


def _share(letter: str) -> float:
    if letter in _NARROW:
        return 0.32
    if letter in _WIDE or ord(letter) > 0x2E80:
        return 0.95 if ord(letter) < 0x2E80 else 1.1
    return 0.7 if letter.isupper() else 0.56
