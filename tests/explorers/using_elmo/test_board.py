"""The board of lecture 10 shows the rows that it is asked for."""

from __future__ import annotations

import numpy as np

from course_utils.explorers.using_elmo.board import board_of, plot_boards
from course_utils.numbers import number
from course_utils.results.made_of import gain, learned, reached


def test_a_board_is_the_task_the_size_and_the_steps_that_were_asked_for():
    """Catches the rows of another size, steps that nobody took, and the list of another task."""
    end = board_of("ud_english_ewt 500")
    np.testing.assert_array_equal(end.runs["elmo"], reached("ud_english_ewt", "elmo").at(500))
    assert end.listed == reached("ud_english_ewt", "list").at(500).mean()
    assert np.isclose(
        end.gain("elmo", "letters"),
        100 * gain("ud_english_ewt", 500, "elmo", "letters").mean(),
    )
    early = board_of("ud_english_ewt 100", 100)
    curve = learned("ud_english_ewt", 100, "elmo")
    np.testing.assert_array_equal(early.runs["elmo"], curve.right[curve.steps.index(100)])
    assert early.when == "after 100 steps"
    late = board_of("ud_english_ewt 100", 3200)
    np.testing.assert_array_equal(late.runs["elmo"], curve.right[-1])
    assert late.when == f"after {curve.steps[-1]:,} steps, where training ended"


def test_every_panel_has_its_own_task_and_baseline():
    """Catches one task's dots under another's name."""
    plot = plot_boards("Two", [("grammar", 20), ("era", 50)])
    grammar, era = (reached(task, "words").at(size).mean() for task, size in
                    (("grammar", 20), ("era", 50)))  # fmt: skip
    assert f"grammar, 20 labels: words alone {number(grammar, 3)}" in plot.words
    assert f"era, 50 labels: words alone {number(era, 3)}" in plot.words
    assert "dashed, list of words" in plot.words
    assert "dashed, counts of words" in plot.words
