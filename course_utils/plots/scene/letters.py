"""How much room a font's letters take, for pages that write words of their own."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import lru_cache
from typing import Any

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ft2font import Kerning

from course_utils.plots.scene.text import measured

SIZE = 100  # points
EM = 64 * SIZE  # matplotlib measures letters in whole parts of this
FACES: dict[str, dict[str, bool]] = {
    "plain": {}, "bold": {"bold": True}, "slanted": {"slanted": True},
}  # fmt: skip
JOINED = "ﬀﬁﬂﬃﬄ"  # what becomes one glyph where its letters meet
BESIDE = [chr(n) for n in range(0x20, 0x180)] + [*"–—‘’“”…", *JOINED]  # come closer to some


@lru_cache(4)
def letters_of(bold: bool = False, slanted: bool = False) -> dict[str, object]:
    """Return how wide letters are, which pairs stand closer, and which reach beyond a line."""
    prop = FontProperties(
        size=SIZE, weight="bold" if bold else "normal", style="italic" if slanted else "normal"
    )
    font = get_font(findfont(prop))
    font.set_size(SIZE, 72)
    up, down, gap = _line(font)
    wide, tall = defaultdict(list), defaultdict(list)
    for letter in filter(str.isprintable, map(chr, font.get_charmap())):
        width, height, depth = (round(64 * length) for length in measured(letter, prop, False))
        wide[width].append(letter)
        if height - depth > up or depth > down:
            tall[f"{height - depth} {depth}"].append(letter)
    return {
        "em": EM,
        "line": [up, down],
        "gap": gap,
        "joined": {unicodedata.normalize("NFKC", one): one for one in JOINED},
        "wide": {width: "".join(letters) for width, letters in wide.items()},
        "tall": {reach: "".join(letters) for reach, letters in tall.items()},
        "closer": {by: "".join(pairs) for by, pairs in _closer(font, prop).items()},
    }


def _line(font: Any) -> tuple[float, float, float]:
    """Return how far every line reaches above and below its baseline, and the gap to the next."""
    table, em = font.get_sfnt_table("OS/2"), font.get_sfnt_table("head")["unitsPerEm"]
    scale = EM / em
    up, down, gap = (table[f"sTypo{name}"] for name in ("Ascender", "Descender", "LineGap"))
    return up * scale, -down * scale, gap * scale


def _closer(font: Any, prop: FontProperties) -> dict[int, list[str]]:
    """Return pairs of letters by how much closer than others they stand, where they are drawn."""
    places = {letter: font.get_char_index(ord(letter)) for letter in BESIDE}
    found = defaultdict(list)
    for one, left in places.items():
        for other, right in places.items():
            if font.get_kerning(left, right, Kerning.UNFITTED):
                both, *each = (
                    round(64 * measured(text, prop, False)[0]) for text in (one + other, one, other)
                )
                found[both - sum(each)].append(one + other)
    return found
