"""Exercise 4.5: predict which statements on parameters and time hold."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise


def which_hold() -> dict[str, bool]:
    """Return which statements on parameters and time hold."""
    return {"A": True, "B": False, "C": False, "D": False, "E": True, "F": False}


EXERCISE = Exercise(
    number="4.5",
    task="predict which statements on parameters and time hold",
    kind="predict",
    reference=which_hold,
    gives='a dict such as {"A": False, ...}, True or False for each of A to F',
    cases=lambda: [()],
    reasons={
        ("A", False): "A: k H (D + H + 2), with k = 3 and k = 4: all but the k cancels.",
        ("B", True): "B: the matrix U has H rows and H columns, so it grows fourfold. Put "
        "D = H = 100 and then H = 200 into the formula.",
        ("C", True): "C: that is the count of multiplications. The time depends on the kernel: "
        "on a CPU PyTorch fuses the LSTM and not the GRU.",
        ("D", True): "D: step t needs h of step t - 1. However many processors there are, "
        "the steps wait for each other.",
        ("E", False): "E: W x_t needs no state. All of x is there from the start, and one "
        "large product does all steps.",
        ("F", True): "F: parameters grow with H squared. To have four times as many a layer "
        "needs about twice the units: with D = 64, 284 units for an LSTM's 128.",
    },
    hints=(
        "A, B and F: put numbers into k H (D + H + 2), say D = 64 and H = 128.",
        "C, D and E: what must be known before a product can be computed? And who wrote the "
        "kernel?",
        "Two of the six hold: one on parameters, one on time.",
    ),
    misconceptions=(),
)
