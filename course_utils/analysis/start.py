"""One recurrent unit and one pulse: the smallest network that can remember."""

from __future__ import annotations

import numpy as np


def states_after_a_pulse(
    recurrent_weight: float, pulse: float = 1.0, steps: int = 40
) -> np.ndarray:
    """Run h_t = tanh(u h_{t-1} + x_t) with x_1 = pulse and nothing after it: (steps + 1,)."""
    states = np.zeros(steps + 1)
    states[1] = np.tanh(pulse)
    for t in range(2, steps + 1):
        states[t] = np.tanh(recurrent_weight * states[t - 1])
    return states


def heard_until(states: np.ndarray) -> int | None:
    """Return the last step above a tenth of the first, or None if the pulse never fades so far."""
    loud = np.flatnonzero(np.abs(states) > 0.1 * np.abs(states[1]))
    if not loud.size:
        return 0
    return None if loud[-1] == len(states) - 1 else int(loud[-1])
