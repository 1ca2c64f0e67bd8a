"""The race: what counts as solved, and what stands in which panel."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.plots.gru.race import LOWEST, RaceDrawing, RaceScores, races_in_words, verdict

STEPS = np.array([5, 10])


def race(unit: str, chance: float, task: str = "copy after 7 steps", **ends) -> RaceScores:
    """Return a race in which every seed begins at chance and ends as told."""
    scores = {name: np.array([[chance, end] for end in seeds]) for name, seeds in ends.items()}
    return RaceScores(task, STEPS, scores, dict.fromkeys(ends, 7), chance, unit)


RIGHT = race("accuracy", 0.25, elman=[0.3, 0.25, 0.2], gru=[1, 1, 0.99], lstm=[1, 0.5, 1])
ERROR = race(
    "error", 0.167, "adding over 5 steps", elman=[0.2, 3, 0.17], gru=[0.001, 0, 0], lstm=[0, 0.1, 0]
)


@pytest.mark.parametrize("one", [RIGHT, ERROR], ids=["accuracy", "error"])
def test_solved_is_what_ends_near_perfect(one):
    """Catches an error read as an accuracy, a score that is not measured from guessing."""
    solved = {name: one.solved(name).sum() for name in one.scores}
    assert solved == {"elman": 0, "gru": 3, "lstm": 2}
    assert one.way("gru")[:, 0] == pytest.approx(0)


def test_the_headline_counts_tasks_solved_on_every_seed():
    """Catches a best seed, or the median, taken for all of them."""
    assert verdict([RIGHT, ERROR]) == "Of 2 tasks solved on every seed: Elman 0, GRU 2, LSTM 0"
    assert races_in_words([RIGHT, ERROR]) == (
        "Of 3 seeds of Elman, GRU, LSTM solve copy after 7 steps 0, 3, 2; "
        "adding over 5 steps 0, 3, 2."
    )


def test_every_panel_shows_its_network_on_its_task():
    """Catches rows and columns changed over, the others' medians drawn as the own seeds."""
    drawing = RaceDrawing(2)
    drawing.show([RIGHT, ERROR])
    for network, row in drawing.panels.items():
        for panel, one in zip(row, (RIGHT, ERROR), strict=True):
            ends = [line[-1, 1] for line in panel.own.get_segments()]
            assert ends == pytest.approx(one.way(network)[:, -1])
            others = [np.median(one.way(name)[:, -1]) for name in one.scores if name != network]
            assert [line[-1, 1] for line in panel.others.get_segments()] == pytest.approx(others)
            assert panel.count.get_text() == f"{one.solved(network).sum()} of 3"
    titles = [ax.get_title() for ax in drawing.axes[0]]
    assert titles == ["copy after\n7 steps", "adding over\n5 steps"]
    assert drawing.axes[0, 0].get_ylim()[0] == LOWEST
