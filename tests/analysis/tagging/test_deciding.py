"""Effects are measured by leaving words out; orders and intervals are what statistics says."""

from __future__ import annotations

import math
import random
import statistics

import pytest
import torch

from course_utils.analysis import tagging as tg
from course_utils.analysis.tagging.deciding import Attended, rank_agreement
from course_utils.analysis.tagging.intervals import interval_of
from course_utils.data.tagging import Example, Task, dice_task, grammar_task
from course_utils.models.quiet import quiet
from course_utils.models.tagging import Classifier, Coder, Tagger
from course_utils.shipped import load_token_network

WORDS = ["has", "the", "pilot", "moved", "her", "lantern"]


@pytest.fixture(scope="module")
def tagger():
    return load_token_network("grammar_both")


def test_an_effect_is_what_leaving_the_word_out_does(tagger):
    """Catches an effect read at a place that has moved, and a sign that is turned."""
    place = 3
    found = tg.tag_words(tagger, WORDS, place)
    assert found.tags == ["AUX", "DET", "NOUN", "PART", "DET", "NOUN"]
    label = tagger.coder.number["PART"]
    with quiet(tagger):
        whole = tagger(tagger.coder.batch([WORDS]))[0, place].log_softmax(-1)[label]
        for left_out in range(len(WORDS)):
            if left_out == place:
                assert found.effects[place] == 0
                continue
            fewer = WORDS[:left_out] + WORDS[left_out + 1 :]
            at = fewer.index("moved")
            now = tagger(tagger.coder.batch([fewer]))[0, at].log_softmax(-1)[label]
            assert found.effects[left_out] == pytest.approx((whole - now).item(), abs=1e-5)


def test_as_read_is_what_the_tagger_says_of_every_beginning(tagger):
    """Catches a beginning that is one word longer, and a probability of another tag."""
    found = tg.tag_as_read(tagger, WORDS, 3, "PART")
    for end, p in zip((4, 5, 6), found.tolist(), strict=True):
        with quiet(tagger):
            log_p = tagger(tagger.coder.batch([WORDS[:end]]))[0, 3].log_softmax(-1)
        assert p == pytest.approx(log_p[tagger.coder.number["PART"]].exp().item(), abs=1e-5)


def test_the_last_word_of_a_garden_path_decides_from_the_right_only():
    """Catches a direction that sees the other side."""
    path = ["the", "ship", "sailed", "past", "the", "old", "bridge", "sank"]
    seen = {way: tg.tag_words(load_token_network(f"grammar_{way}"), path, 2)
            for way in ("forward", "backward", "both")}  # fmt: skip
    assert seen["both"].tags[2] == "PART"
    assert seen["both"].effects[-1] > 1
    assert not seen["forward"].effects[3:].any()
    assert not seen["backward"].effects[:2].any()


def test_what_no_direction_hears_it_cannot_tell_apart():
    """Catches a place that did not move with the word left out, and objects asked for."""
    test = grammar_task(5).test
    asks = [e for e in test if e.words[0] == "has"]
    tells = [e for e in test if e.words[0] != "has"]
    found = {
        way: (tg.told_apart(net, asks, 0), tg.told_apart(net, tells, -1))
        for way in ("forward", "backward", "both")
        for net in [load_token_network(f"grammar_{way}")]
    }
    assert found["forward"][1] == found["backward"][0] == 0
    assert min(found["forward"][0], found["backward"][1], *found["both"]) > 0.5
    with_object = [e for e in asks if "PRON" in e.labels]
    with pytest.raises(ValueError, match="without an object"):
        tg.told_apart(load_token_network("grammar_both"), with_object, 0)


def test_attention_weights_and_effects_of_a_hand_set_classifier():
    """Catches weights shown for effects: here the heaviest word changes nothing."""
    torch.manual_seed(0)
    coder = Coder(_Words(["a", "b", "c"]), ["yes", "no"])
    network = Classifier(2, words=3, width=4, hidden=6, pooling="attention")
    network.coder = coder
    network.output.weight.data.zero_()
    found = tg.attend(network, ["a", "b", "c", "a"])
    assert found.weights.sum() == pytest.approx(1)
    assert not found.effects.any()
    assert found.sure == pytest.approx(math.exp(network.output.bias.log_softmax(0).max().item()))


def test_the_places_weights_come_from_another_sentence_as_long():
    """Catches a sentence compared with itself, and one compared with a longer one."""
    lengths = [3, 2, 3, 2, 3]
    read = [
        Attended(["a"] * n, "yes", 0.5, torch.full((n,), float(number)), torch.zeros(n))
        for number, n in enumerate(lengths)
    ]
    found = tg.by_place(read)
    assert [len(weights) for weights in found] == lengths
    assert [int(weights[0]) for weights in found] == [2, 3, 4, 1, 0]
    with pytest.raises(ValueError, match="only one sentence has 2 words"):
        tg.by_place(read[:3])


def test_a_doubt_is_settled_by_the_neighbour_on_its_side():
    """Catches the word before taken for the next, and words counted that nobody doubts."""
    read = Example(["her", "duck", "her", "."], ["DET", "NOUN", "PRON", "END"])
    task = Task("toy", "tagging", [read, Example(["her", "duck"], ["DET", "NOUN"])], [], [read])
    assert tg.settled_by(task, 1) == 1  # of four words one is in doubt: the second "her"
    assert tg.settled_by(task, -1) == 1  # "duck" before it tells as well
    moved = Example(["x", "her", "."], ["END", "PRON", "END"])
    assert tg.settled_by(task._replace(test=[moved]), 1) == 0.5  # "x" is new: nothing settles it
    assert tg.settled_by(task._replace(test=[moved]), -1) == 0


class _Words(list):
    def encode(self, words):
        return torch.tensor([self.index(word) for word in words])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rank_agreement_is_pearson_of_ranks(seed):
    """Catches ties that are ranked by chance, against a slow definition."""
    values = random.Random(seed)
    one = [float(values.randint(0, 5)) for _ in range(11)]
    two = [float(values.randint(0, 5)) for _ in range(11)]

    def ranks(list_):
        ordered = sorted(list_)
        return [statistics.mean(i for i, v in enumerate(ordered) if v == x) for x in list_]

    wanted = statistics.correlation(ranks(one), ranks(two))
    assert rank_agreement(torch.tensor(one), torch.tensor(two)) == pytest.approx(wanted)
    assert rank_agreement(torch.ones(5), torch.arange(5.0)) == 0


def test_weights_are_judged_by_the_effects_of_their_own_sentence():
    """Catches sentences paired with others' weights, and a sum where a share is asked for."""
    effects = [torch.tensor([3.0, 1.0, 2.0]), torch.tensor([0.0, 5.0]), torch.tensor([1.0, 2.0])]
    read = [Attended(["w"] * len(e), "old", 0.9, e / 9, e) for e in effects]
    assert tg.judge_weights(read, effects) == (1, 1)
    one_turned = [effects[0], effects[1].flip(0), effects[2]]
    judged = tg.judge_weights(read, one_turned)
    assert judged.heaviest_costs_most == pytest.approx(2 / 3)
    assert judged.agreement == 1  # the middle one
    assert tg.judge_weights(read, [e.flip(0) for e in effects]).agreement == -1


def test_the_interval_is_students():
    """Catches a normal interval on five seeds: the values are worked out by hand."""
    found = interval_of([1.0, 2.0, 3.0, 4.0, 5.0])
    assert found.mean == 3
    assert found.high - 3 == pytest.approx(2.776 * math.sqrt(2.5 / 5))
    with pytest.raises(ValueError, match="seeds"):
        interval_of([1.0])


def test_accuracy_by_label_counts_words_without_padding(tagger):
    """Catches padding that is counted as a label."""
    examples = grammar_task(5, 40).test[:23]
    right, count = {}, {}
    for example in examples:
        tags = tg.tag_words(tagger, example.words, 0).tags
        for tag, gold in zip(tags, example.labels, strict=True):
            count[gold] = count.get(gold, 0) + 1
            right[gold] = right.get(gold, 0) + (tag == gold)
    wanted = {gold: right[gold] / count[gold] for gold in count}
    assert tg.accuracy_by_label(tagger, examples) == pytest.approx(wanted)


@pytest.mark.parametrize(("towards", "shift"), [(1, 1), (-1, -1)])
def test_the_label_of_a_throw_is_its_neighbour(towards, shift):
    """Catches dice whose label is the throw itself."""
    for throws, labels in dice_task(towards, size=8, length=9).train:
        inner = range(1, 8)
        assert [labels[t] for t in inner] == [throws[t + shift] for t in inner]
    assert isinstance(dice_task().train[0], Example)
    with pytest.raises(ValueError, match="towards"):
        dice_task(2)


def test_a_network_without_words_says_so():
    """Catches an AttributeError where a sentence could help."""
    with pytest.raises(ValueError, match="no coder"):
        tg.tag_words(Tagger(3, words=4), ["a"], 0)
