"""A start is what it says, stages move what they say, and a race keeps what it has."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from course_utils.data.tagging import Example, Task
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import RecurrentLM
from course_utils.models.quiet import quiet
from course_utils.results.files import load_rows, shipped_rows
from course_utils.results.tagging import accuracies, chosen, settled
from course_utils.settings import UNKNOWN
from course_utils.training.race import race as one_race
from course_utils.training.race import tagging as race
from course_utils.training.tagging import Sizes
from course_utils.training.tagging.tuning import (
    READOUT,
    STARTS,
    STEPS,
    draw_labelled,
    make_reader,
    stages,
    tune,
)

WORDS = Vocabulary([UNKNOWN, *"abcdefgh"])


@pytest.fixture
def language_model():
    torch.manual_seed(1)
    return RecurrentLM(WORDS, "lstm", width=5, hidden=7)


@pytest.fixture(scope="module")
def task():
    examples = [
        Example([*"abcd"[: 1 + n % 4], "efgh"[n % 4]], ["old" if n % 2 else "new"])
        for n in range(200)
    ]
    return Task("toy", "classification", examples, examples[:20], examples[:30])


def weights(network):
    return {name: value.clone() for name, value in network.state_dict().items()}


def test_the_reader_reads_as_the_language_model(language_model, task):
    """Catches weights put into the wrong gate, or an embedding of other words."""
    network, coder = make_reader(task, language_model, "frozen")
    words = list("abfgh")
    with quiet(network), quiet(language_model):
        batch = coder.batch([words])
        h, _ = language_model.read_states(WORDS.encode(words)[:, None])
        assert torch.allclose(network.encode(batch)[0], h[:, 0], atol=1e-6)
    scratch, _ = make_reader(task, language_model, "scratch")
    assert not torch.equal(scratch.input.embedding.weight, language_model.embedding.weight)
    with pytest.raises(ValueError, match="start must be"):
        make_reader(task, language_model, "cold")


@pytest.mark.parametrize("start", STARTS)
def test_only_what_may_move_moves(language_model, task, start):
    """Catches a frozen part that learns, and a stage that never begins."""
    torch.manual_seed(5)
    before = weights(make_reader(task, language_model, start)[0])
    given = weights(language_model)
    after = weights(tune(task, language_model, 50, start, seed=5, steps=10).network)
    moved = {name.split(".")[0] for name in after if not torch.equal(before[name], after[name])}
    assert moved == ({"output"} if start == "frozen" else {"output", "encoder", "input"})
    assert all(torch.equal(given[n], w) for n, w in language_model.state_dict().items())


def rates_of(network, start):
    """Return for each stage its share of the steps and the rate of each part."""
    part_of = {p: name.split(".")[0] for name, p in network.named_parameters()}
    return [
        (share, {part_of[p]: group["lr"] for group in groups for p in group["params"]})
        for share, groups in stages(network, start)
    ]


def test_two_starts_differ_in_what_their_names_say_only(language_model, task):
    """Catches a readout that learns faster in one start than in another."""
    network, _ = make_reader(task, language_model, "all")
    rates = {start: rates_of(network, start) for start in STARTS}
    assert {at["output"] for found in rates.values() for _, at in found} == {READOUT}
    assert all(sum(share for share, _ in found) == pytest.approx(1) for found in rates.values())
    assert rates["scratch"] == rates["all"]
    assert rates["gradual"][-1][1] == rates["slowed"][0][1]
    top, low = rates["all"][0][1], rates["slowed"][0][1]
    assert top["encoder"] == top["input"] > low["encoder"] > low["input"]


def test_step_by_step_moves_the_lower_parts_less(language_model, task):
    """Catches rates that are the same for all, or turned round."""
    moved = {}
    for start in ("all", "gradual"):
        torch.manual_seed(5)
        before = weights(make_reader(task, language_model, start)[0])
        after = weights(tune(task, language_model, 50, start, seed=5, steps=30).network)
        name = "input.embedding.weight"
        moved[start] = (after[name] - before[name]).abs().max().item()
    assert 0 < moved["gradual"] < 0.3 * moved["all"]


def test_labels_are_drawn_by_the_seed_and_balanced(task):
    """Catches seeds that all see the same sentences, and a draw of one label only."""
    one, again, other = (draw_labelled(task, 51, seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    counts = Counter(example.labels[0] for example in one)
    assert sorted(counts.values()) == [25, 26]


def test_a_race_keeps_what_is_there_and_leaves_out_what_it_lacks(tmp_path, monkeypatch):
    """Catches runs that are made twice, and a race that falls over a set that is not here."""
    made, told = [], []

    def make(run, steps, device):
        made.append(run)
        return {"valid": 0.4, "accuracy": 0.5}

    monkeypatch.setattr(race, "make_run", make)
    monkeypatch.setattr(one_race, "problems", lambda name: ["not here"])
    runs = [race.Run("direction", "grammar", seed, 0, 9, Sizes()) for seed in (0, 1)]
    runs += [race.Run("treebank", "ud_english_ewt", seed, 0, 9, Sizes()) for seed in (0, 1)]
    monkeypatch.setattr(race, "every_run", lambda: runs)
    path = tmp_path / "tagging_race.json"
    race.RACE.run(path, tell=told.append)
    race.RACE.run(path, tell=told.append)
    assert [run.task for run in made] == ["grammar", "grammar"]
    assert accuracies(load_rows(path), group="direction") == [0.5, 0.5]
    assert sum("ud_english_ewt is not in the cache" in line for line in told) == 2


def test_the_shipped_race_is_whole():
    """Catches a curve with a point left out: every run stands in the file, once."""
    rows = shipped_rows("tagging_race")
    found = ("valid", "accuracy")
    assert [{k: v for k, v in row.items() if k not in found} for row in rows] == [
        run.key for run in race.every_run()
    ]
    assert all(0.3 < row[part] <= 1 for row in rows for part in found if part in row)
    assert all(("valid" in row) == ("steps" in row) for row in rows)  # a count chooses nothing
    assert len(settled(rows, group="labels", start="all", labels=50)) == race.SEEDS
    assert set(STEPS) == {row["labels"] for row in rows if row["group"] == "labels"}


def test_a_run_is_judged_on_two_parts_and_taught_as_long_as_it_says(monkeypatch, task):
    """Catches a choice by the part that is reported, and one number of steps for all."""
    known = [Example(["a", "e"], ["new"]), Example(["b", "f"], ["old"])]
    turned = [Example(["a", "e"], ["old"]), Example(["b", "f"], ["new"])]
    asked = task._replace(valid=turned, test=known)
    monkeypatch.setattr(race, "_task", lambda name: asked)
    taught = []

    def teach(task, sizes, seed, device):
        taught.append(sizes.steps)
        return real_teach(task, sizes, seed, device=device)

    real_teach = race.teach
    monkeypatch.setattr(race, "teach", teach)
    run = race.Run("pooling", "toy", 1, 40, 60, Sizes(width=5, hidden=8, lr=2e-2))
    assert race.make_run(run) == {"valid": 0, "accuracy": 1}
    race.make_run(run, steps=4)
    assert taught == [60, 4]


def test_validation_chooses_the_steps_of_each_seed_and_a_tie_the_fewest():
    """Catches a choice by the test part, by the mean of the seeds, and a longer run for nothing."""
    rows = [
        {"seed": seed, "steps": steps, "valid": valid, "accuracy": accuracy}
        for seed, steps, valid, accuracy in (
            (1, 400, 0.7, 0.61), (1, 100, 0.8, 0.62), (0, 400, 0.9, 0.63), (0, 100, 0.9, 0.64),
            (0, 1600, 0.5, 0.99), (1, 1600, 0.7, 0.98),
        )
    ]  # fmt: skip
    assert [row["steps"] for row in chosen(rows)] == [100, 100]
    assert settled(rows) == [0.64, 0.62]
    assert accuracies(rows, steps=1600) == [0.99, 0.98]
    with pytest.raises(LookupError, match="course train tagging_race"):
        settled(rows, steps=3)
