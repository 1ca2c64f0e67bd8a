"""How a loss falls while a network learns, and how models compare when the text grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import FONT_SIZE, INK, look, new_axes, new_figure, style_axes

SMOOTH = 20  # steps that the thick line averages


class Losses(NamedTuple):
    """The loss of every step so far."""

    losses: np.ndarray


class LossDrawing:
    """The loss of every step, faint, and its mean over the last steps, against the step."""

    def __init__(self, steps: int, highest: float):
        self.figure = new_figure(height=2.6)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set(xlim=(0, steps), ylim=(0, 1.08 * highest), xlabel="step", ylabel="loss (nats)")
        style = look("measured").line_style()
        (self.raw,) = ax.plot([], [], **{**style, "alpha": 0.35, "linewidth": 1})
        (self.smooth,) = ax.plot([], [], **style)
        ax.axhline(highest, **look("reference").line_style())
        ax.annotate("knows nothing: log |V|", (steps, highest), (0, -4), ha="right", va="top",
                    textcoords="offset points", color=INK, size=FONT_SIZE)  # fmt: skip
        self.moving = (self.raw, self.smooth)

    def show(self, data: Losses) -> str:
        """Show the losses so far and say where they are."""
        losses = np.asarray(data.losses, dtype=float)
        steps = np.arange(1, len(losses) + 1)
        self.raw.set_data(steps, losses)
        means = np.cumsum(losses)
        means[SMOOTH:] = means[SMOOTH:] - means[:-SMOOTH]
        means /= np.minimum(steps, SMOOTH)
        self.smooth.set_data(steps, means)
        if not len(losses):
            return "No step has been taken yet."
        return (
            f"After {len(losses)} steps the loss is {means[-1]:.2f}; it began at {losses[0]:.2f}."
        )


def plot_word_race(
    tokens: Sequence[int], scores: Mapping[str, Sequence[float]], ax: Axes | None = None
) -> Plot:
    """Draw perplexity against the words of training text: counting dashed, networks solid."""
    ax = ax or new_axes(height=3.5)
    looks = {"2-gram": "reference", "5-gram": "bound", "lstm": "measured"}
    for name, values in scores.items():
        style = look(looks[name]).line_style()
        style["linestyle"] = "--" if name.endswith("gram") else "-"
        ax.plot(tokens, values, marker="o", markersize=5, **style)
        ax.annotate(LABELS[name], (tokens[-1], values[-1]), (8, 0), va="center", color=INK,
                    textcoords="offset points", size=FONT_SIZE)  # fmt: skip
    ax.set(xscale="log", yscale="log", xlabel="words of training text", ylabel="perplexity")
    ax.set_xlim(tokens[0] * 0.85, tokens[-1] * 2.6)
    ax.xaxis.set_major_locator(FixedLocator(list(tokens)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x / 1000:,.0f}k"))
    ax.yaxis.set_major_locator(FixedLocator([50, 70, 100, 150, 200, 300]))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_minor_locator(NullLocator())
    ends = "; ".join(
        f"{LABELS[name]} from {values[0]:.0f} to {values[-1]:.0f}"
        for name, values in scores.items()
    )
    words = f"Perplexity from {tokens[0]:,} to {tokens[-1]:,} words of training text: {ends}."
    return Plot(figure_of(ax), words)


def plot_by_context(perplexities: Mapping[int, float], whole: float, counted: float) -> Plot:
    """Draw a network's perplexity by how many words it may read; the best of counting beside it."""
    ax = new_axes(height=3.4)
    lengths, values = list(perplexities), list(perplexities.values())
    ax.plot(lengths, values, marker="o", **look("measured").line_style())
    levels = (
        (counted, "bound", "5-gram, the best of counting", "bottom", 5),
        (whole, "reference", "LSTM, all", "top", -5),  # the curve comes down to it from above
    )
    for level, kind, name, side, off in levels:
        ax.axhline(level, **look(kind).line_style())
        ax.annotate(name, (lengths[-1], level), (0, off), ha="right", va=side, color=INK,
                    textcoords="offset points", size=FONT_SIZE)  # fmt: skip
    for n, value in perplexities.items():
        ax.annotate(f"{value:.0f}", (n, value), (6, 6), textcoords="offset points",
                    color=INK, size=FONT_SIZE)  # fmt: skip
    ax.set(xscale="log", xlabel="words that the LSTM may read before it guesses")
    ax.set(ylabel="perplexity", ylim=(0.9 * whole, 1.1 * max(*values, counted)))
    ax.xaxis.set_major_locator(FixedLocator(lengths))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    told = ", ".join(f"{value:.0f} with {n} words" for n, value in perplexities.items())
    words = f"The LSTM's perplexity: {told}, {whole:.0f} with all; counting has {counted:.0f}."
    return Plot(figure_of(ax), words)


LABELS = {"2-gram": "2-gram", "5-gram": "5-gram", "lstm": "LSTM"}
