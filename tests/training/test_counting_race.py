"""How many seeds count: the shipped file is whole, and belongs to the recipes."""

from __future__ import annotations

import json

import pytest
import torch
from torch.nn.utils import parameters_to_vector

from course_utils.models.model_file import read_card, sealed, shipped_cards
from course_utils.results.counting import reached_by
from course_utils.results.files import load_rows, shipped_rows
from course_utils.settings import SEED
from course_utils.training.race import counting as race
from course_utils.training.race.counting import RACE, SEEDS, tell_cards
from course_utils.training.race.rows import write_rows


def test_the_shipped_race_is_that_of_the_recipes():
    """Catches seeds that did not do well and were left out, and another model's numbers."""
    rows = shipped_rows("counting_race")
    assert {name: sorted(r["seed"] for r in rows if r["recipe"] == name) for name in SEEDS} == {
        name: [*range(SEED, SEED + count)] for name, count in SEEDS.items()
    }
    for name in SEEDS:
        card = shipped_cards()[name]
        (row,) = (r for r in rows if r["recipe"] == name and r["seed"] == card["seed"])
        assert {key: row[key] for key in card["metrics"]} == pytest.approx(card["metrics"])
        assert row["largest"] == card["config"]["largest"]
        reached = reached_by(name).longest
        assert card["seeds"] == {"tried": len(reached), "right_up_to": reached}


def test_seeds_are_told_apart():
    """Catches a seed that is counted though it fell short by one."""
    rows = [
        {"recipe": "one", "seed": seed, "largest": 9, "longest": longest, "furthest": 70}
        for seed, longest in ((2, 30), (1, 29), (3, 31))
    ]
    found = reached_by("one", rows)
    assert found == (9, [29, 30, 31], [70, 70, 70])
    assert found.seeds_to(30) == 2
    with pytest.raises(LookupError, match="two was not run"):
        reached_by("two", rows)


def test_cards_tell_how_far_every_seed_came(tmp_path):
    """Catches a card that tells another recipe's seeds, and one that loses what stood on it."""
    for name in ("counting_lstm", "counting_gru"):
        (tmp_path / f"{name}.json").write_text(json.dumps(shipped_cards()[name]))
    rows = [
        {"recipe": name, "seed": seed, "largest": 9, "longest": longest, "furthest": 70}
        for name, seed, longest in (
            ("counting_gru", 1, 5),
            ("counting_lstm", 2, 8),
            ("other", 1, 3),
        )
    ]
    write_rows({"made_with": "", "rows": rows}, tmp_path / "race.json")
    assert tell_cards(tmp_path / "race.json") == ["counting_gru", "counting_lstm"]
    for name, longest in (("counting_lstm", 8), ("counting_gru", 5)):
        told = {"seeds": {"tried": 1, "right_up_to": [longest]}}
        assert read_card(name, tmp_path) == sealed(shipped_cards()[name] | told)


def test_what_is_finished_is_not_run_again(tmp_path, monkeypatch):
    """Catches a race that begins anew after Ctrl-C, and a seed that is not handed on."""
    path, ran = tmp_path / "race.json", []

    def quick(name, seed, steps, device):
        ran.append((name, seed))
        if len(ran) == 2:
            raise KeyboardInterrupt
        return [{"largest": 5, "longest": seed, "furthest": seed}]

    monkeypatch.setattr(race, "run_seed", quick)
    monkeypatch.setattr(race, "SEEDS", {"one": 3})
    with pytest.raises(KeyboardInterrupt):
        RACE.run(path, tell=lambda _: None)
    assert reached_by("one", load_rows(path)).longest == [SEED]
    RACE.run(path, tell=lambda _: None)
    assert ran == [("one", SEED + k) for k in (0, 1, 1, 2)]


def test_a_seed_trains_the_recipe_with_that_seed(monkeypatch):
    """Catches a seed that only the file hears of, and one that is not all that a run hangs on."""
    weights, train = [], race.run_to_the_end

    def watched(*asked):
        plan, history = train(*asked)
        weights.append(parameters_to_vector(plan.model.parameters()).detach())
        return plan, history

    monkeypatch.setattr(race, "run_to_the_end", watched)
    rows = [race.run_seed("counting_lstm", seed, 2, "cpu")[0] for seed in (20, 20, 21)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])
    assert rows[0] == rows[1]
    assert rows[0]["largest"] == 100
