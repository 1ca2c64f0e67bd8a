"""The trace that one pulse leaves in one recurrent unit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.plots.style import (
    FAINT,
    add_headline,
    keep_places,
    look,
    new_figure,
    style_axes,
)


class Echo(NamedTuple):
    """The state of a unit after one pulse, and for how long the pulse can be told from nothing."""

    steps: np.ndarray  # (T + 1,): 0 to T
    states: np.ndarray  # (T + 1,)
    weight: float
    heard_until: int | None  # the last step with |h| above a tenth of its peak, None: never fades


class EchoDrawing:
    """A unit's state after a pulse, step by step."""

    def __init__(self) -> None:
        self.figure = new_figure()
        keep_places(self.figure, 0.1, 0.16, 0.98, 0.905)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.set_xlabel("step t")
        ax.set_ylabel("state $h_t$")
        (self.line,) = ax.plot([], [], marker="o", markersize=5, **look("h").line_style())
        self.headline = add_headline(ax)
        self.moving = (self.line, self.headline)

    def show(self, echo: Echo) -> str:
        """Show one echo and say it."""
        self.line.set_data(echo.steps, echo.states)
        self.ax.set_xlim(-0.5, echo.steps[-1] + 0.5)
        self.ax.set_ylim(-1.05 if echo.states.min() < 0 else -0.08, 1.05)
        self.headline.set_text(_headline(echo))
        return echo_in_words(echo)


def _headline(echo: Echo) -> str:
    if echo.states[1] == 0:
        return "No pulse, nothing to remember"
    if echo.heard_until is None:
        return "The pulse is remembered to the end"
    return f"The pulse is heard until step {echo.heard_until}"


def echo_in_words(echo: Echo) -> str:
    """Return what happens to the pulse."""
    first, last = echo.states[1], echo.states[-1]
    start = f"With recurrent weight {echo.weight:g} the pulse lifts the state to {first:.2f}"
    if first == 0:
        return "Without a pulse there is nothing to remember: the state stays at zero."
    if echo.heard_until is None:
        flips = " and flips its sign at every step" if echo.weight < 0 else ""
        size = f"{np.abs(last):.2f}"
        return f"{start}{flips}; after {echo.steps[-1]} steps its size is still {size}."
    if echo.heard_until <= 1:
        return f"{start}; one step later less than a tenth is left."
    return f"{start}; from step {echo.heard_until + 1} on less than a tenth of that is left."
