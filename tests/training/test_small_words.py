"""The small networks of lecture 01 are the lecture's own, and the file says who is ahead when."""

from __future__ import annotations

import pytest
import torch

from course_utils.results.files import shipped_rows
from course_utils.results.language import share_of_lead, small_words
from course_utils.training.race import small_words as race


def test_a_network_begins_with_the_frequencies_of_the_text():
    """Catches a race without the lecture's start, and two kinds that are one."""
    model = race.network("window", seed=0)
    words, read, _ = race.texts()
    likeliest = model.output.bias.argmax()
    assert likeliest == torch.bincount(read, minlength=len(words)).argmax()
    assert type(model) is not type(race.network("elman", seed=0))


def test_the_file_holds_what_the_race_runs():
    """Catches a file of other seeds or steps than the race that is said to make it."""
    keys = [lap.key for lap in race.laps(None, None)]
    rows = shipped_rows("small_words")
    assert [{name: row[name] for name in key} for key, row in zip(keys, rows, strict=True)] == keys
    assert small_words().steps == race.LOOKS


def test_rows_are_told_apart():
    """Catches counts taken for networks, and seeds that overwrite each other."""
    rows = [
        {"model": "3-gram", "perplexities": [8.0]},
        {"model": "elman", "seed": 0, "steps": [1, 2], "perplexities": [9.0, 7.0]},
        {"model": "elman", "seed": 1, "steps": [1, 2], "perplexities": [9.5, 7.5]},
    ]
    found = small_words(rows)
    assert found.counts == {"3-gram": 8.0}
    assert found.networks == {"elman": [[9.0, 7.0], [9.5, 7.5]]}
    with pytest.raises(ValueError, match="too many values"):
        small_words([*rows, {**rows[1], "steps": [3]}])


def test_a_share_of_the_lead_is_taken_in_nats():
    """Catches a share of perplexities, of another share's text, or of the trigram's lead."""
    scores = {"3-gram": 150.0, "5-gram": 100.0, "window": 50.0, "lstm": 25.0}
    rows = [{"model": name, "share": 4, "perplexity": value} for name, value in scores.items()]
    rows += [{**row, "share": 1, "perplexity": 7.0} for row in rows]
    assert share_of_lead("window", 4, rows) == pytest.approx(0.5)
