"""Letters of a picture: words stay words, formulas become outlines."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any, NamedTuple

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D

from course_utils.plots.scene import paths

OWN_FONT = "DejaVu Sans"
# where it is missing: Verdana's letters are about as wide, and every line is told its length
FONTS = f"'{OWN_FONT}', 'Bitstream Vera Sans', Verdana, Geneva, sans-serif"


@lru_cache(4096)
def measured(text: str, prop: FontProperties, formula: bool) -> tuple[float, float, float]:
    """Return width, height and depth below the baseline in points, the same at every size."""
    return text_to_path.get_text_width_height_descent(text, prop, formula)


class Glyph(NamedTuple):
    """A letter of a formula: its outline and where it stands, in units of FONT_SCALE."""

    outline: str  # as `d`
    x: float
    y: float  # downwards
    scale: float


@lru_cache(512)
def outlines(formula: str, prop: FontProperties) -> list[Glyph]:
    """Return a formula's letters and lines around the beginning of its baseline."""
    letters, shapes, lines = text_to_path.get_glyphs_mathtext(prop, formula)
    drawn = {name: _outline(*shape) for name, shape in shapes.items()}
    glyphs = [Glyph(drawn[name], x, -y, scale) for name, x, y, scale in letters]
    return glyphs + [Glyph(_outline(*line), 0, 0, 1) for line in lines]


def _outline(points: Any, codes: Any) -> str:
    return paths.data(paths.cut(Path(points, codes), Affine2D().scale(1, -1), None), digits=1)


def sendable(text: str) -> str:
    """Return a text without what no page can be sent."""
    return "".join(c for c in text if not unicodedata.category(c).startswith("C"))


@lru_cache(256)
def face(prop: FontProperties) -> dict[str, object]:
    """Return as attributes in what the letters differ from those of the whole picture."""
    font = get_font(findfont(prop))
    return {
        "font_weight": "bold" if "Bold" in font.style_name else None,
        "font_style": "italic" if "Oblique" in font.style_name else None,
        "font_family": None if font.family_name == OWN_FONT else font.family_name,
    }
