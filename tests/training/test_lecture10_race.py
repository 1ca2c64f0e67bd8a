"""All numbers of lecture 10: the shipped file is whole, and nothing is run twice."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from course_utils.cli.train import app
from course_utils.data.sets.parsers import SenseUse
from course_utils.models.elmo import BOS, EOS, BiLanguageModel, BiLM, Options
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.state import zero_state
from course_utils.models.tagging.networks import Classifier
from course_utils.models.using_elmo import BagClassifier
from course_utils.results.files import load_rows
from course_utils.results.using_elmo import IN_ORDER, MAIN, SIZES, lecture10, scores_of
from course_utils.settings import UNKNOWN
from course_utils.training.race import race as one_race
from course_utils.training.race.race import Lap, Race
from course_utils.training.race.using_elmo import (
    domain,
    everything,
    labelled,
    sources,
    tasks,
    variants,
)
from course_utils.training.race.using_elmo.everything import RACE
from course_utils.training.race.using_elmo.insides import neighbour_labels


def test_the_shipped_file_is_whole():
    """Catches seeds that did badly and were left out, and jobs that nobody ran."""
    wanted = {tuple(lap.key["job"]) for lap in RACE.laps(None, None)}
    assert {tuple(row["job"]) for row in lecture10()} == wanted
    assert {*MAIN} <= {*variants.VARIANTS}
    for name, sizes in SIZES.items():
        for variant in MAIN:
            found = scores_of(name, variant)
            assert found.sizes == list(sizes)
            assert all(len(seeds) == everything.SEEDS for seeds in found.seeds)


def test_what_is_finished_is_not_run_again(tmp_path, monkeypatch):
    """Catches a run that begins anew after Ctrl-C, and a set that is missing but asked for."""
    ran: list = []

    def quick(name, size, variant, seed, steps=None, stored=None):
        ran.append((name, size, variant, seed))
        return {"task": name, "size": size, "variant": variant, "seed": seed, "score": 0.5}

    monkeypatch.setattr(everything.tasks, "run", quick)
    monkeypatch.setattr(one_race, "problems", lambda name: ["not there"])
    told: list[str] = []
    path = tmp_path / "lecture10.json"

    def some(*asked):
        wanted = ("era 50", "sentence_polarity 50")
        return (lap for lap in everything.laps(*asked) if lap.key["job"][0] in wanted)

    few = replace(RACE, laps=some)
    few.run(path, tell=told.append)
    assert len(ran) == 20
    assert {name for name, *_ in ran} == {"era"}  # reviews are not in the cache
    assert sum("not in the cache" in line for line in told) == 3
    few.run(path, tell=told.append)
    assert len(ran) == 20


def test_a_file_without_its_sets_stays_unfinished(tmp_path, monkeypatch):
    """Catches a file that is called whole while a set was missing, and never gets its rows."""
    laps = [_lap("era"), _lap("ewt", "senseval")]
    race = replace(RACE, laps=lambda steps, device: laps, model=str)
    monkeypatch.setitem(one_race._RACES.known, race.name, race)
    missing = ["not there"]
    monkeypatch.setattr(one_race, "problems", lambda name: missing * (name == "senseval"))
    arguments = ["lecture10", "--out", str(tmp_path)]
    first = CliRunner().invoke(app, arguments)
    assert first.exit_code == 1
    assert "course data fetch senseval" in first.output
    assert not (tmp_path / "lecture10.json").exists()
    missing.clear()
    assert CliRunner().invoke(app, [*arguments, "--resume"]).exit_code == 0
    rows = load_rows(tmp_path / "lecture10.json")
    assert [row["task"] for row in rows] == ["era", "ewt"]


def test_rows_of_another_bilm_are_not_continued(tmp_path):
    """Catches numbers of two models in one file, all under the name of the second."""
    path = tmp_path / "lecture10.json"
    _race().run(path, tell=lambda _: None)
    with pytest.raises(ValueError, match="another folder"):
        _race(model=lambda: "course_elmo of perplexity 30").run(path, tell=lambda _: None)


def test_rows_of_other_steps_are_not_continued(tmp_path):
    """Catches the steps that only the runs hear of, and rows that do not say which run they are."""
    path = tmp_path / "lecture10.json"
    race = _race()
    race.run(path, steps=2, tell=lambda _: None)
    with pytest.raises(ValueError, match="begun with --steps 2, and now it is --steps 3"):
        race.run(path, steps=3, tell=lambda _: None)
    path.write_text(path.read_text().replace('"job"', '"jab"'))
    race.run(path, steps=2, tell=lambda _: None)
    assert ["job" in row for row in load_rows(path)] == [False, True]


def _race(**changed: Any) -> Race:
    return replace(RACE, laps=lambda steps, device: [_lap("era")], **changed)


def _lap(task: str, needs: str = "") -> Lap:
    row = {"task": task, "size": 1, "variant": "words", "seed": 0, "score": 0.5}
    return Lap({"job": [task, "words", 0]}, lambda: [row], needs)


def test_the_untrained_network_is_always_the_same():
    """Catches a network for training and another for the test: whoever builds first draws."""
    sources.language_model.cache_clear()
    first, second = sources.random_bilm(), sources.random_bilm()
    assert isinstance(first, BiLM)
    for one, other in zip(first.state_dict().values(), second.state_dict().values(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("variant", ["random", "fine-tuned"])
def test_a_run_does_not_ask_who_ran_before(variant):
    """Catches a seed that is set before a biLM is loaded, which draws too: no run came twice."""
    torch.set_num_threads(1)
    variants.remembered_layers.cache_clear()
    sources.language_model.cache_clear()
    first, second = (tasks.run("grammar", 20, variant, seed=1, steps=3) for _ in range(2))
    assert first == second


def test_a_seed_s_examples_are_balanced():
    """Catches fifty labels of which forty are of one class."""
    rows = labelled.chosen("era", 50, 3)
    labels = [labelled.task_of("era").train[n].labels[0] for n in rows]
    assert len(set(rows)) == 50
    assert sorted(labels.count(label) for label in set(labels)) == [25, 25]


def test_scaled_layers_have_one_scale():
    """Catches a source that is ahead because its numbers are larger."""
    found = [
        torch.randn(3, n, 7) * torch.tensor([1.0, 9.0, 0.1])[:, None, None] + 2 for n in (4, 11)
    ]
    every = torch.cat(sources.scaled(found, sources.scale_of(found)), dim=1).float()
    torch.testing.assert_close(every.mean(dim=1), torch.zeros(3, 7), atol=2e-3, rtol=0)
    spread = every.square().mean(dim=(1, 2)).sqrt()
    torch.testing.assert_close(spread, torch.ones(3), atol=2e-3, rtol=0)


def test_a_neighbour_keeps_its_control_label():
    """Catches a control that knows the word in use, or the sense, instead of the word before."""
    uses = [
        SenseUse(words, [], len(words) - 1, sense)
        for words, sense in ((["a", "x"], "1"), (["b", "x"], "2"), (["A", "x"], "2"), (["x"], "1"))
    ] * 20
    drawn = {tuple(neighbour_labels(uses, seed)[:4].tolist()) for seed in range(200)}
    assert all(first == third for first, _, third, _ in drawn)
    assert len(drawn) == 8  # of two senses for each of three words: "a", "b", and none
    repeated = neighbour_labels(uses, 3).view(20, 4)
    assert (repeated == repeated[0]).all()


def test_settings_of_the_era_are_read_in_order():
    """Catches a bag of words there, for which input and output are one place."""
    network = tasks.build(variants.VARIANTS["both"], labelled.prepared(IN_ORDER, 100, 0), 3, 8)
    assert isinstance(network.network, Classifier)
    assert network.network.late == 8
    bag = tasks.build(variants.VARIANTS["elmo"], labelled.prepared("era", 50, 0), 3, 8)
    assert isinstance(bag.network, BagClassifier)


def test_nats_are_split_by_what_can_be_named(monkeypatch):
    """Catches a word that is asked for after it was read, and nats that are lost in the split."""
    torch.manual_seed(3)
    options = Options(projection=5, cells=7, layers=2, filters=((1, 3),), char_dim=4)
    model = BiLanguageModel(options, [UNKNOWN, BOS, EOS, "a", "good", "film"]).eval()
    said = [["a", "good", "film"], ["a", "zzz"]]
    reviews = SimpleNamespace(test=[SimpleNamespace(words=words) for words in said])
    monkeypatch.setattr(domain, "task_of", lambda name: reviews)
    rows = {row["variant"]: row["score"] for row in domain.nats_rows(model, "before")}
    assert rows["before known asked"] == 4
    assert rows["before unknown asked"] == 1
    ends = 0.0  # the perplexity also asks whether a sentence ends
    for words in said:
        layers, _ = model.bilm.read(frame([words]), zero_state(options, 1, model.softmax.weight))
        last = model.softmax(layers[-1, -2, 0, :5]).log_softmax(0)
        ends -= last[model.number[EOS]].item()
    ahead, _ = model.perplexity([[words] for words in said])
    together = rows["before known"] + rows["before unknown"] + ends
    assert together / 7 == pytest.approx(math.log(ahead), abs=0.03)  # rows are rounded
