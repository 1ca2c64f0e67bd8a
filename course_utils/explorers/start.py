"""One unit and one pulse."""

from __future__ import annotations

import numpy as np

from course_utils.analysis.start import heard_until, states_after_a_pulse
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.start import Echo, EchoDrawing


def explore_echo() -> Explorer:
    """Let the reader choose how strongly one unit listens to itself."""
    controls = {
        "recurrent_weight": slider("recurrent weight u", -1.5, 1.5, 0.8, 0.05),
        "pulse": slider("size of the pulse", 0.0, 3.0, 1.0, 0.1),
        "steps": slider("steps to watch", 10, 100, 40, 5),
    }
    return Explorer(
        "How long does one unit remember one pulse?",
        controls,
        echo_of_a_pulse,
        EchoDrawing(),
        tabulate_echo,
        twin=twin_of_chart(
            "echo",
            EchoDrawing,
            lambda: map(echo_of_a_pulse, (0.8, -0.8), (1.0, 1.0), (40, 20)),
            controls,
        ),
    )


def echo_of_a_pulse(recurrent_weight: float, pulse: float = 1.0, steps: int = 40) -> Echo:
    """Send one pulse into the unit and watch what is left of it."""
    states = states_after_a_pulse(recurrent_weight, pulse, steps)
    return Echo(np.arange(steps + 1), states, recurrent_weight, heard_until(states))


def tabulate_echo(echo: Echo) -> Table:
    """Return the state at every step."""
    return Table(("step t", "state h_t"), list(zip(echo.steps, echo.states, strict=True)))
