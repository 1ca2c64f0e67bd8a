"""Bits by order and by text, who closes what, how many units follow a label, what holding does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    PAPER,
    add_headline,
    add_legend,
    head_figure,
    look,
    new_figure,
    style_axes,
)

LOOKS = ("measured", "bound", "o", "i")
# of the rungs of a ladder: look, marker, size, filled
RUNG_LOOKS = (
    ("reference", "o", 8, False), ("o", "s", 8, False), ("bound", "D", 8, True),
    ("reference", "^", 8, True), ("measured", "o", 10, True),
)  # fmt: skip


def plot_bits(
    orders: Mapping[int, float],
    lstm: float,
    by_size: Mapping[str, Mapping[int, float]],
    headline: str,
) -> Plot:
    """Draw bits per character against the n-gram's order, and against the text that was read."""
    figure = new_figure(height=4.0)
    head_figure(figure, headline)
    left, right = (style_axes(ax) for ax in figure.subplots(1, 2))
    ns, values = list(orders), list(orders.values())
    left.plot(ns, values, marker="o", **look("bound").line_style())
    left.axhline(lstm, **look("measured").line_style())
    left.annotate(
        "n-gram", (ns[1], values[1]), (8, 4), textcoords="offset points", color=INK, size=FONT_SIZE
    )
    left.annotate(
        "LSTM", (ns[0], lstm), (0, 5), textcoords="offset points", color=INK, size=FONT_SIZE
    )
    left.set(xlabel="order n", ylabel="bits per character", ylim=(1.4, None), xscale="log")
    left.set_xticks([n for n in ns if n & (n - 1) == 0], minor=False)  # 1 2 4 8 16 ...
    left.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    left.xaxis.set_minor_locator(NullLocator())
    rows = {name: list(row.values()) for name, row in by_size.items()}
    sides = (("bound", 18), ("measured", -20))  # the lines fall: above the one, below the other
    for (name, row), (kind, off) in zip(by_size.items(), sides, strict=False):
        right.plot(list(row), rows[name], marker="o", **look(kind).line_style())
        where = (list(row)[-1], rows[name][-1])
        right.annotate(name, where, (4, off), textcoords="offset points", ha="right", color=INK,
                       size=FONT_SIZE)  # fmt: skip
    characters = max(by_size.values(), key=len)
    right.set(xscale="log", xlabel="characters read", ylim=(1.4, None))
    right.xaxis.set_major_locator(FixedLocator(list(characters)))
    right.xaxis.set_major_formatter(FuncFormatter(lambda x, _: _millions(x)))
    right.xaxis.set_minor_locator(NullLocator())
    best = min(orders, key=lambda n: orders[n])
    words = (
        f"{headline}. Left: an n-gram's bits fall from {values[0]:.2f} at order {ns[0]} to "
        f"{orders[best]:.2f} at order {best}; the LSTM has {lstm:.2f}. Right, by the text that "
        "was read: "
        + "; ".join(f"{name} from {row[0]:.2f} to {row[-1]:.2f}" for name, row in rows.items())
        + "."
    )
    return Plot(figure, words)


def _millions(x: float) -> str:
    return f"{x / 1e6:.1f}M" if x >= 1e6 else f"{x / 1e3:.0f}k"


def plot_closing(
    spans: Sequence[tuple[int, int]],
    rates: Mapping[str, Sequence[float]],
    order: int,
    headline: str,
    label: str = "right",
) -> Plot:
    """Draw how often each model names what closes a string, against the distance to its start."""
    ax = style_axes(new_figure(height=3.4).add_subplot())
    places = np.arange(len(spans))
    for (name, row), kind in zip(rates.items(), LOOKS, strict=False):
        ax.plot(places, row, marker="o", label=name, **look(kind).line_style())
    beyond = next((n for n, (low, _) in enumerate(spans) if low >= order), len(spans))
    ax.axvspan(beyond - 0.5, len(spans) - 0.5, color=look("reference").colour, alpha=0.15, lw=0)
    ax.annotate(f"beyond the {order}-gram's memory", (len(spans) - 0.6, 0.03), ha="right",
                color=INK, size=FONT_SIZE - 1)  # fmt: skip
    ax.set_xticks(places, [f"{low} to {high}" for low, high in spans])
    ax.set(ylim=(0, 1.05), xlim=(-0.5, len(spans) - 0.5), ylabel=label,
           xlabel="characters since it was opened")  # fmt: skip
    add_headline(ax).set_text(headline)
    add_legend(ax, loc="lower left", bbox_to_anchor=(0, 0.08))
    ends = "; ".join(f"{name} from {row[0]:.2f} to {row[-1]:.2f}" for name, row in rates.items())
    low, high = spans[0][0], spans[-1][1]
    return Plot(figure_of(ax), f"Right, from {low} to {high} characters after: {ends}.")


def plot_strengths(
    strengths: Mapping[str, np.ndarray],
    chosen: Mapping[str, float],
    luck: float,
    says: Mapping[str, str],
    headline: str,
) -> Plot:
    """Draw how well every unit follows each label, one dot per unit, and the level of luck.

    A diamond is the unit that another text chose: the best dot is flattered by luck.
    """
    ax: Axes = style_axes(new_figure(height=4.2).add_subplot())
    names, shake = list(strengths), np.random.default_rng(0)
    for n, name in enumerate(names):
        values = strengths[name]
        ax.scatter(values, n + shake.uniform(-0.3, 0.3, len(values)), s=5, alpha=0.35,
                   color=look("measured").colour, linewidths=0)  # fmt: skip
        best = chosen[name]
        ax.plot([best], [n], "D", color=look("bound").colour, markersize=7, markeredgecolor=PAPER)
        ax.annotate(f"{best:.2f}", (best, n), (8, -4), textcoords="offset points", color=INK,
                    size=FONT_SIZE)  # fmt: skip
    ax.axvline(luck, color=INK, linewidth=1.5, linestyle="--")
    ax.annotate("best by luck", (luck, len(names) - 0.45), (4, 0), textcoords="offset points",
                color=INK, size=FONT_SIZE - 1)  # fmt: skip
    ax.set_yticks(range(len(names)), [says[name] for name in names])
    ax.set(xlim=(0.49, 1.06), ylim=(-0.6, len(names) - 0.1), xlabel="area (0.5 is chance)")
    add_headline(ax).set_text(headline)
    told = ", ".join(f"{says[name]} {chosen[name]:.2f}" for name in names)
    return Plot(
        figure_of(ax), f"The unit chosen on other text, where luck reaches {luck:.2f}: {told}."
    )


def plot_causes(areas: np.ndarray, lost: np.ndarray, named: Sequence[int], headline: str) -> Plot:
    """Draw one dot per cell: how well it follows a mark, and what holding it takes away."""
    ax = style_axes(new_figure(height=4.0).add_subplot())
    ax.axhline(0, color=INK, linewidth=1)
    ax.scatter(areas, lost, s=14, alpha=0.45, color=look("measured").colour, linewidths=0)
    ax.plot(areas[list(named)], lost[list(named)], "D", color=look("bound").colour, markersize=8,
            markeredgecolor=PAPER)  # fmt: skip
    for cell in named:  # beside its dot, where only a cell of the same height could be in the way
        ax.annotate(f"c[{cell}]", (areas[cell], lost[cell]), (-9, 0), ha="right", va="center",
                    textcoords="offset points", color=INK, size=FONT_SIZE)  # fmt: skip
    ax.set(xlim=(0.49, 1.01), xlabel="area for the mark it follows best (0.5 is chance)",
           ylabel="fewer closed")  # fmt: skip
    add_headline(ax).set_text(headline)
    told = ", ".join(f"c[{cell}] {100 * lost[cell]:.0f}" for cell in named)
    middle = 100 * float(np.median(np.delete(lost, list(named))))
    return Plot(
        figure_of(ax),
        f"Of 100 strings, fewer are closed with one cell held: {told} fewer; the median of the "
        f"others is {middle:.0f}.",
    )


class Rung(NamedTuple):
    """One way to read a mark, and how well it does for each mark."""

    name: str
    values: Sequence[float]


def plot_ladder(marks: Sequence[str], rungs: Sequence[Rung], counts: int, headline: str) -> Plot:
    """Draw for each mark how well every rung reads it; the last `counts` rows are correlations."""
    figure = new_figure(height=0.3 * len(marks) + 2.0)
    split = len(marks) - counts
    axes = figure.subplots(2, 1, gridspec_kw={"height_ratios": [split, counts + 0.6]})
    scales = ((0.49, 1.01, "area, 0.5 is chance"), (-0.02, 1.02, "correlation, 0 is chance"))
    pieces = (slice(0, split), slice(split, len(marks)))
    for ax, piece, (low, high, label) in zip(axes, pieces, scales, strict=True):
        style_axes(ax)
        names = marks[piece]
        for n, _ in enumerate(names):
            values = [rung.values[piece][n] for rung in rungs]
            ax.plot([min(values), max(values)], [n, n], color=FAINT, linewidth=2, zorder=1)
        for rung, (kind, mark, size, filled) in zip(rungs, RUNG_LOOKS, strict=True):
            colour = look(kind).colour
            ax.plot(
                rung.values[piece], range(len(names)), mark, label=rung.name, color=colour,
                markersize=size, markerfacecolor=colour if filled else PAPER, markeredgewidth=2,
            )  # fmt: skip
        ax.set_yticks(range(len(names)), names)
        ax.set(xlim=(low, high), ylim=(len(names) - 0.5, -0.6), xlabel=label)
    add_headline(axes[0]).set_text(headline)
    handles, said = axes[0].get_legend_handles_labels()
    figure.legend(handles, said, loc="outside lower center", ncols=3, frameon=False,
                  fontsize=FONT_SIZE - 1, labelcolor=INK)  # fmt: skip
    told = "; ".join(
        f"{name}: " + ", ".join(f"{rung.name} {rung.values[n]:.2f}" for rung in rungs)
        for n, name in enumerate(marks)
    )
    return Plot(figure, f"{headline}. {told}.")


def plot_compiled(
    ways: Sequence[str], shares: Mapping[str, Sequence[float]], headline: str
) -> Plot:
    """Draw the share of written statements that Python compiles, for every way of drawing."""
    ax = style_axes(new_figure(height=0.42 * len(ways) + 1.3).add_subplot())
    wide = 0.8 / len(shares)
    for n, ((name, row), kind) in enumerate(zip(shares.items(), LOOKS, strict=False)):
        places = np.arange(len(ways)) + (n - (len(shares) - 1) / 2) * wide
        ax.barh(places, row, wide, label=name, color=look(kind).colour, hatch=look(kind).hatch,
                edgecolor=PAPER)  # fmt: skip
        for place, value in zip(places, row, strict=True):
            ax.annotate(f"{100 * value:.0f}%", (value, place), (4, 0), va="center", color=INK,
                        textcoords="offset points", size=FONT_SIZE - 1)  # fmt: skip
    ax.set_yticks(range(len(ways)), ways)
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="share of statements that Python compiles")
    ax.grid(False)
    add_headline(ax).set_text(headline)
    add_legend(ax, loc="upper center", bbox_to_anchor=(0.35, -0.22), ncols=2)
    told = "; ".join(
        f"{way}: " + ", ".join(f"{name} {100 * row[n]:.0f}%" for name, row in shares.items())
        for n, way in enumerate(ways)
    )
    return Plot(figure_of(ax), f"{headline}. Compiled, {told}.")


def plot_fewer(rows: Sequence[tuple[str, float, float, float]], headline: str) -> Plot:
    """Draw what each hold takes away, with its interval; rows are name, value, low, high."""
    ax = style_axes(new_figure(height=0.5 * len(rows) + 1.4).add_subplot())
    for n, (_, value, low, high) in enumerate(rows):
        ax.plot([low, high], [n, n], color=look("measured").colour, linewidth=3)
        ax.plot([value], [n], "o", color=look("measured").colour, markersize=9)
        ax.annotate(f"{100 * value:.0f}", (high, n), (8, 0), va="center", color=INK,
                    textcoords="offset points", size=FONT_SIZE)  # fmt: skip
    ax.axvline(0, color=INK, linewidth=1)
    ax.set_yticks(range(len(rows)), [row[0] for row in rows])
    ax.invert_yaxis()
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.0f}"))
    ax.set(xlabel="fewer closed, of 100 strings", ylim=(len(rows) - 0.5, -0.6))
    add_headline(ax).set_text(headline)
    told = "; ".join(
        f"{name}: {100 * value:.0f} ({100 * low:.0f} to {100 * high:.0f})"
        for name, value, low, high in rows
    )
    return Plot(figure_of(ax), f"{headline}. Fewer closed, of 100 strings: {told}.")
