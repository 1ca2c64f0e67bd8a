"""Bits by order and by text, who closes what, how many units follow a label, what holding does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    FONT_SIZE,
    INK,
    PAPER,
    add_headline,
    add_legend,
    add_level,
    look,
    new_figure,
    style_axes,
)

LOOKS = ("measured", "bound", "o", "i")


def plot_bits(
    orders: Mapping[int, float],
    lstm: float,
    by_size: Mapping[str, Mapping[int, float]],
) -> Plot:
    """Draw bits per character against the n-gram's order, and against the text that was read."""
    figure = new_figure(height=3.8)
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
        f"Left: an n-gram's bits fall from {values[0]:.2f} at order {ns[0]} to {orders[best]:.2f} "
        f"at order {best}; the LSTM has {lstm:.2f}. Right, by the text that was read: "
        + "; ".join(f"{name} from {row[0]:.2f} to {row[-1]:.2f}" for name, row in rows.items())
        + "."
    )
    return Plot(figure, words)


def _millions(x: float) -> str:
    return f"{x / 1e6:.1f}M" if x >= 1e6 else f"{x / 1e3:.0f}k"


def plot_closing(
    spans: Sequence[tuple[int, int]],
    rates: Mapping[str, Sequence[float]],
    chance: float,
    order: int,
    headline: str,
) -> Plot:
    """Draw how often each model names what closes a string, against the distance to its start."""
    ax = style_axes(new_figure(height=3.4).add_subplot())
    places = np.arange(len(spans))
    for (name, row), kind in zip(rates.items(), LOOKS, strict=False):
        ax.plot(places, row, marker="o", label=name, **look(kind).line_style())
    add_level(ax, chance, "chance")
    beyond = next((n for n, (low, _) in enumerate(spans) if low >= order), len(spans))
    ax.axvspan(beyond - 0.5, len(spans) - 0.5, color=look("reference").colour, alpha=0.15, lw=0)
    ax.annotate(f"beyond the {order}-gram's memory", (len(spans) - 0.6, 0.03), ha="right",
                color=INK, size=FONT_SIZE - 1)  # fmt: skip
    ax.set_xticks(places, [f"{low} to {high}" for low, high in spans])
    ax.set(ylim=(0, 1.05), xlim=(-0.5, len(spans) - 0.5), ylabel="right",
           xlabel="characters since it was opened")  # fmt: skip
    add_headline(ax).set_text(headline)
    add_legend(ax, loc="lower left", bbox_to_anchor=(0, 0.1))
    ends = "; ".join(f"{name} from {row[0]:.2f} to {row[-1]:.2f}" for name, row in rates.items())
    low, high = spans[0][0], spans[-1][1]
    return Plot(figure_of(ax), f"Right, from {low} to {high} characters after: {ends}.")


def plot_strengths(
    strengths: Mapping[str, np.ndarray], luck: float, says: Mapping[str, str], headline: str
) -> Plot:
    """Draw how well every unit follows each label, one dot per unit, and the level of luck."""
    ax: Axes = style_axes(new_figure(height=4.2).add_subplot())
    names, shake = list(strengths), np.random.default_rng(0)
    for n, name in enumerate(names):
        values = strengths[name]
        ax.scatter(values, n + shake.uniform(-0.3, 0.3, len(values)), s=5, alpha=0.35,
                   color=look("measured").colour, linewidths=0)  # fmt: skip
        best = values.max()
        ax.plot([best], [n], "D", color=look("bound").colour, markersize=7, markeredgecolor=PAPER)
        ax.annotate(f"{best:.2f}", (best, n), (8, -4), textcoords="offset points", color=INK,
                    size=FONT_SIZE)  # fmt: skip
    ax.axvline(luck, color=INK, linewidth=1.5, linestyle="--")
    ax.annotate("best by luck", (luck, len(names) - 0.45), (4, 0), textcoords="offset points",
                color=INK, size=FONT_SIZE - 1)  # fmt: skip
    ax.set_yticks(range(len(names)), [says[name] for name in names])
    ax.set(xlim=(0.49, 1.06), ylim=(-0.6, len(names) - 0.1), xlabel="area (0.5 is chance)")
    add_headline(ax).set_text(headline)
    told = ", ".join(f"{says[name]} {strengths[name].max():.2f}" for name in names)
    return Plot(
        figure_of(ax), f"The best of all units, where luck reaches {luck:.2f} at most: {told}."
    )


def plot_ways(rows: Sequence[tuple[str, float, float, float]], headline: str) -> Plot:
    """Draw what becomes of opened strings: closed, broken by a line end, still open."""
    ax = style_axes(new_figure(height=0.5 * len(rows) + 1.4).add_subplot())
    kinds = (("closed", "measured"), ("line broken", "bound"), ("still open", "reference"))
    names = [row[0] for row in rows]
    left = np.zeros(len(rows))
    for n, (kind, of) in enumerate(kinds, start=1):
        shares = np.array([row[n] for row in rows])
        ax.barh(names, shares, left=left, label=kind, color=look(of).colour,
                hatch=look(of).hatch, edgecolor=PAPER)  # fmt: skip
        left += shares
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="share of the strings that were opened")
    ax.grid(False)
    add_headline(ax).set_text(headline)
    add_legend(ax, loc="upper center", bbox_to_anchor=(0.4, -0.28), ncols=3)
    told = "; ".join(f"{row[0]}: {100 * row[1]:.0f} % closed" for row in rows)
    return Plot(figure_of(ax), f"What becomes of an open string: {told}.")


def plot_causes(areas: np.ndarray, lost: np.ndarray, named: Sequence[int], headline: str) -> Plot:
    """Draw one dot per cell: how well it follows a mark, and what holding it takes away."""
    ax = style_axes(new_figure(height=4.0).add_subplot())
    ax.axhline(0, color=INK, linewidth=1)
    ax.scatter(areas, lost, s=14, alpha=0.45, color=look("measured").colour, linewidths=0)
    ax.plot(areas[list(named)], lost[list(named)], "D", color=look("bound").colour, markersize=8,
            markeredgecolor=PAPER)  # fmt: skip
    for n, cell in enumerate(sorted(named, key=lambda cell: areas[cell])):  # up, down, up, ...
        ax.annotate(f"c[{cell}]", (areas[cell], lost[cell]), (0, -20 if n % 2 else 8), ha="center",
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
