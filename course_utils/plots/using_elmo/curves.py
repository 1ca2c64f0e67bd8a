"""How much is right after so many steps: a line for each ingredient, the mean of its seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    Look,
    head_figure,
    new_figure,
    style_axes,
)
from course_utils.plots.using_elmo.board import NAMES

LOOKS = {
    "words": Look(INK, "--", ""),
    "static": Look(GREEN, "-.", ""),
    "random": Look(RED, ":", ""),
    "letters": Look(ORANGE, (0, (5, 1)), ""),
    "layer 1": Look(SKY, "--", ""),
    "top layer": Look(PURPLE, "-.", ""),
    "elmo": Look(BLUE, "-", ""),
}


class Steps(NamedTuple):
    """The steps at which one ingredient's networks were asked, and what they got right."""

    steps: Sequence[int]
    right: np.ndarray  # (checks, seeds)


def plot_by_steps(headline: str, found: Mapping[str, Steps], goal: float) -> Plot:
    """Draw the mean of the seeds against the steps, and across the share to be reached."""
    figure = new_figure(width=8.2, height=3.9)
    ax = style_axes(figure.add_subplot())
    looks = {name: LOOKS[name] for name in found}
    for name, curve in found.items():
        ax.plot(
            curve.steps, curve.right.mean(axis=1), marker="o", markersize=6,
            **looks[name].line_style(),
        )  # fmt: skip
    every = sorted({step for curve in found.values() for step in curve.steps})
    ax.axhline(goal, color=INK, linewidth=1)
    ax.set(xscale="log", xlabel="steps", ylabel="right labels, mean of seeds")
    ax.minorticks_off()
    ax.set_xticks(every, [f"{step:,}" for step in every])
    shown = np.concatenate([curve.right.mean(axis=1) for curve in found.values()])
    room = 0.06 * float(np.ptp(shown))
    ax.set_ylim(shown.min() - room, shown.max() + room)  # the names below need it
    names = {name: NAMES[name] for name in found}
    labels = EndLabels(ax, names, {name: own.ink for name, own in looks.items()})
    labels.show({name: float(curve.right[-1].mean()) for name, curve in found.items()})
    head_figure(figure, headline)
    return Plot(figure, f"{headline}. {'; '.join(map(_told, names.values(), found.values()))}.")


def _told(name: str, curve: Steps) -> str:
    means = curve.right.mean(axis=1)
    said = (
        f"{step:,} steps {number(float(mean), 3)}"
        for step, mean in zip(curve.steps, means, strict=True)
    )
    return f"{name}: {', '.join(said)}"
