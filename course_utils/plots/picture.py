"""Show a figure in a notebook, never without words for those who cannot see it."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import NamedTuple, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from course_utils.plots.style import PAGE_PIXELS
from course_utils.plots.svg import Sketch

PNG, SVG = "image/png", "image/svg+xml"

# Pictures are drawn dark on white. In a dark theme (Lab, VS Code, Colab) the page turns them round;
# the hue rotation brings every colour back to itself, only lighter.
DARK_THEMES = '[data-jp-theme-light="false"], .vscode-dark, html[theme="dark"]'
STYLE = (
    f":is({DARK_THEMES}) .course-picture{{filter:invert(0.93) hue-rotate(180deg)}}"
    ".course-picture{max-width:100%;height:auto}"
)


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that an Axes stands in."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("these Axes were taken out of their figure")
    return figure


class Plot(NamedTuple):
    """What every `plot_*` returns: a figure, and what it shows in words made from its data."""

    figure: Figure
    words: str

    @property
    def ax(self) -> Axes:
        """Return the figure's first Axes."""
        return self.figure.axes[0]


def encode_png(pixels: np.ndarray) -> bytes:
    """Return an RGBA buffer (height, width, 4) as PNG, lightly compressed: the wire is short.

    Each row is stored as its difference from the row above (the PNG filter "up"): a plot repeats
    itself downwards. Pillow tries five filters on every row: a bench row says how much longer
    that takes.
    """
    height, width, _ = pixels.shape
    rows = np.ascontiguousarray(pixels).reshape(height, 4 * width)
    stored = np.empty((height, 1 + 4 * width), np.uint8)
    stored[:, 0] = 2  # the filter's number, before every row
    stored[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=stored[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)  # 8 bits, RGBA
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(stored.data, level=1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture_html(picture: bytes, words: str, width: int, media: str = PNG) -> str:
    """Return an image that needs no file, `width` page pixels wide, with its alt text."""
    data = base64.b64encode(picture).decode()
    return (
        f'<img class="course-picture" alt="{html.escape(words)}" width="{width}" '
        f'src="data:{media};base64,{data}">'
    )


class Picture:
    """A finished figure as a notebook shows it: PNG, alt text, right in light and dark."""

    def __init__(self, figure: Figure, words: str):
        self.words = with_words(words)
        self.width = round(figure.get_figwidth() * PAGE_PIXELS)
        canvas = cast(FigureCanvasAgg, figure.canvas)
        canvas.draw()
        self.png = encode_png(np.asarray(canvas.buffer_rgba()))

    def __repr__(self) -> str:
        return f"[picture: {self.words}]"

    def _repr_html_(self) -> str:
        return f"<style>{STYLE}</style>{picture_html(self.png, self.words, self.width)}"

    def _repr_png_(self) -> bytes:
        return self.png  # for PDF


class DrawnPicture:
    """A finished drawing of our own as a notebook shows it: SVG, alt text, right in both themes."""

    def __init__(self, svg: str, words: str, width: int):
        self.svg, self.words, self.width = svg, with_words(words), width

    def __repr__(self) -> str:
        return f"[picture: {self.words}]"

    def _repr_html_(self) -> str:
        image = picture_html(self.svg.encode(), self.words, self.width, SVG)
        return f"<style>{STYLE}</style>{image}"

    def _repr_svg_(self) -> str:
        return self.svg  # for pages that show no HTML


def show(plot: Plot | Sketch) -> Picture | DrawnPicture:
    """Return what a notebook displays for a plot."""
    return DrawnPicture(*plot) if isinstance(plot, Sketch) else Picture(*plot)


def with_words(words: str) -> str:
    """Return the words of a picture; refuse one that says nothing."""
    if not isinstance(words, str) or not words.strip():
        raise ValueError("this picture has no words: return what it shows, made from its data")
    return words
