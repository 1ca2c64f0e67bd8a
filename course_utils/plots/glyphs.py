"""Make any text safe to draw: no glyph that the font lacks, no accidental formula, not too long."""

from __future__ import annotations

from functools import lru_cache

from matplotlib import font_manager, ft2font

MISSING = "□"


def drawable(word: str, longest: int = 12) -> str:
    """Return a word as the pictures can show it."""
    if word.isspace():
        return "¶" if "\n" in word else "␣"
    shown = "".join(c if _known(c) else MISSING for c in word)
    shown = shown if len(shown) <= longest else shown[: longest - 1] + "…"
    return shown.replace("$", r"\$")


@lru_cache(maxsize=4096)
def _known(character: str) -> bool:
    return character.isprintable() and _font().get_char_index(ord(character)) != 0


@lru_cache(maxsize=1)
def _font() -> ft2font.FT2Font:
    return ft2font.FT2Font(font_manager.findfont(font_manager.FontProperties()))
