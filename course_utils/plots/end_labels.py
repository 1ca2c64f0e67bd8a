"""Names at the right ends of lines: nobody has to look from a legend to a line and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_utils.plots.picture import figure_of
from course_utils.plots.style import FONT_SIZE

LINE_HEIGHT = 1.25  # of the letters' size: closer labels would touch
AXES_SHARE, POINTS = 0.7, 72  # of a figure's height at least; an inch


class EndLabels:
    """One name per line, in the line's colour, beside the place where the line ends."""

    def __init__(self, ax: Axes, names: Mapping[str, str], colours: Mapping[str, str]):
        self.ax = ax
        room = AXES_SHARE * figure_of(ax).get_figheight() * POINTS
        self.gap = LINE_HEIGHT * FONT_SIZE / room
        self.texts = {
            key: ax.annotate(
                name, (1, 0), (6, 0), xycoords="axes fraction", textcoords="offset points",
                va="center", size=FONT_SIZE, color=colours[key], weight="bold",
                annotation_clip=False,
            )
            for key, name in names.items()
        }  # fmt: skip

    def show(self, ends: Mapping[str, float]) -> None:
        """Move every name to its line's end, or as near as its neighbours let it."""
        to_axes = self.ax.transScale + self.ax.transLimits  # on any scale
        shares = to_axes.transform([(1, ends[key]) for key in self.texts])[:, 1]
        for text, share in zip(self.texts.values(), spread(shares, self.gap), strict=True):
            text.xy = (1, share)


def spread(places: Sequence[float] | np.ndarray, gap: float) -> np.ndarray:
    """Return places between 0 and 1 at least `gap` apart, in their order, moved little."""
    wanted = np.clip(places, 0, 1)
    order = np.argsort(places, kind="stable")
    apart = gap * np.arange(len(wanted))
    # what is left when every gap is taken out must not fall: then the gaps fit in again
    rising = np.maximum.accumulate(wanted[order] - apart)
    falling = np.minimum.accumulate((wanted[order] - apart)[::-1])[::-1]
    middle = (rising + falling) / 2
    fitted = np.clip(middle, 0, max(0.0, 1 - apart[-1])) + apart
    moved = np.empty_like(fitted)
    moved[order] = fitted
    return moved
