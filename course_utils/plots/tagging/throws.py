"""What predicting dice costs, throw by throw."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot
from course_utils.plots.style import add_headline, look, new_figure, style_axes

LOOKS = {"forward": "o", "backward": "h", "both": "measured"}
SIDES = {
    "window": "window", "forward": "from the left", "backward": "from the right",
    "both": "both ways",
}  # fmt: skip


def plot_throws(headline: str, losses: Mapping[str, np.ndarray]) -> Plot:
    """Draw the loss at every throw, and the level below which nobody honest can come."""
    figure = new_figure(width=8.2, height=3.6)
    ax = style_axes(figure.add_subplot())
    for way, values in losses.items():
        places = np.arange(1, len(values) + 1)
        ax.plot(places, values, marker="o", markersize=6, **look(LOOKS[way]).line_style())
    ax.axhline(math.log(6), **look("bound").line_style())
    ax.set(xlabel="throw", ylabel="loss (nats)", ylim=(-0.08, 2.1))
    names = {"bound": "log 6", **{way: SIDES[way] for way in losses}}
    inks = {key: look(LOOKS.get(key, key)).ink for key in names}
    ends = {"bound": 1.6, **{way: values[-1] for way, values in losses.items()}}
    EndLabels(ax, names, inks).show(ends)
    add_headline(ax).set_text(headline)
    told = "; ".join(
        f"{SIDES[way]} {number(float(np.mean(values[:-1])), 2)} nats at all throws but the last, "
        f"{number(float(values[-1]), 2)} there"
        for way, values in losses.items()
    )
    return Plot(figure, f"{headline}. {told}; log 6 is {math.log(6):.2f}.")
