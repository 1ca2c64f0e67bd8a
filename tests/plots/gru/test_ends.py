"""Where seeds end: what is counted, and where the dots stand."""

from __future__ import annotations

import pytest

from course_utils.plots.gru.ends import LOWEST, plot_ends
from course_utils.results.memory import Entrant, best_curves, ends_of

TASKS = ("copy", "recall")
ENDS = {"Elman": [[1.0, 0.5, -3.0], None], "LSTM": [[0.95, 0.91, 1.0], [0.89, 0.0, 1.0]]}


def test_a_picture_counts_the_seeds_that_are_nearly_perfect():
    """Catches a network that never ran counted as one that failed, and a column left out."""
    assert plot_ends("Who?", TASKS, ENDS).words == (
        "Seeds that learn copy, recall: Elman 1 of 3, not run; LSTM 3 of 3, 1 of 3."
    )


def test_every_seed_is_a_dot_in_its_own_panel():
    """Catches rows and columns changed over, and a run that is worse than a guess left out."""
    plot = plot_ends("Who?", TASKS, ENDS)
    first, second = (
        [dots.get_offsets().tolist() for dots in ax.collections] for ax in plot.figure.axes
    )
    assert [x for x, _ in first[0]] == pytest.approx([LOWEST, 0.5, 1.0])
    assert [x for x, _ in second[0]] == pytest.approx([0.0, 0.89, 1.0])
    assert all(abs(y - 1) < 0.5 for _, y in second[0])
    assert len({round(y, 6) for _, y in first[1]}) == 3


def test_the_ends_are_those_of_the_best_rate():
    """Catches scores taken for ways, and tasks that a network never ran taken for zeros."""
    field = {"GRU": Entrant("gru", "chrono"), "plain": Entrant("elman")}
    tasks = ["adding over 40 steps", "recall over 500 steps"]
    ends = ends_of(field, tasks)
    assert ends["plain"][1] is None
    found = best_curves(tasks[0], field["GRU"])
    assert ends["GRU"][0] == pytest.approx([1 - 6 * end for end in found.ends()])
