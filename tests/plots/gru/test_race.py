"""The race: what counts as solved, and what stands in which panel."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.plots.gru.race import (
    LOWEST,
    Lane,
    RaceDrawing,
    RaceScores,
    headline_of,
    races_in_words,
)


def race(task: str, **ends) -> RaceScores:
    """Return a race in which every seed begins at a guess and comes as far as told."""
    lanes = {
        name: Lane(
            np.array([5, 10]) * (4 if name == "elman" else 1),
            np.array([[0, end] for end in seeds]),
            np.array(seeds),
            [0.1] * len(seeds),
        )
        for name, seeds in ends.items()
    }
    return RaceScores(task, lanes, 10)


ALL = race("copy after 7 steps", elman=[0.3, 0.0, -0.2], gru=[1, 1, 0.99], lstm=[1, 0.5, 1])
TWO = race("recall over 5 steps", elman=[0.91, 0.89, 1], gru=[1, 0.95, 1])


def test_solved_is_what_ends_near_perfect():
    """Catches the best look in place of the last one, and a seed that only comes half the way."""
    assert {name: lane.solved for name, lane in ALL.lanes.items()} == {
        "elman": 0, "gru": 3, "lstm": 2,
    }  # fmt: skip
    fell = Lane(np.array([1, 2]), np.array([[1.0, 0.2]]), np.array([0.6]), [0.1])
    assert fell.solved == 0


def test_the_headline_counts_tasks_solved_on_every_seed():
    """Catches a best seed taken for all, and a network that did not run counted as one that won."""
    assert headline_of([ALL, TWO]) == "Of 2 tasks solved on every seed: Elman 0, GRU 2, LSTM 0"
    assert races_in_words([ALL, TWO]) == (
        "Seeds of Elman, GRU, LSTM that solve it: copy after 7 steps 0, 3, 2; "
        "recall over 5 steps 2, 3, not run."
    )


def pieces(line):
    """Return the lines between the gaps of one."""
    xy = line.get_xydata()
    gaps = np.flatnonzero(np.isnan(xy[:, 0]))
    return [xy[first + 1 : last] for first, last in zip([-1, *gaps[:-1]], gaps, strict=False)]


def test_every_panel_shows_its_network_on_its_task():
    """Catches rows and columns changed over, and the others' medians drawn as the own seeds."""
    drawing = RaceDrawing(2)
    drawing.show([TWO, TWO])
    drawing.show([ALL, TWO])
    for network, row in drawing.panels.items():
        for panel, one in zip(row, (ALL, TWO), strict=True):
            lines = pieces(panel.own)
            if network not in one.lanes:
                assert (lines, panel.count.get_text()) == ([], "not run")
                continue
            lane = one.lanes[network]
            assert [line[-1, 1] for line in lines] == pytest.approx(lane.ways[:, -1])
            assert {line[-1, 0] for line in lines} == {1.0}
            medians = [np.median(o.ways[:, -1]) for n, o in one.lanes.items() if n != network]
            assert [line[-1, 1] for line in pieces(panel.others)] == pytest.approx(medians)
            assert panel.count.get_text() == f"{lane.solved} of 3"
    assert [ax.get_title() for ax in drawing.axes[0]] == [
        "copy after\n7 steps",
        "recall over\n5 steps",
    ]
    assert [budget.get_text() for budget in drawing.budgets] == ["10 updates"] * 2
    assert drawing.axes[0, 0].get_ylim()[0] == LOWEST
