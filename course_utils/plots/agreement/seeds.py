"""Where grammar lives: one dot a network, by what one unit does to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import add_headline, add_legend, look, new_figure, style_axes

LOOKS_OF = ("c", "f", "i")
MARKS = ("o", "s", "^")


def plot_deciding(
    moved: Mapping[str, Sequence[float]], lost: Mapping[str, Sequence[float]], headline: str
) -> Plot:
    """Draw for every network the share of verbs that follow one unit, and what its loss costs."""
    figure = new_figure(height=3.9)
    ax = style_axes(figure.add_subplot())
    for name, style, mark in zip(moved, LOOKS_OF, MARKS, strict=True):
        ax.plot(
            moved[name], lost[name], mark, label=name, color=look(style).colour, markersize=9,
            alpha=0.8,
        )  # fmt: skip
    ax.set(
        xlabel="share of verbs that follow the unit when it is moved",
        ylabel="right answers lost\nwithout it",
        xlim=(-0.04, 1.04),
        ylim=(-0.03, None),
    )
    add_headline(ax).set_text(headline)
    add_legend(ax, loc="best")  # where it hides no network
    said = "; ".join(
        f"{name}: half of the networks have {number(float(np.median(moved[name])), 2)} or more "
        f"of their verbs follow, and lose {number(float(np.median(lost[name])), 2)} or more"
        for name in moved
    )
    return Plot(figure, f"{headline}. {said}.")


def plot_costs(costs: Mapping[str, Mapping[str, float]], headline: str) -> Plot:
    """Draw what silencing a network's most costly unit costs, kind by kind of sentence."""
    figure = new_figure(height=3.9)
    ax = style_axes(figure.add_subplot())
    for (name, by_kind), style, mark in zip(costs.items(), LOOKS_OF, MARKS, strict=True):
        ax.plot([*by_kind.values()], marker=mark, label=name, **look(style).line_style())
    kinds = [*next(iter(costs.values()))]
    ax.set_xticks(range(len(kinds)), [kind.replace(" ", "\n") for kind in kinds])
    ax.set(ylabel="right answers lost", ylim=(-0.03, None))
    add_headline(ax).set_text(headline)
    add_legend(ax, loc="upper left")
    said = "; ".join(
        f"{name}: " + ", ".join(f"{kind} {number(cost, 2)}" for kind, cost in by_kind.items())
        for name, by_kind in costs.items()
    )
    return Plot(figure, f"{headline}. Right answers lost, in the median seed: {said}.")
