"""The fair race can be repeated, compares in pairs, and its file says what was run."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import nn

from course_utils.cli.train import INTERRUPTED
from course_utils.data.memory_tasks import Adding, Copy, DelayedRecall
from course_utils.models.layers.recurrent import CELLS
from course_utils.results.files import load_rows, shipped_file, shipped_rows
from course_utils.results.memory import (
    MORE,
    SCALE,
    UNITS,
    Entrant,
    best_curves,
    curves_at,
    rates_run,
    tasks_run,
)
from course_utils.training.race import memory as races
from course_utils.training.race.memory import RACE, RACES, SEEDS, MemoryRace, entrants
from tests.command_line import course_train

TINY = MemoryRace(DelayedRecall(3), lag=3, steps=4, width=6, batch=64, looks=2)
EVERYBODY = entrants(TINY)


def start(entrant: Entrant, seed: int = 3) -> nn.RNNBase:
    """Return the untrained layer of an entrant."""
    return races.make_network(TINY, entrant, seed)[0]


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_the_starts_of_a_gated_cell_differ_in_the_biases_only(cell):
    """Catches a start that also draws other weights, which would compare two things at once."""
    layers = [start(entrant) for entrant in EVERYBODY if entrant.cell == cell]
    assert len(layers) == 4
    for layer in layers[1:]:
        assert torch.equal(layer.weight_hh_l0, layers[0].weight_hh_l0)
        assert torch.equal(layer.weight_ih_l0, layers[0].weight_ih_l0)
    biases = [layer.bias_ih_l0 + layer.bias_hh_l0 for layer in layers]
    assert not any(torch.equal(a, b) for k, a in enumerate(biases) for b in biases[:k])


def test_an_elman_network_has_starts_of_its_own():
    """Catches a start that never reaches the race, or that changes more than it says."""
    plain, own, quiet = (start(entrant) for entrant in EVERYBODY if entrant.cell == "elman")
    assert torch.equal(plain.weight_ih_l0, own.weight_ih_l0)
    torch.testing.assert_close(quiet.weight_ih_l0 * TINY.lag**0.5, own.weight_ih_l0)
    for layer in (own, quiet):
        gram = layer.weight_hh_l0 @ layer.weight_hh_l0.T
        torch.testing.assert_close(gram, torch.eye(TINY.width), atol=1e-5, rtol=0)
        assert not layer.bias_ih_l0.any()
        assert not layer.bias_hh_l0.any()


@pytest.mark.parametrize("task", [DelayedRecall(3), Adding(6), Copy(2, items=2)])
@pytest.mark.parametrize("cell", CELLS)
def test_a_network_of_many_does_what_it_does_alone(task, cell, float64):
    """Catches a seed, a rate or a batch that depends on who runs beside, and the number type."""
    race, entrant = replace(TINY, task=task), Entrant(cell, "torch")
    many = races.run_together(race, entrant, rates=(1e-2, 1e-3), seeds=(1, 2))
    torch.manual_seed(77)
    one = races.run_together(race, entrant, rates=(1e-3,), seeds=(2,))
    assert many.steps == one.steps == [2 * MORE[cell], 4 * MORE[cell]]
    torch.testing.assert_close(many.scores[1, 1], one.scores[0, 0], atol=1e-5, rtol=0)
    once = races.run_together(race, entrant, rates=(1e-3,), seeds=(2,), looks=1)
    torch.testing.assert_close(once.scores[0, 0, -1], one.scores[0, 0, -1])


def test_a_short_lag_is_learned():
    """Catches answers read at the wrong step, accuracy with its sign turned, y in a wrong order."""
    race = replace(TINY, steps=150, width=16, batch=32)

    def end(task, cell: str, steps: int = 300) -> float:
        own = replace(race, task=task, steps=steps)
        return races.run_together(own, Entrant(cell), (1e-2,), seeds=(0,)).scores[0, 0, -1].item()

    assert end(DelayedRecall(3), "lstm") == 1
    assert end(Copy(1, items=2, symbols=2), "gru") > 0.95
    assert end(Adding(4), "gru") < 0.05


def point(rate: float, *ends: float, steps: tuple[int, ...] = (5, 10)) -> dict:
    """Return a row of a race in which every seed begins at 0.5 and ends as told."""
    scores = [[SCALE // 2, round(end * SCALE)] for end in ends]
    about = {"task": "recall over 9 steps", "cell": "gru", "start": "one"}
    return {**about, "rate": rate, "steps": [*steps], "scores": scores}


WHO = ("recall over 9 steps", Entrant("gru", "one"))


def test_a_rate_is_chosen_by_the_other_seeds():
    """Catches a seed that takes part in choosing the rate at which it is judged."""
    rows = [point(0.1, 1.0, 0.5, 1.0, 0.5), point(0.01, 0.6, 0.9, 0.6, 0.9)]
    found = best_curves(*WHO, rows=rows)
    assert found.rates == [0.01, 0.1, 0.01, 0.1]
    assert found.ends() == [0.6, 0.5, 0.6, 0.5]
    assert found.solved() == 0
    assert curves_at(*WHO, 0.1, rows).solved() == 2
    assert rates_run(*WHO, rows) == [0.1, 0.01]


def test_of_rates_that_reach_as_much_the_one_that_learns_sooner_is_taken():
    """Catches a winner that is the first of the file."""
    late, soon = point(0.1, 1.0, 1.0), point(0.01, 1.0, 1.0)
    soon["scores"] = [[SCALE, SCALE]] * 2
    assert best_curves(*WHO, rows=[late, soon]).rates == [0.01, 0.01]


def test_few_updates_show_what_had_been_reached_by_then():
    """Catches a best rate that was chosen with looks into the future."""
    rows = [point(0.1, 1.0, 1.0), point(0.01, 0.5, 0.5)]
    rows[1]["scores"] = [[6000, 5000]] * 2
    found = best_curves(*WHO, most=9, rows=rows)
    assert (found.steps, found.rates, found.ends()) == ([5], [0.01, 0.01], [0.6, 0.6])
    assert best_curves(*WHO, most=1, rows=rows).steps == [5]
    with pytest.raises(LookupError, match="course train race"):
        best_curves("recall over 7 steps", Entrant("gru"), rows=rows)
    with pytest.raises(LookupError, match=r"at rate 0\.3.*course train race"):
        curves_at(*WHO, 0.3, rows)


def test_the_command_goes_on_where_it_was_stopped(tmp_path, monkeypatch, capsys):
    """Catches an interrupted race written as if it were whole, laps lost or run twice."""
    name = "recall over 60 steps"
    monkeypatch.setattr(races, "RACES", {name: replace(RACES[name], width=3, batch=64, looks=2)})
    monkeypatch.setattr(races, "SEEDS", (0, 1))
    command = ["race", "--out", str(tmp_path), "--steps", "2", "--device", "cpu"]
    path, run, ran = tmp_path / "race.json", races.run_together, []
    assert course_train(command) == 0
    whole = load_rows(path)
    path.unlink()

    def stopped(*arguments, **options):
        ran.append(arguments)
        if len(ran) == 3:
            raise KeyboardInterrupt("stopped")
        return run(*arguments, **options)

    monkeypatch.setattr(races, "run_together", stopped)
    assert course_train(command) == INTERRUPTED
    assert "--resume goes on" in capsys.readouterr().err
    assert [found.name for found in tmp_path.iterdir()] == ["race.unfinished.json"]
    assert course_train([*command, "--resume"]) == 0
    assert len(ran) == len(EVERYBODY) + 1
    assert load_rows(path) == whole


def test_shipped_results_are_of_these_races():
    """Catches a file made with other tasks, steps, rates or seeds than the code says."""
    rows = shipped_rows("race")
    keys = [lap.key | {"rate": rate} for lap in RACE.laps(None, None)
            for rate in races.rates_of(RACES[lap.key["task"]], lap.key["cell"])]  # fmt: skip
    assert [{k: row[k] for k in ("task", *Entrant._fields, "rate")} for row in rows] == keys
    assert tasks_run() == list(RACES)
    for row in rows:
        race = RACES[row["task"]]
        assert row["steps"][-1] == race.steps * MORE[row["cell"]]
        assert {len(seed) for seed in row["scores"]} == {len(row["steps"])} == {race.looks}
        assert len(row["scores"]) == len(SEEDS)
        assert UNITS[row["task"].split()[0]][1] == race.task.chance
    assert shipped_file("race").stat().st_size < 500_000


@pytest.mark.parametrize("cell", CELLS)
def test_the_command_makes_the_shipped_scores_again(cell):
    """Catches a file of older code: other weights, other batches, another optimiser or clipping."""
    name, seeds = "adding over 40 steps", (1, 4)
    shipped = curves_at(name, Entrant(cell), 1e-3)
    first = shipped.steps[0]
    again = races.run_together(
        RACES[name], Entrant(cell), (1e-3,), seeds=seeds, steps=first, looks=1
    )
    for seed, score in zip(seeds, again.scores[0, :, -1].tolist(), strict=True):
        assert score == pytest.approx(shipped.scores[seed][0], rel=0.02, abs=1e-3)
