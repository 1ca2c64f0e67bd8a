"""The activations of lecture 02 and their slopes, side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot
from course_utils.plots.style import add_level, look, new_figure, style_axes

WRITTEN = {"relu": "ReLU"}  # as a page writes it


def plot_activations(
    points: np.ndarray, values: Mapping[str, np.ndarray], slopes: Mapping[str, np.ndarray]
) -> Plot:
    """Draw every g on the left and every g' on the right."""
    figure = new_figure()
    left, right = (style_axes(ax) for ax in figure.subplots(1, 2))
    for height, names in _largest(slopes).items():  # below the curves
        add_level(right, height, f"{number(height)}: {', '.join(map(_written, names))}")
    for name in values:
        left.plot(points, values[name], **look(name).line_style())
        right.plot(points, slopes[name], **look(name).line_style())
    left.set_title("the activation g(a)")
    right.set_title("its slope g'(a)")
    left.set_ylim(-1.3, 2.1)
    right.set_ylim(-0.05, 1.2)
    for ax in (left, right):
        ax.set_xlabel("a")
    inks = {name: look(name).ink for name in values}
    labels = EndLabels(left, {name: _written(name) for name in values}, inks)
    labels.show({name: float(curve[-1]) for name, curve in values.items()})
    steepest = ", ".join(f"{_written(name)} {number(slopes[name].max())}" for name in slopes)
    drawn = ", ".join(map(_written, values))
    return Plot(
        figure,
        f"Activations {drawn} for a from {points[0]:g} to {points[-1]:g}. "
        f"Largest slopes: {steepest}.",
    )


def _largest(slopes: Mapping[str, np.ndarray]) -> dict[float, list[str]]:
    """Return the largest slopes, rounded as they are read, and which activations reach them."""
    reached: dict[float, list[str]] = {}
    for name, slope in slopes.items():
        reached.setdefault(round(float(slope.max()), 2), []).append(name)
    return reached


def _written(name: str) -> str:
    return WRITTEN.get(name, name)
