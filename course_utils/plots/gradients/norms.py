"""Gradient norm against lag, with the bound that theory puts on it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    add_headline,
    add_level,
    keep_places,
    look,
    new_axes,
    new_figure,
    style_axes,
)

LOWEST, HIGHEST = -40, 40  # powers of ten that are drawn
MOST_TICKS = 5
PLACE = (0.105, 0.16, 0.858, 0.907)  # of the Axes: there is room for 10 to the power of -40
GRAIN = 4  # the axis grows by this many powers of ten at a time, so that it rarely moves


class NormProfile(NamedTuple):
    """Gradient norms over lags, and the largest that theory allows, (T,) each."""

    lags: np.ndarray
    norms: np.ndarray
    bound: np.ndarray


class GradientNormDrawing:
    """One measured curve and its bound, on a logarithmic axis that follows them."""

    def __init__(self) -> None:
        self.figure = new_figure()
        self.ax = ax = style_axes(self.figure.add_subplot())
        keep_places(self.figure, *PLACE)
        ax.set_yscale("log")
        ax.set_xlabel("lag: steps back from the loss")
        ax.set_ylabel("gradient norm")
        ax.yaxis.set_label_coords(-0.098, 0.5)
        (self.measured,) = ax.plot([], [], **look("measured").line_style())
        (self.bound,) = ax.plot([], [], **look("bound").line_style())
        add_level(ax, 1, "as large as at the loss")
        self.headline = add_headline(ax)
        self.names = _names_of(ax, ("measured", "bound"))
        self.moving = (self.measured, self.bound, self.headline, *self.names.texts.values())

    def show(self, profile: NormProfile) -> str:
        """Show one profile and say how far it falls."""
        self.measured.set_data(profile.lags, without_zeros(profile.norms))
        self.bound.set_data(profile.lags, without_zeros(profile.bound))
        self.ax.set_xlim(0, profile.lags[-1])
        set_decades(self.ax, *decades(profile.norms, profile.bound))
        _show_at_ends(self.names, {"measured": profile.norms, "bound": profile.bound})
        self.headline.set_text(_headline(profile))
        return profile_in_words(profile)


def _headline(profile: NormProfile) -> str:
    rate = _rate(profile)
    if rate == 0:
        return "The gradient dies out"
    word = "keeps its size" if 0.99 < rate < 1.01 else "vanishes" if rate < 1 else "explodes"
    return f"The gradient {word}: times {number(rate)} at every step back"


def _rate(profile: NormProfile) -> float:
    return float((profile.norms[-1] / profile.norms[0]) ** (1 / profile.lags[-1]))


def profile_in_words(profile: NormProfile) -> str:
    """Return how the gradient changes over the lags and what the bound allows."""
    first, last, lag = profile.norms[0], profile.norms[-1], profile.lags[-1]
    if last == 0:
        dead = int(profile.lags[np.flatnonzero(profile.norms == 0)[0]])
        change = f"The gradient is {number(first)} at lag 0 and zero"
        change += f", to 150 decimals, from lag {dead} on"
    else:
        verb = "falls" if last < first else "grows"
        change = f"The gradient norm {verb} from {number(first)} to {number(last)} over {lag} steps"
        change += f", a factor of {number(_rate(profile), 3)} per step"
    return f"{change}. The bound allows {number(profile.bound[-1])}."


def plot_gradient_norms(norms: dict[str, np.ndarray], ax: Axes | None = None) -> Plot:
    """Draw several profiles, each under its name, over their lags."""
    ax = ax or new_axes()
    ax.set_yscale("log")
    for name, values in norms.items():
        ax.plot(np.arange(len(values)), without_zeros(values), **look(name).line_style())
    add_level(ax, 1, "as large as at the loss")
    set_decades(ax, *decades(*norms.values()))
    ax.set_xlabel("lag: steps back from the loss")
    ax.set_ylabel("gradient norm")
    ax.set_xlim(0, max(map(len, norms.values())) - 1)
    _show_at_ends(_names_of(ax, norms), norms)
    ends = "; ".join(
        f"{name} goes from {number(values[0])} to {number(values[-1])} over {len(values) - 1} steps"
        for name, values in norms.items()
    )
    return Plot(figure_of(ax), f"Gradient norm against lag: {ends}.")


def _names_of(ax: Axes, curves: Iterable[str]) -> EndLabels:
    return EndLabels(ax, {name: name for name in curves}, {name: look(name).ink for name in curves})


def _show_at_ends(names: EndLabels, curves: Mapping[str, np.ndarray]) -> None:
    """Put each name where its curve ends; one that has died out, at the lower edge."""
    lowest = names.ax.get_ylim()[0]
    names.show({name: float(np.fmax(curve[-1], lowest)) for name, curve in curves.items()})


def without_zeros(values: np.ndarray) -> np.ndarray:
    """Return the values with zeros taken out: a logarithmic axis has no place for them."""
    values = np.asarray(values, dtype=float)
    return np.where(values > 0, values, np.nan)


def set_decades(ax: Axes, low: float, high: float, grain: int = GRAIN) -> None:
    """Set limits and put a tick at every grain of powers of ten: at 1, too, where it is seen."""
    ax.set_ylim(low, high)
    ends = (round(math.log10(end) / grain) for end in (low, high))
    ticks = range(next(ends), next(ends) + 1)
    step = 1 + len(ticks) // MOST_TICKS
    ax.set_yticks([10.0 ** (grain * tick) for tick in ticks if tick % step == 0])
    ax.minorticks_off()


def decades(*curves: np.ndarray) -> tuple[float, float]:
    """Return limits in whole grains of powers of ten around every drawable value, and 1."""
    values = np.concatenate([[1.0], *(without_zeros(curve).ravel() for curve in curves)])
    values = values[np.isfinite(values)]
    low = math.floor((math.log10(values.min()) - 0.1) / GRAIN) * GRAIN
    high = math.ceil((math.log10(values.max()) + 0.1) / GRAIN) * GRAIN
    return 10.0 ** max(low, LOWEST), 10.0 ** min(high, HIGHEST)
