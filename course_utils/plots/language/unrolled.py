"""The unrolled graph of one unit: values appear on the way forward, gradients on the way back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.patches import Circle, FancyArrowPatch, Patch
from matplotlib.text import Text

from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    add_headline,
    keep_places,
    look,
    new_figure,
)

FORWARD, BACKWARD = look("measured").colour, look("bound").colour
INPUT_ROW, STATE_ROW, LOSS_ROW = 0.0, 1.2, 2.4
RADIUS = 0.36
PLACES = (0.019, 0.02, 0.979, 0.913)  # left, bottom, right and top of the columns


class UnrolledUnit(NamedTuple):
    """All values and gradients of an unrolled unit, (T,) each, and how far the walk has come.

    Moments 1 to T are the steps forward; T + 1 to 2T are the steps back, the last step first.
    """

    x: np.ndarray
    y: np.ndarray  # targets
    h: np.ndarray
    loss: np.ndarray
    d_h: np.ndarray  # dJ/dh_t
    d_u: np.ndarray  # this step's term of dJ/du
    moment: int


class UnrolledDrawing:
    """Three rows (input, state and loss), one column per step."""

    def __init__(self, steps: int):
        self.steps = steps
        self.figure = new_figure(height=3.6)
        self.ax = ax = self.figure.add_subplot()
        ax.set_axis_off()
        ax.set_aspect("equal")
        ax.set_xlim(0.2, 2.0 * steps + 1.2)
        ax.set_ylim(-0.5, 3.3)
        keep_places(self.figure, *PLACES)
        self.headline = add_headline(ax)
        legend = "on the way back: dJ/dh above a state, its term of dJ/du under the arrow"
        self._text(steps + 0.7, 3.15, legend, FONT_SIZE - 1, BACKWARD)
        self.nodes: list[Patch] = []
        self.arrows: list[FancyArrowPatch] = []
        self.values: list[Text] = []
        self.gradients: list[Text] = []
        self.terms: list[Text] = []
        self.targets: list[Text] = []
        for t in range(1, steps + 1):
            self._draw_column(t)
        self.moving = (
            *self.arrows, *self.nodes, *self.values, *self.gradients, *self.terms, *self.targets,
            self.headline,
        )  # fmt: skip

    def _draw_column(self, t: int) -> None:
        x = 2.0 * t
        self.arrows += [self._arrow(*ends) for ends in _ends(t)]
        for row, name in ((INPUT_ROW, "x"), (STATE_ROW, "h"), (LOSS_ROW, "J")):
            circle = Circle((x, row), RADIUS, facecolor="white", edgecolor=FAINT, linewidth=2)
            self.nodes.append(self.ax.add_patch(circle))
            self.values.append(self._text(x, row, "", FONT_SIZE - 1, INK))
            self._text(x - 0.5, row + 0.38, f"${name}_{t}$", FONT_SIZE, INK)
        self._text(x + 0.2, (INPUT_ROW + STATE_ROW) / 2, "$w$", FONT_SIZE, INK)
        self._text(x - 1.0, STATE_ROW + 0.22, "$u$", FONT_SIZE, INK)
        self.targets.append(self._text(x + 0.92, LOSS_ROW, "", FONT_SIZE - 2, INK))
        self.gradients.append(self._text(x + 0.48, STATE_ROW + 0.5, "", FONT_SIZE - 1, BACKWARD))
        self.terms.append(self._text(x - 1.0, STATE_ROW - 0.28, "", FONT_SIZE - 1, BACKWARD))

    def _arrow(self, start: tuple[Any, ...], end: tuple[Any, ...]) -> FancyArrowPatch:
        arrow = FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=20, linewidth=2.6, color=FAINT
        )
        self.ax.add_patch(arrow)
        return arrow

    def _text(self, x: float, y: float, text: str, size: float, colour: str) -> Text:
        return self.ax.text(x, y, text, size=size, color=colour, ha="center", va="center", zorder=5)

    def show(self, unit: UnrolledUnit) -> str:
        """Show one moment of the walk and say what it has just computed."""
        forward = min(unit.moment, self.steps)
        back_from = self.steps - max(0, unit.moment - self.steps)  # steps above have gradients
        for t in range(1, self.steps + 1):
            self._show_column(t, unit, forward >= t, t > back_from)
        self.headline.set_text(_headline(unit))
        return moment_in_words(unit)

    def _show_column(self, t: int, unit: UnrolledUnit, reached: bool, returned: bool) -> None:
        place, i = 3 * (t - 1), t - 1
        colour = BACKWARD if returned else FORWARD if reached else FAINT
        for node in self.nodes[place : place + 3]:
            node.set_edgecolor(colour)
        for arrow, ends in zip(self.arrows[place : place + 3], _ends(t), strict=True):
            arrow.set_color(colour)
            arrow.set_positions(*(reversed(ends) if returned else ends))
        for text, value in zip(
            self.values[place : place + 3], (unit.x[i], unit.h[i], unit.loss[i]), strict=True
        ):
            text.set_text(f"{value:.2f}" if reached else "")
        self.targets[i].set_text(f"$y_{t}$ = {unit.y[i]:.2f}")
        self.gradients[i].set_text(f"{unit.d_h[i]:+.2f}" if returned else "")
        self.terms[i].set_text(f"{unit.d_u[i]:+.3f}" if returned else "")


def _ends(t: int) -> tuple[Any, ...]:
    """Return where the arrows into the state, into the loss and from the state before run."""
    x = 2.0 * t
    return (
        ((x, INPUT_ROW + RADIUS), (x, STATE_ROW - RADIUS)),
        ((x, STATE_ROW + RADIUS), (x, LOSS_ROW - RADIUS)),
        ((x - 2 + RADIUS, STATE_ROW), (x - RADIUS, STATE_ROW)),
    )


def _headline(run: UnrolledUnit) -> str:
    steps = len(run.x)
    if run.moment == 0:
        return f"One unit over {steps} steps, with the same u and w at each"
    if run.moment <= steps:
        return f"Forward: step {run.moment} gives h = {run.h[run.moment - 1]:.2f}"
    t = 2 * steps - run.moment + 1
    return f"Backward: step {t} adds {run.d_u[t - 1]:+.3f} to dJ/du"


def moment_in_words(run: UnrolledUnit) -> str:
    """Return what has just been computed."""
    moment, steps = run.moment, len(run.x)
    if moment == 0:
        return "Nothing has been computed yet: move the walk."
    if moment <= steps:
        i = moment - 1
        return (
            f"Forward, step {moment}: the input {run.x[i]:.2f} and the state before give "
            f"h = {run.h[i]:.2f}; its loss is {run.loss[i]:.3f}."
        )
    t = 2 * steps - moment + 1
    i, summed = t - 1, run.d_u[t - 1 :].sum()
    later = " and from all later ones" if t < steps else ""
    return (
        f"Backward, step {t}: dJ/dh = {run.d_h[i]:+.2f} from its own loss{later}. It adds "
        f"{run.d_u[i]:+.3f} to dJ/du, which makes {summed:+.3f} so far."
    )
