"""Turn a figure that lives on into PNG bytes, redrawing only what moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter

from course_utils.plots.picture import encode_png


class Canvas:
    """One persistent figure, its moving artists and a cached background for the rest.

    Limits, scales, ticks, labels, titles, legends and whether an Axes is seen at all belong to the
    background. When one of them changes, the background is drawn anew by itself; nobody has to
    remember to ask.
    """

    def __init__(self, figure: Figure, moving: Iterable[Artist]):
        self.figure = figure
        self.moving: Sequence[Artist] = tuple(moving)
        for artist in self.moving:
            artist.set_animated(True)
        self._places = [ax.get_position(original=True).frozen() for ax in figure.axes]
        self._background = None
        self._drawn_as: tuple | None = None
        self.backgrounds_drawn = 0

    def png(self) -> bytes:
        """Return the picture as it is now."""
        canvas = cast(FigureCanvasAgg, self.figure.canvas)
        frame = (self.figure.get_suptitle(), *(_frame(ax) for ax in self.figure.axes))
        if self._drawn_as != frame:
            self._drawn_as = None  # if drawing fails, the layout is gone and the next must redo it
            self._forget_layout()
            canvas.draw()  # skips the animated artists
            self._background = canvas.copy_from_bbox(self.figure.bbox)
            self._drawn_as = frame
            self.backgrounds_drawn += 1
        canvas.restore_region(self._background)
        for artist in self.moving:
            cast(Axes, artist.axes).draw_artist(artist)
        return encode_png(np.asarray(canvas.buffer_rgba()))

    def _forget_layout(self) -> None:
        # The layout engine starts from where it left off, and ends a hair elsewhere: without this
        # the axes would jitter, and the same values would not always give the same picture.
        for ax, place in zip(self.figure.axes, self._places, strict=True):
            ax.set_position(place)
            ax.set_in_layout(True)  # set_position takes it out


def _frame(ax) -> tuple:
    """Return all that an Axes' background depends on and an explorer may change."""
    return (
        *(ax.get_visible(), ax.get_xlim(), ax.get_ylim(), ax.get_xscale(), ax.get_yscale()),
        *(ax.get_title(place) for place in ("left", "center", "right")),
        *(ax.get_xlabel(), ax.get_ylabel()),
        *(_set_by_hand(axis) for axis in (ax.xaxis, ax.yaxis)),
        _legend(ax.get_legend()),
    )


def _set_by_hand(axis) -> tuple[list, list]:
    """Return ticks, and their labels such as the tokens of a sentence."""
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    ticks = list(locator()) if isinstance(locator, FixedLocator) else []
    if isinstance(formatter, FixedFormatter):
        return ticks, list(formatter.seq)
    worded = isinstance(formatter, FuncFormatter)  # what set_xticks(ticks, labels) makes
    return ticks, formatter.format_ticks(ticks) if worded else []


def _legend(legend) -> tuple | None:
    if legend is None:
        return None
    texts = [text.get_text() for text in (legend.get_title(), *legend.get_texts())]
    return legend.get_visible(), texts
