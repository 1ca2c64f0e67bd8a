"""One recurrent unit and one pulse: the smallest network that can remember."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Echo(NamedTuple):
    """The state of a unit after one pulse, and for how long the pulse can be told from nothing."""

    steps: np.ndarray  # (T,)
    states: np.ndarray  # (T,)
    weight: float
    heard_until: int | None  # the last step with |h| above a tenth of its peak, None: never fades


def echo_of_a_pulse(recurrent_weight: float, pulse: float = 1.0, steps: int = 40) -> Echo:
    """Run h_t = tanh(u h_{t-1} + x_t) with x_1 = pulse and nothing after it."""
    states = np.zeros(steps + 1)
    states[1] = np.tanh(pulse)
    for t in range(2, steps + 1):
        states[t] = np.tanh(recurrent_weight * states[t - 1])
    loud = np.flatnonzero(np.abs(states) > 0.1 * np.abs(states[1]))
    heard_until = None if loud.size and loud[-1] == steps else int(loud[-1]) if loud.size else 0
    return Echo(np.arange(steps + 1), states, recurrent_weight, heard_until)
