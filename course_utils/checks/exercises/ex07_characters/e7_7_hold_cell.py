"""Exercise 7.7: read a text while one cell is held."""

from __future__ import annotations

from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def hold_cell(
    x: Tensor, W: Tensor, U: Tensor, b: Tensor, cell: int, value: float, since: int
) -> Tensor:
    """Return the last output h (H,) of an LSTM, one cell held at a value from step `since` on."""
    h = c = x.new_zeros(U.shape[1])
    for t, x_t in enumerate(x):
        i, f, g, o = (W @ x_t + U @ h + b).chunk(4)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if t >= since:
            c[cell] = value
        h = o.sigmoid() * c.tanh()
    return h


def _cases() -> list[Arguments]:
    sizes = ((5, 2, 3, 1, 1.5, 2), (7, 3, 5, 4, -2.0, 3), (6, 2, 4, 0, 0.7, 0))
    return [
        (some(T, D, seed=T), some(4 * H, D, seed=H), some(4 * H, H, seed=H + 9),
         some(4 * H, seed=H + 5), cell, value, since)
        for T, D, H, cell, value, since in sizes
    ]  # fmt: skip


EXERCISE = Exercise(
    number="7.7",
    task="read a text while one cell is held",
    kind="build",
    reference=hold_cell,
    takes="x (T, D), W (4H, D), U (4H, H), b (4H,) with the rows of i, f, g, o in this order, "
    "cell and since, whole numbers, and value, a number",
    gives="the last output h, a tensor (H,)",
    cases=_cases,
    hints=(
        "It is the loop of lecture 03 with one line more. The held cell must be heard in the same "
        "step: between which two equations does the line stand?",
        "At every step: i, f, g, o = (W @ x_t + U @ h + b).chunk(4), then c by (3.4), then the "
        "line, then h by (3.6). Steps are counted from 0.",
        "if t >= since: c[cell] = value, and only then h = o.sigmoid() * c.tanh().",
    ),
    misconceptions=mistakes("""
        held too late to be heard
            c = f.sigmoid() => c = free = f.sigmoid() &&
            c[cell] = value => c = c.clone(); c[cell] = value &&
            h = o.sigmoid() * c.tanh() => h = o.sigmoid() * free.tanh()
            You hold the cell after h has been computed, so h still shows what the cell was. Hold it
            between (3.4) and (3.6).
        the output is held, not the cell
            if t >= since: => if t < 0: &&
            c.tanh() => c.tanh(); h[cell] = value if t >= since else h[cell]
            You hold h, the output of the unit. The cell is c: hold it before the output gate reads
            it.
        at one step only
            t >= since => t == since
            You set the cell once, and the next step changes it again. Held means at every step from
            `since` on.
        always held
            t >= since => t >= 0
            You hold the cell from the first character on. Before `since` it is free.
        one step late
            t >= since => t > since
            The cell is held from step `since` on, counted from 0: that step included.
        at the last step only
            t >= since => t == len(x) - 1
            You hold the cell at the last step only. The others have listened to it from `since` on.
        never held
            t >= since => t < 0
            Nothing holds the cell: from step `since` on it must be `value`.
        added, not held
            c[cell] = value => c[cell] += value
            You add the value to the cell. Held means that it is the value, whatever it was.
        another order of the gates
            i, f, g, o = (W => i, f, o, g = (W
            The rows stand in the order i, f, g, o, as PyTorch has them.
        tanh left out
            g.tanh() => g.sigmoid()
            The candidate g goes through tanh, not through a sigmoid: (3.3).
    """),
)
