"""Letters that are drawn once: Agg with a memory for how text is laid out and how letters look.

Half the time of an explorer's new picture went into text, and most of it stood in the picture
before. The pixels are those of the plain canvas: a letter is taken from memory only where it lies
on its pixels as it lay there.

Matplotlib has no public place for this. With another version than the one it was written for,
`LetteringCanvas` is the plain canvas.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib import ft2font
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg, get_hinting_flag
from matplotlib.font_manager import FontProperties, fontManager, get_font

WRITTEN_FOR = (3, 11)
LAYOUTS, LETTERS = 2048, 16384  # each some hundred bytes


class Placed(NamedTuple):
    """A letter of a text that was laid out: its font's file, its number there, where it stands."""

    font: str
    number: int
    x: float
    y: float  # upwards


class Ink(NamedTuple):
    """A letter's pixels, and how far they lie from the pixel that it was placed at."""

    pixels: np.ndarray
    left: int
    top: int


class LetteringRenderer(RendererAgg):
    """Agg that remembers plain text; formulas and what is not smoothed go their old way."""

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float,
        ismath: Any = False, mtext: Any = None,
    ) -> None:  # fmt: skip
        """Draw a text whose baseline begins at (x, y), y downwards."""
        if ismath or not gc.get_antialiased() or _is_special(mtext):
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            return
        agg: Any = self._renderer
        flags, size = get_hinting_flag(), prop.get_size_in_points()
        along, aside = cos(radians(angle)), sin(radians(angle))
        for font, number, dx, dy in laid_out(s, prop, self.dpi, flags):
            right = round(64 * (x + dx * along - dy * aside))  # FreeType counts 1/64 of a pixel
            up = round(64 * (self.height - y + dx * aside + dy * along))
            ink = drawn(font, number, size, self.dpi, angle, right % 64, up % 64, flags)
            bottom = int(self.height) - (up // 64 + ink.top) + len(ink.pixels)
            agg.draw_text_image(ink.pixels, right // 64 + ink.left, bottom, 0, gc)


class RememberingCanvas(FigureCanvasAgg):
    """The Agg canvas with that renderer."""

    def get_renderer(self) -> RendererAgg:
        """Return the renderer of this size, the one from before if there is one."""
        size = *self.get_width_height(physical=True), self.figure.dpi
        if self._lastKey != size:
            self.renderer = LetteringRenderer(*size)
            self._lastKey = size
        return self.renderer


LetteringCanvas = RememberingCanvas if mpl.__version_info__[:2] == WRITTEN_FOR else FigureCanvasAgg


def _is_special(text: Any) -> bool:
    """Return whether a text asks for features of its font, or for the letters of a language."""
    asked = () if text is None else (text.get_fontfeatures(), text.get_language())
    return any(wish is not None for wish in asked)


@lru_cache(LAYOUTS)
def laid_out(s: str, prop: FontProperties, dpi: float, flags: int) -> tuple[Placed, ...]:
    """Return where each letter of a text stands, counted from the beginning of its baseline."""
    font: Any = get_font(fontManager._find_fonts_by_props(prop))
    font.clear()
    font.set_size(prop.get_size_in_points(), dpi)
    items = font._layout(s, flags=flags)
    return tuple(Placed(i.ft_object.fname, i.glyph_index, i.x, i.y) for i in items)


@lru_cache(LETTERS)
def drawn(
    font: str, number: int, size: float, dpi: float, angle: float, right: int, up: int, flags: int
) -> Ink:
    """Draw a letter that stands so many 64ths to the right of a pixel's corner, and above it."""
    face: Any = get_font(font)  # of this thread: two must not set one's size in turn
    face.set_size(size, dpi)
    along, aside = cos(radians(angle)), sin(radians(angle))
    turn = (0x10000 * np.array([[along, -aside], [aside, along]])).round().astype(int)
    face._set_transform(turn, [right, up])
    mode: Any = ft2font.RenderMode.NORMAL
    bitmap = face._render_glyph(number, flags, mode)
    return Ink(np.array(bitmap.buffer), bitmap.left, bitmap.top)
