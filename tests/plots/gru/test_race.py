"""The headline of a race says who solves the task."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.plots.gru.race import RaceDrawing, RaceScores


@pytest.mark.parametrize(
    ("unit", "chance", "elman", "gru", "lstm", "said"),
    [
        ("accuracy", 0.5, 0.51, 0.99, 1.0, "GRU and LSTM solve the task; Elman guesses"),
        ("accuracy", 0.25, 0.99, 0.6, 0.6, "Elman solves the task; GRU and LSTM get part"),
        ("accuracy", 0.5, 0.5, 0.7, 0.48, "GRU gets part of the way; Elman and LSTM guess"),
        ("error", 0.167, 0.001, 0.002, 0.0, "All three solve the task"),
        ("error", 0.167, 0.2, 0.16, 0.17, "All three guess"),
    ],
)
def test_the_headline_says_who_solves_the_task(unit, chance, elman, gru, lstm, said):
    """Catches an error read as an accuracy, a best seed taken for the median, a verb unbent."""
    ends = {"elman": elman, "gru": gru, "lstm": lstm}
    best = 1.0 if unit == "accuracy" else 0.0
    scores = {name: np.array([[chance, end], [chance, best], [chance, end]])
              for name, end in ends.items()}  # fmt: skip
    drawing = RaceDrawing()
    drawing.show(RaceScores(np.array([5, 10]), scores, dict.fromkeys(ends, 7), chance, unit))
    assert drawing.headline.get_text().startswith(said)
