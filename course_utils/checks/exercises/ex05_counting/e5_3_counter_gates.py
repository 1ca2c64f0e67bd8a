"""Exercise 5.3: set one cell so that it counts."""

from __future__ import annotations

import math
from typing import Any

from course_utils.checks.exercise import Exercise

FAR = 1000  # how far a counter set by hand must count


def counter_gates() -> dict[str, float]:
    """Return what goes into the gates of one cell that counts a^n b^n."""
    return {"f": 40.0, "i": 40.0, "g_a": 20.0, "g_b": -20.0}


def _what_the_cell_does(gates: dict[Any, Any]) -> str:
    """Return what a cell with these pre-activations does: `counts`, or its first fault."""
    f_in, i_in, a_in, b_in = (float(gates[name]) for name in ("f", "i", "g_a", "g_b"))
    if not all(map(math.isfinite, (f_in, i_in, a_in, b_in))):
        return "no numbers"
    f, i = _sigmoid(f_in), _sigmoid(i_in)
    up, down = i * math.tanh(a_in), i * math.tanh(b_in)
    if max(abs(up), abs(down)) < 0.01:
        return "writes nothing"
    if up * down > 0:
        return "one way"
    if down == 0 or abs(down) < 0.01 * abs(up):
        return "never down"
    if abs(up) < 0.01 * abs(down):
        return "never up"
    if up < 0:
        return "turned round"
    if f**FAR < 0.999:
        return "forgets"
    if FAR * abs(up + down) > 0.25 * abs(down):
        return "unequal steps"
    return "counts"


def _sigmoid(a: float) -> float:
    return 1 / (1 + math.exp(-a)) if a > -700 else 0.0


EXERCISE = Exercise(
    number="5.3",
    task="set one cell so that it counts",
    kind="set",
    reference=counter_gates,
    gives='a dict such as {"f": 1.0, "i": 1.0, "g_a": 1.0, "g_b": 1.0}: what goes into each',
    cases=lambda: [()],
    effect=_what_the_cell_does,
    reasons={
        "no numbers": "There is infinity or NaN in it: a weight is a number.",
        "writes nothing": "Nothing is ever written: i times g is near 0 at both letters. Look "
        "at the input gate, then at the candidates.",
        "one way": "Both letters move the cell the same way. One must take off what the other "
        "adds.",
        "never down": "At b nothing happens, so the cell never comes back to 0.",
        "never up": "At a nothing happens, so there is nothing to take off.",
        "turned round": "This cell counts, downwards: you need one that rises at a.",
        "forgets": "It forgets: of a count of 1,000 steps too much is gone. f is "
        "sigmoid of what you set: how near to 1 must it be, to the power of 1,000?",
        "unequal steps": "One b takes off another amount than one a adds. Over 1,000 letters "
        "the difference becomes more than a quarter of a step.",
    },
    hints=(
        "c = f c + i g. What must f be so that nothing is lost, and g so that b undoes a?",
        "f is sigmoid(f_in): at 8 it is 0.9997, and 0.9997^1000 is 0.72. The same candidate with "
        "two signs takes off exactly what it adds.",
        'Such as {"f": 40, "i": 40, "g_a": 20, "g_b": -20}.',
    ),
    misconceptions=(),
)
