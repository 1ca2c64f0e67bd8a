"""Gradient norm against lag, with the bound that theory puts on it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_utils.plots.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import add_legend, look, new_axes, new_figure, style_axes

LOWEST, HIGHEST = -40, 40  # powers of ten that are drawn
GRAIN = 4  # the axis grows by so many powers of ten at a time, so that it rarely moves


class NormProfile(NamedTuple):
    """Gradient norms over lags, and the largest that theory allows, (T,) each."""

    lags: np.ndarray
    norms: np.ndarray
    bound: np.ndarray


class GradientNormDrawing:
    """One measured curve and its bound, on a logarithmic axis that follows them."""

    def __init__(self, figure: Figure | None = None):
        self.figure = figure or new_figure()
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set_yscale("log")
        ax.set_xlabel("lag: steps back from the loss")
        ax.set_ylabel("gradient norm")
        (self.measured,) = ax.plot([], [], label="measured", **look("measured").line_style())
        (self.bound,) = ax.plot(
            [], [], label="bound (slope × ‖U‖)$^k$", **look("bound").line_style()
        )
        self.moving = (self.measured, self.bound)
        add_legend(ax, loc="lower left")

    def show(self, profile: NormProfile) -> str:
        """Show one profile and say how far it falls."""
        self.measured.set_data(profile.lags, without_zeros(profile.norms))
        self.bound.set_data(profile.lags, without_zeros(profile.bound))
        self.ax.set_xlim(0, profile.lags[-1])
        self.ax.set_ylim(*decades(profile.norms, profile.bound))
        return profile_in_words(profile)


def profile_in_words(profile: NormProfile) -> str:
    """Return how the gradient changes over the lags and what the bound allows."""
    first, last, lag = profile.norms[0], profile.norms[-1], profile.lags[-1]
    if last == 0:
        dead = int(profile.lags[np.flatnonzero(profile.norms == 0)[0]])
        change = f"The gradient is {number(first)} at lag 0 and exactly zero from lag {dead} on"
    else:
        verb = "falls" if last < first else "grows"
        change = f"The gradient norm {verb} from {number(first)} to {number(last)} over {lag} steps"
        change += f", a factor of {number((last / first) ** (1 / lag), 3)} a step"
    return f"{change}. The bound allows {number(profile.bound[-1])}."


def plot_gradient_norms(norms: dict[str, np.ndarray], ax: Axes | None = None) -> Plot:
    """Draw several profiles, each under its name, over their lags."""
    ax = ax or new_axes()
    ax.set_yscale("log")
    for name, values in norms.items():
        ax.plot(
            np.arange(len(values)), without_zeros(values), label=name, **look(name).line_style()
        )
    ax.set_ylim(*decades(*norms.values()))
    ax.set_xlabel("lag: steps back from the loss")
    ax.set_ylabel("gradient norm")
    add_legend(ax, loc="lower left")
    ends = "; ".join(
        f"{name} goes from {number(values[0])} to {number(values[-1])} over {len(values) - 1} steps"
        for name, values in norms.items()
    )
    return Plot(ax.figure, f"Gradient norm against lag: {ends}.")


def without_zeros(values: np.ndarray) -> np.ndarray:
    """Return the values with zeros taken out: a logarithmic axis has no place for them."""
    values = np.asarray(values, dtype=float)
    return np.where(values > 0, values, np.nan)


def decades(*curves: np.ndarray) -> tuple[float, float]:
    """Return limits in whole grains of powers of ten around every drawable value."""
    values = np.concatenate([without_zeros(curve).ravel() for curve in curves])
    values = values[np.isfinite(values)]
    if not values.size:
        return 10.0**-GRAIN, 1.0
    low = math.floor((math.log10(values.min()) - 0.1) / GRAIN) * GRAIN
    high = math.ceil((math.log10(values.max()) + 0.1) / GRAIN) * GRAIN
    return 10.0 ** max(low, LOWEST), 10.0 ** min(high, HIGHEST)
