"""Taught by one loop: every example once a round, the same again with the same seed."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from course_utils.data.tagging import Example, Task, grammar_task
from course_utils.models.elmo.options import Options
from course_utils.settings import IGNORED
from course_utils.shipped import load_token_network
from course_utils.training.recipes.run_recipe import train
from course_utils.training.tagging import (
    Bucketed,
    Sizes,
    TokenTask,
    make_network,
    score,
    tasks,
    teach,
)

TASK = grammar_task(203, 60)


@pytest.fixture(scope="module")
def coder():
    return TokenTask.of(TASK, Sizes()).coder


def rows_of(batch):
    lengths = batch.lengths.tolist()
    return [tuple(row[:n]) for row, n in zip(batch.tokens.tolist(), lengths, strict=True)]


@pytest.mark.parametrize("bucketed", [True, False])
def test_every_round_has_every_example_once_and_in_another_order(coder, bucketed):
    """Catches an example that buckets lose at their edge, and rounds that are all alike."""
    batches = Bucketed(TASK.train, coder, "tagging", 16, 1, bucketed)
    assert batches.batches == 13
    rounds = [[rows_of(batches(13 * turn + n)) for n in range(13)] for turn in range(2)]
    wanted = Counter(tuple(coder.words.encode(e.words).tolist()) for e in TASK.train)
    assert [Counter(row for part in turn for row in part) for turn in rounds] == [wanted] * 2
    assert rounds[0] != rounds[1]
    assert rows_of(batches(15)) == rounds[1][2]  # any batch can be asked for: runs resume


def test_buckets_save_padding(coder):
    """Catches a sort that does not sort."""
    padding = []
    for bucketed in (True, False):
        batches = Bucketed(TASK.train, coder, "tagging", 16, 1, bucketed)
        masks = [batches(n).mask for n in range(batches.batches)]
        padding.append(sum(int((~mask).sum()) for mask in masks))
    assert padding[0] < 0.4 * padding[1]


def test_the_same_seed_teaches_the_same_network():
    """Catches chance that no seed holds."""
    sizes = Sizes(hidden=8, width=6, steps=5)
    one, two, other = (teach(TASK, sizes, seed) for seed in (1, 1, 2))
    pairs = zip(one.network.parameters(), two.network.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
    assert one.accuracy == two.accuracy
    pairs = zip(one.network.parameters(), other.network.parameters(), strict=True)
    assert not all(torch.equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("direction", ["window", "forward", "backward", "both"])
def test_a_little_teaching_beats_the_most_frequent_tag(direction):
    """Catches a network or a loop that does not learn: by a wide margin over always NOUN."""
    taught = teach(TASK, Sizes(direction, hidden=24, width=16, steps=60, lr=2e-2))
    labels = Counter(label for e in TASK.test for label in e.labels)
    assert taught.accuracy > 0.5 + labels.most_common(1)[0][1] / labels.total() - 0.1


def test_letters_are_read_too():
    """Catches a character encoder whose words end up at other places."""
    taught = teach(TASK, Sizes(spelled=True, hidden=16, width=8, steps=40, lr=1e-2))
    assert taught.accuracy > 0.7


def test_the_score_is_a_count_by_hand(coder):
    """Catches padding that is counted, and a label nobody could know that is left out."""
    network = make_network(TokenTask(TASK, coder, coder.words), Sizes(hidden=8)).eval()
    right = count = 0
    for example in TASK.test[:9]:
        found = network(coder.batch([example.words]))[0].argmax(dim=-1)
        named = [coder.labels[n] for n in found]
        right += sum(a == b for a, b in zip(named, example.labels, strict=True))
        count += len(named)
    assert score(network, coder, TASK, TASK.test[:9]) == right / count
    strange = Example(["her"], ["NOBODY KNOWS"])
    assert score(network, coder, TASK, [strange]) == 0
    assert coder.code([strange.labels]).item() == IGNORED


def test_a_classifier_is_taught_too():
    """Catches labels of sentences that are laid along the words."""
    examples = [Example([word] * n, [word]) for word in ("old", "new") for n in range(1, 9)]
    task = Task("which word", "classification", examples, examples, examples)
    assert teach(task, Sizes(hidden=8, width=6, steps=60, lr=2e-2)).accuracy == 1


def test_a_stored_network_reads_letters_as_it_learned_to(tmp_path, monkeypatch):
    """Catches how letters are read kept in the code: change it there, and a stored tagger that
    reads letters is refused, or reads words alone."""
    train("grammar_both", tmp_path, "cpu", steps=2, progress=False, spelled=True, judged_on=4)
    other = Options(5, 1, 1, ((1, 2),))
    monkeypatch.setattr(tasks, "SPELLING", other)
    model = load_token_network("grammar_both", tmp_path)
    letters = model.coder.spelling
    assert letters.projection == model.input.spelling.projection.out_features != other.projection
    assert model.coder.batch([["the", "unseenword"]]).letters is not None
    assert model(model.coder.batch([["the", "unseenword"]])).shape[:2] == (1, 2)
