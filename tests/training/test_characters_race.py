"""The race over source code is run on equal terms, and can be looked up as the lecture does."""

from __future__ import annotations

import math

import pytest
import torch

from course_utils.models import NGramLM
from course_utils.results.characters import character_race
from course_utils.results.files import load_rows
from course_utils.training.cookbook.characters import source_texts, source_vocabulary
from course_utils.training.race import characters as race
from course_utils.training.race.characters import RACE, share_config


def test_a_share_is_of_the_same_modules_and_characters():
    """Catches a share in another alphabet, or one whose held-out text is smaller too."""
    small, smaller = source_texts(20, 16), source_texts(20, 64)
    assert len(smaller[0]) < len(small[0]) / 2
    assert torch.equal(small[2], smaller[2])
    assert torch.equal(small[0][:2000], smaller[0][:2000]), "both begin with the first module"


def test_little_text_is_read_to_its_end():
    """Catches a network that is stopped while it learns, and one that learns a text by heart."""
    whole, quarter, sixteenth = map(share_config, (1, 4, 16))
    [text, *_] = source_texts(20, 16)
    assert sixteenth.steps * sixteenth.batch * sixteenth.piece == pytest.approx(
        20 * len(text), rel=0.01
    )
    assert sixteenth.dropout > quarter.dropout > whole.dropout
    assert sixteenth.evaluate_every * 10 <= sixteenth.steps
    assert share_config(16, 30).steps == 30
    assert (whole.steps, whole.batch) == (race.RECIPE.steps, race.RECIPE.batch)


def test_a_race_goes_on_where_it_stopped(tmp_path, monkeypatch):
    """Catches work done twice, and an order chosen on the part that is reported."""
    ran = []

    def counted(share, order):
        ran.append((share, order))
        return [{"bits": 4 - share / 100 + abs(order - 12) / 10, "valid": abs(order - 5) / 10}]

    def trained(share, seed, steps, device):
        ran.append((share, seed))
        return [{"bits": {20: 1.9, 21: 2.0, 22: 2.4}[seed]}]

    monkeypatch.setattr(race, "count_order", counted)
    monkeypatch.setattr(race, "train_characters", trained)
    path = tmp_path / "race.json"
    monkeypatch.setattr(race, "SHARES", (64,))
    monkeypatch.setattr(race, "SEEDS", {64: (20, 21, 22), 1: (20,)})
    RACE.run(path, tell=lambda line: None)
    first = [*ran]
    monkeypatch.setattr(race, "SHARES", (64, 1))
    RACE.run(path, tell=lambda line: None)
    assert first == [(64, n) for n in (*race.ORDERS, 20, 21, 22)]
    assert ran == first + [(1, n) for n in (*race.ORDERS, 20)]
    found = character_race(load_rows(path))
    assert found.best == 5
    assert list(found.by_order) == list(race.ORDERS)
    assert [*found.by_size["lstm"].values()] == [2.0, 1.9], "the median of the seeds, by size"
    assert [*found.seeds.values()] == [[1.9, 2.0, 2.4], [1.9]]
    assert list(found.by_size["5-gram"]) == sorted(found.by_size["5-gram"])


def test_the_orders_are_counted_as_a_model_counts_them(monkeypatch):
    """Catches another order's bits under a name, and the part to choose by for that to report."""
    monkeypatch.setattr(race, "ORDERS", (1, 3))
    monkeypatch.setattr(race, "ASKED", 3000)
    words, texts = source_vocabulary(20), source_texts(20, 64)
    three = race.count_characters.__wrapped__(64)[3]
    model = NGramLM(words, 3).fit(texts[0])
    for name, part in (("bits", 2), ("valid", 1)):
        own = model.log_probs(texts[part][:3000]).mean().item() / -math.log(2)
        assert three[name] == pytest.approx(own, abs=1e-4)
