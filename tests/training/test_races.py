"""The race of the three networks is fair, can be repeated, and its file says what was run."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import nn

from course_utils.cli.train import INTERRUPTED
from course_utils.data.memory_tasks import Adding, Copy, DelayedRecall
from course_utils.models import GRU, LSTM, Elman
from course_utils.training.race import races
from course_utils.training.race import results as race_results
from course_utils.training.race.races import RACES, Entrant, Race
from course_utils.training.race.results import entrants
from tests.command_line import course_train

TINY = Race(DelayedRecall(3), lag=3, steps=4, width=6, batch=5, looks=2)


@pytest.mark.parametrize("kind", [Elman, GRU, LSTM])
def test_parameters_are_counted_as_torch_does(kind):
    """Catches one of PyTorch's two biases forgotten."""
    reference = {Elman: nn.RNN, GRU: nn.GRU, LSTM: nn.LSTM}[kind](5, 7)
    expected = sum(p.numel() for p in reference.parameters())
    assert races.count_parameters(kind, 5, 7) == expected


@pytest.mark.parametrize("name", RACES)
def test_equal_means_equal(name):
    """Catches widths that make the parameters equal only in name."""
    race = RACES[name]
    counts = {}
    for entrant in entrants():
        layer = races.make_racer(race, entrant, 0).layer
        if entrant.equal == "width":
            assert layer.hidden_size == race.width
        else:
            counts[entrant] = sum(p.numel() for p in layer.parameters())
    wanted = races.count_parameters(LSTM, race.task.inputs, race.width)
    assert len(counts) == 4
    assert all(abs(count / wanted - 1) < 0.03 for count in counts.values())


def test_starts_differ_in_the_biases_only():
    """Catches a start that also draws other weights, which would compare two things at once."""
    starts = [entrant.start for entrant in entrants() if entrant[::2] == ("gru", "width")]
    assert starts == ["torch", "one", "chrono"]
    layers = [races.make_racer(TINY, Entrant("gru", start), 3).layer for start in starts]
    for layer in layers[1:]:
        assert torch.equal(layer.weight_hh_l0, layers[0].weight_hh_l0)
        assert not torch.equal(layer.bias_ih_l0, layers[0].bias_ih_l0)


def test_an_elman_network_has_a_start_of_its_own():
    """Catches a start that also draws other input weights, and one that never reaches the race."""
    plain, own = (
        races.make_racer(TINY, Entrant("elman", start), 3).layer
        for start in ("torch", "orthogonal")
    )
    assert torch.equal(plain.weight_ih_l0, own.weight_ih_l0)
    gram = own.weight_hh_l0 @ own.weight_hh_l0.T
    torch.testing.assert_close(gram, torch.eye(TINY.width), atol=1e-5, rtol=0)
    assert not own.bias_ih_l0.any()
    assert not own.bias_hh_l0.any()
    results = race_results.load_results()
    name = "recall over 60 steps"
    told = race_results.find_row(results, name, Entrant("elman", "chrono"))
    assert told["start"] == "orthogonal"
    assert race_results.find_row(results, name, Entrant("elman", "one"))["start"] == "torch"


def test_everybody_gets_the_same_batches(monkeypatch):
    """Catches batches drawn from the generator that also draws the weights."""
    seen: dict[str, list] = {}

    def listening(task, answers, y):
        seen.setdefault(name, []).append(y.clone())
        return answers.sum()

    monkeypatch.setattr(races, "loss_of", listening)
    for name in ("elman", "lstm"):
        races.run_entrant(TINY, Entrant(name), seed=1)
    assert len(seen["elman"]) == TINY.steps
    assert all(torch.equal(a, b) for a, b in zip(seen["elman"], seen["lstm"], strict=True))


@pytest.mark.parametrize("task", [DelayedRecall(3), Adding(6), Copy(2, items=2)])
def test_a_run_repeats_itself_and_scores_what_it_says(task, float64):
    """Catches a run that depends on what ran before, on the default number type, on its order."""
    race = replace(TINY, task=task)
    first = races.run_entrant(race, Entrant("gru", "chrono"), seed=2)
    torch.manual_seed(77)
    again = races.run_entrant(race, Entrant("gru", "chrono"), seed=2)
    assert (first.steps, first.scores) == (again.steps, again.scores) == ([2, 4], first.scores)
    assert 0 <= first.scores[-1] <= (1 if not isinstance(task, Adding) else 5)
    once = races.run_entrant(race, Entrant("gru", "chrono"), seed=2, looks=1)
    assert (once.steps, once.scores) == ([4], first.scores[-1:])


def test_a_short_lag_is_learned():
    """Catches answers read at the wrong step, and accuracy with its sign turned."""
    race = replace(TINY, steps=150, width=16, batch=32, lr=1e-2)
    assert races.run_entrant(race, Entrant("lstm"), seed=0).scores[-1] == 1
    copying = replace(race, task=Copy(1, items=2, symbols=2), steps=300)
    assert races.run_entrant(copying, Entrant("gru"), seed=0).scores[-1] > 0.95
    adding = replace(race, task=Adding(4), steps=300)
    assert races.run_entrant(adding, Entrant("gru"), seed=0).scores[-1] < 0.05


def test_results_come_back_as_they_were_saved(tmp_path):
    """Catches a row that cannot be found, and an Elman network asked for gate biases."""
    told: list[str] = []
    results = race_results.run_races(["recall over 30 steps"], seeds=[0], steps=2, tell=told.append)
    path = race_results.save_results(results, tmp_path / "some" / "results.json")
    assert race_results.load_results(path) == results
    assert len(told) == len(entrants()) == len(results["races"]["recall over 30 steps"]["rows"])
    for cell, start, equal in (("elman", "chrono", "width"), ("lstm", "one", "parameters")):
        row = race_results.find_row(results, "recall over 30 steps", Entrant(cell, start, equal))
        assert row["cell"] == cell
    wanted = Entrant("gru", "one", "parameters")
    with pytest.raises(LookupError, match="course train race"):
        race_results.find_row(results, "recall over 30 steps", wanted)


def test_the_command_writes_a_whole_file_or_none(tmp_path, monkeypatch, capsys):
    """Catches an interrupted race written as if it were whole, and options that are ignored."""
    monkeypatch.setattr(race_results, "SEEDS", (0,))
    few = {"recall over 30 steps": RACES["recall over 30 steps"]}
    monkeypatch.setattr(race_results, "RACES", few)
    command = ["race", "--out", str(tmp_path), "--steps", "2", "--device", "cpu"]
    assert course_train(command) == 0
    found = race_results.load_results(tmp_path / "race.json")
    assert found["seeds"] == [0]
    assert found["races"]["recall over 30 steps"]["steps"] == [1, 2]
    (tmp_path / "race.json").unlink()

    def stopped(*arguments):
        return races.run_entrant(*arguments)._replace(finished=False)

    monkeypatch.setattr(race_results, "run_entrant", stopped)
    assert course_train(command) == INTERRUPTED
    assert "nothing was written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_shipped_results_are_of_these_races():
    """Catches a file that was made with other tasks, steps, widths or seeds than the code says."""
    results = race_results.load_results()
    assert results["seeds"] == list(race_results.SEEDS)
    assert list(results["races"]) == list(RACES)
    for name, race in RACES.items():
        shipped = results["races"][name]
        assert shipped["steps"][-1] == race.steps
        assert shipped["chance"] == race.task.chance
        for entrant in entrants():
            row = race_results.find_row(results, name, entrant)
            assert row["width"] == races.width_of(race, entrant)
            assert [len(scores) for scores in row["scores"]] == [len(shipped["steps"])] * 3


@pytest.mark.parametrize("cell", ["elman", "gru", "lstm"])
def test_the_command_makes_the_shipped_scores_again(cell):
    """Catches a file of older code: other weights, other batches, another optimiser or clipping."""
    results, name = race_results.load_results(), "adding over 40 steps"
    race, first = RACES[name], results["races"][name]["steps"][0]
    begun = replace(race, steps=first, looks=1)
    seed = results["seeds"][1]
    scores = races.run_entrant(begun, Entrant(cell), seed).scores
    shipped = race_results.find_row(results, name, Entrant(cell))["scores"][1]
    assert scores[-1] == pytest.approx(shipped[0], rel=0.005)  # torch's kernels differ in rounding
