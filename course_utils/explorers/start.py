"""Lecture 00: the first explorer, one unit and one pulse."""

from __future__ import annotations

from course_utils.analysis.start import Echo, echo_of_a_pulse
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer, Table
from course_utils.plots.start import EchoDrawing


def explore_echo() -> Explorer:
    """Let the reader choose how strongly one unit listens to itself."""
    return Explorer(
        "How long does one unit remember one pulse?",
        {
            "recurrent_weight": slider("recurrent weight u", -1.5, 1.5, 0.8, 0.05),
            "pulse": slider("size of the pulse", 0.0, 3.0, 1.0, 0.1),
            "steps": slider("steps to watch", 10, 100, 40, 5),
        },
        echo_of_a_pulse,
        EchoDrawing(),
        tabulate_echo,
    )


def tabulate_echo(echo: Echo) -> Table:
    """Return the state at every step."""
    return Table(("step t", "state h_t"), list(zip(echo.steps, echo.states, strict=True)))
