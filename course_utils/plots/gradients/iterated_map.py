"""One step of a unit as a map, and what many such steps do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.numbers import number, share, signed_number
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    add_headline,
    look,
    new_figure,
    style_axes,
)

LIMIT, SAME = 2.0, 0.01  # of the starts; ends closer than that are one place
MOST_FIXED = 3  # what a bent map of one unit can have


class Maps(NamedTuple):
    """One step of a unit, all its steps together, and one walk through them."""

    points: np.ndarray  # (N,)
    one_step: np.ndarray  # (N,)
    network: np.ndarray  # (N,)
    slopes: np.ndarray  # (N,): of the network
    walk: np.ndarray  # (depth + 1,)


class IteratedMapDrawing:
    """Left: the map of one step and a walk along it. Right: the map of the whole network."""

    def __init__(self) -> None:
        self.figure = new_figure(height=3.8)
        self.left, self.right = (style_axes(ax) for ax in self.figure.subplots(1, 2))
        for ax in (self.left, self.right):
            ax.plot([-LIMIT, LIMIT], [-LIMIT, LIMIT], color=FAINT, linewidth=1, linestyle=":")
            ax.set_xlim(-LIMIT, LIMIT)
            ax.set_ylim(-LIMIT, LIMIT)
        self.left.set(xlabel="$h_{t-1}$", ylabel="$h_t$")
        self.right.set(xlabel="$h_0$", ylabel="$h_{depth}$")
        for ax, name in ((self.left, "one step"), (self.right, "the whole network")):
            ax.text(0.97, 0.04, name, transform=ax.transAxes, ha="right", size=FONT_SIZE, color=INK)
        (self.step,) = self.left.plot([], [], label="the map", **look("measured").line_style())
        (self.walk,) = self.left.plot(
            [], [], label="a walk", linewidth=1.2, color=look("bound").colour
        )
        (self.whole,) = self.right.plot([], [], **look("measured").line_style())
        (self.pulling,) = self.left.plot([], [], "o", markersize=10, color=INK, label="pulls in")
        (self.pushing,) = self.left.plot(
            [], [], "o", markersize=10, color=INK, markerfacecolor="white", label="pushes away"
        )
        self.headline = add_headline(self.left)
        self.moving = (
            self.step, self.walk, self.whole, self.pulling, self.pushing, self.headline,
        )  # fmt: skip
        self.figure.legend(
            loc="outside lower center", ncols=4, frameon=False, fontsize=FONT_SIZE - 1,
            labelcolor=INK,
        )  # fmt: skip

    def show(self, maps: Maps) -> str:
        """Show both maps and say what the steps do together."""
        self.step.set_data(maps.points, maps.one_step)
        self.walk.set_data(*cobweb(maps.walk))
        self.whole.set_data(maps.points, _near(maps.network))
        places, slopes = fixed_points(maps.points, maps.one_step)
        pulls = np.abs(slopes) < 1
        self.pulling.set_data(places[pulls], places[pulls])
        self.pushing.set_data(places[~pulls], places[~pulls])
        self.headline.set_text(_headline(maps))
        return maps_in_words(maps)


def fixed_points(points: np.ndarray, one_step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where one step changes nothing, and the map's slopes there.

    None where it changes nothing anywhere: then no point is special.
    """
    moved = one_step - points
    still = np.abs(moved) < 1e-12
    if still[1:-1].sum() > MOST_FIXED:
        return np.empty(0), np.empty(0)
    crosses = (moved[:-1] * moved[1:] < 0) & ~still[:-1] & ~still[1:]
    i = np.flatnonzero(crosses)
    part = moved[i] / (moved[i] - moved[i + 1])
    places = np.sort([*points[still], *(points[i] + part * (points[i + 1] - points[i]))])
    return places, np.interp(places, points, np.gradient(one_step, points))


def cobweb(walk: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of the walk h_0, h_1, ...: up to the map, across to the diagonal."""
    walk = _near(walk)
    across = np.repeat(walk, 2)[:-1]
    up = np.concatenate([[walk[0]], np.repeat(walk[1:], 2)])
    return across, up


def _near(values: np.ndarray) -> np.ndarray:
    """Return values with those far outside the picture brought nearer."""
    near: np.ndarray = np.clip(values, -10 * LIMIT, 10 * LIMIT)
    return near


def maps_in_words(maps: Maps) -> str:
    """Return what the whole network does to the differences between its inputs."""
    depth = len(maps.walk) - 1
    spread = float(np.ptp(maps.network))
    steepest, place = float(np.abs(maps.slopes).max()), maps.network.mean()
    steps = "1 step" if depth == 1 else f"{depth} steps"
    if not np.isfinite(spread):
        return f"After {steps} the states are too large for any number: the map explodes."
    if spread < SAME:
        return (
            f"After {steps} every start ends at the same place, {signed_number(place)}: "
            f"the largest slope left is {number(steepest)}, so no gradient comes back."
        )
    return (
        f"After {steps} the starts between {-LIMIT:g} and {LIMIT:g} are spread over "
        f"{number(spread)}; the steepest place has slope {number(steepest)}, the flattest "
        f"{number(np.abs(maps.slopes).min())}."
    )


def _headline(maps: Maps) -> str:
    depth, steepest = len(maps.walk) - 1, float(np.abs(maps.slopes).max())
    after = "After 1 step" if depth == 1 else f"After {depth} steps"
    spread = float(np.ptp(maps.network))
    if not np.isfinite(spread):
        return f"{after} the states have overflowed"
    if spread < SAME:
        return f"{after} all starts have met: no gradient is left"
    if steepest > 1.005:
        return f"{after} neighbours may be {number(steepest)} times as far apart"
    return f"{after} neighbours keep at most {share(steepest)} of their distance"
