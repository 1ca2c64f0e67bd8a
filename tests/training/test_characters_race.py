"""The race over source code is run on equal terms, and can be looked up as the lecture does."""

from __future__ import annotations

import torch

from course_utils.training.cookbook.characters import source_texts
from course_utils.training.race import characters as race
from course_utils.training.race.characters import character_race, race_characters, share_config


def test_a_share_is_of_the_same_modules_and_characters():
    """Catches a share in another alphabet, or one whose held-out text is smaller too."""
    small, smaller = source_texts(20, 16), source_texts(20, 64)
    assert len(smaller[0]) < len(small[0]) / 2
    assert torch.equal(small[2], smaller[2])
    assert torch.equal(small[0][:2000], smaller[0][:2000]), "both begin with the first module"


def test_less_text_is_read_in_fewer_steps():
    """Catches a small text that is learned by heart."""
    whole, sixteenth = share_config(1), share_config(16)
    assert sixteenth.steps == whole.steps // 8
    assert sixteenth.dropout > whole.dropout


def test_a_race_goes_on_where_it_stopped(tmp_path, monkeypatch):
    """Catches work done twice, and an order chosen on the part that is reported."""
    ran = []

    def counted(share):
        ran.append(share)
        return {
            f"{n}-gram{part}": 4 - share / 100 + abs(n - best) / 10
            for n in race.ORDERS
            for part, best in (("", 12), (", valid", 5))
        }

    monkeypatch.setattr(race, "count_characters", counted)
    monkeypatch.setattr(race, "train_characters", lambda share, steps, device: {"bits": 2.0})
    path = tmp_path / "race.json"
    race_characters(path, shares=(64,), tell=lambda line: None)
    race_characters(path, shares=(64, 1), tell=lambda line: None)
    assert ran == [64, 1]
    found = character_race(path)
    assert found.best == 5
    assert list(found.by_order) == list(race.ORDERS)
    assert [*found.by_size["lstm"].values()] == [2.0, 2.0]
    assert list(found.by_size["5-gram"]) == sorted(found.by_size["5-gram"])
