"""One step of a unit as a map, and what many steps of it make."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from course_utils.plots.numbers import number
from course_utils.plots.style import FAINT, add_legend, look, new_figure, style_axes

LIMIT = 2.0


class Maps(NamedTuple):
    """One step of a unit, all its steps together, and one walk through them."""

    points: np.ndarray  # (N,)
    one_step: np.ndarray  # (N,)
    network: np.ndarray  # (N,)
    slopes: np.ndarray  # (N,): of the network
    walk: np.ndarray  # (depth + 1,)


class IteratedMapDrawing:
    """Left: the map of one step and a walk along it. Right: the map of the whole network."""

    def __init__(self, figure: Figure | None = None):
        self.figure = figure or new_figure(height=3.8)
        self.left, self.right = (style_axes(ax) for ax in self.figure.subplots(1, 2))
        for ax in (self.left, self.right):
            ax.plot([-LIMIT, LIMIT], [-LIMIT, LIMIT], color=FAINT, linewidth=1, linestyle=":")
            ax.set_xlim(-LIMIT, LIMIT)
            ax.set_ylim(-LIMIT, LIMIT)
        self.left.set(xlabel="$h_{t-1}$", ylabel="$h_t$", title="one step")
        self.right.set(xlabel="$h_0$", ylabel="$h_{depth}$", title="the whole network")
        (self.step,) = self.left.plot([], [], label="the map", **look("measured").line_style())
        (self.walk,) = self.left.plot(
            [], [], label="a walk", linewidth=1.2, color=look("bound").colour
        )
        (self.whole,) = self.right.plot([], [], **look("measured").line_style())
        self.moving = (self.step, self.walk, self.whole)
        add_legend(self.left, loc="upper left")

    def show(self, maps: Maps) -> str:
        """Show both maps and say what the steps do together."""
        self.step.set_data(maps.points, maps.one_step)
        self.walk.set_data(*cobweb(maps.walk))
        self.whole.set_data(maps.points, maps.network)
        return maps_in_words(maps)


def cobweb(walk: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of the walk h_0, h_1, ...: up to the map, across to the diagonal."""
    walk = np.clip(walk, -10 * LIMIT, 10 * LIMIT)
    across = np.repeat(walk, 2)[:-1]
    up = np.concatenate([[walk[0]], np.repeat(walk[1:], 2)])
    return across, up


def maps_in_words(maps: Maps) -> str:
    """Return what the whole network does to the differences between its inputs."""
    depth = len(maps.walk) - 1
    spread = float(np.ptp(maps.network))
    steepest = float(np.abs(maps.slopes).max())
    steps = "1 step" if depth == 1 else f"{depth} steps"
    if not np.isfinite(spread):
        return f"After {steps} the states have left every scale: the map explodes."
    if spread < 0.01:
        return (
            f"After {steps} every start ends at the same place, {maps.network.mean():.2f}: "
            f"the largest slope left is {number(steepest)}, so no gradient comes back."
        )
    return (
        f"After {steps} the starts between {-LIMIT:g} and {LIMIT:g} are spread over "
        f"{number(spread)}; the steepest place has slope {number(steepest)}, the flattest "
        f"{number(np.abs(maps.slopes).min())}."
    )
