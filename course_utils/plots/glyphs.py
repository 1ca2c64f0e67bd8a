"""Make any token readable: marks get names, what has no glyph gets a box."""

from __future__ import annotations

from functools import lru_cache

from matplotlib import font_manager, ft2font

MISSING = "□"
_NAMES = {"\n": "↵", "</s>": "[end]", "⁀": "[no space]"}


def readable(token: str, longest: int = 12) -> str:
    """Return a token as a text or a table can show it, cut if it is too long."""
    if token in _NAMES:
        return _NAMES[token]
    if token.isspace():
        return "¶" if "\n" in token else "␣"
    shown = "".join(c if _known(c) else MISSING for c in token[:longest])
    return shown if len(token) <= longest else shown[:-1] + "…"


def drawable(token: str, longest: int = 12) -> str:
    """Return a token as matplotlib needs it: a dollar sign must not begin a formula."""
    return readable(token, longest).replace("$", r"\$")


@lru_cache(maxsize=4096)
def _known(character: str) -> bool:
    return character.isprintable() and _font().get_char_index(ord(character)) != 0


@lru_cache(maxsize=1)
def _font() -> ft2font.FT2Font:
    return ft2font.FT2Font(font_manager.findfont(font_manager.FontProperties()))
