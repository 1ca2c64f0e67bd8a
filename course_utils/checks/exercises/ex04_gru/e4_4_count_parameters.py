"""Exercise 4.4: count the parameters."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def count_parameters(gates: int, D: int, H: int) -> int:
    """Return the parameters of one of PyTorch's recurrent layers."""
    return gates * H * (D + H + 2)


EXERCISE = Exercise(
    number="4.4",
    task="count the parameters",
    reference=count_parameters,
    takes="gates, D and H: whole numbers",
    gives="a whole number",
    example=(2, 1, 1),
    cases=lambda: [(4, 5, 7), (3, 7, 5), (1, 3, 11)],
    hints=(
        "Write down the shapes of W, U and the two biases of one gate.",
        "One gate has H x D, H x H and two times H numbers.",
        "gates * H * (D + H + 2)",
    ),
    misconceptions=(
        *mistakes("""
            one bias
                H + 2 => H + 1
                You counted one bias a gate. PyTorch keeps two, one beside W and one beside U.
            no bias
                H + 2 => H
                The biases are missing: two vectors of H numbers for every gate.
            gates on one matrix only
                (D + H + 2) => D + H * H + 2 * gates * H
                U has rows for every gate as well, not only W.
            square input matrix
                D + H => 2 * H
                W has D columns, U has H: they are the same only when the layer is as wide as its
                input.
            candidate forgotten
                gates => (gates - 1)
                `gates` already counts every block of rows, the candidate among them.
            one gate
                gates * H => H
                You counted one block of rows. There are `gates` of them.
            one gate too many
                gates => (gates + 1)
                `gates` already counts every block of rows: add none.
        """),
        Misconception(
            "D for H in W",
            lambda gates, D, H: gates * (D * D + H * H + 2 * H),
            "W is not square: it has H rows for every gate and D columns.",
        ),
        Misconception(
            "biases of the input's size",
            lambda gates, D, H: gates * (D * H + H * H + D + H),
            "Both biases have H numbers a gate: they are added to sums, one for every unit.",
        ),
        Misconception(
            "two numbers for biases",
            lambda gates, D, H: gates * (D * H + H * H + 2),
            "A bias has a number for every unit: two vectors of H numbers a gate.",
        ),
        Misconception(
            "biases once",
            lambda gates, D, H: gates * (D * H + H * H) + 2 * H,
            "The biases belong to every gate, as W and U do.",
        ),
        Misconception(
            "one bias once",
            lambda gates, D, H: gates * (D * H + H * H) + H,
            "The biases belong to every gate, and PyTorch keeps two of them.",
        ),
        Misconception(
            "U forgotten",
            lambda gates, D, H: gates * (D * H + 2 * H),
            "U is missing: H x H numbers for every gate.",
        ),
        Misconception(
            "U has D columns",
            lambda gates, D, H: gates * (2 * D * H + 2 * H),
            "U has H columns, for it meets the state; only W has D.",
        ),
        Misconception(
            "one square only",
            lambda gates, D, H: gates * D * H + H * H + 2 * H,
            "U and the biases have rows for every gate as well, not only W.",
        ),
        Misconception(
            "multiplied",
            lambda gates, D, H: gates * (D * H * H + 2 * H),
            "You multiplied the sizes of W and U. Their numbers are added: D H + H H.",
        ),
    ),
)
