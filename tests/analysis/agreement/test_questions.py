"""One question to any model: against log-probabilities read word by word."""

from __future__ import annotations

import math
import os

import pytest
import torch

from course_utils.analysis.agreement.questions import ask, rights_of
from course_utils.analysis.agreement.rates import rate, rates_by, verbs_of
from course_utils.analysis.agreement.released import (
    Released,
    ask_released,
    read_record,
    write_record,
)
from course_utils.data.agreement.balanced import agreement_items
from course_utils.data.agreement.corpus import NEUTRAL, agreement_text
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.sets.registry import add
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import NGramLM, RecurrentLM, WindowLM
from course_utils.shipped import load_trained
from tests.data.sets.copies import COPIES, needs_copies

SETS = COPIES / "agreement_english"
TEXT = agreement_text("train", 300, 1)
WORDS = Vocabulary.of([*TEXT, *agreement_text("test", 500, 1)])


MAKERS = {
    "lstm": lambda: RecurrentLM(WORDS, "lstm", 5, 7),
    "two layers": lambda: RecurrentLM(WORDS, "gru", 5, 7, layers=2),
    "tied": lambda: RecurrentLM(WORDS, "elman", 7, 7, tied=True),
    "window": lambda: WindowLM(WORDS, 3, 5, 7),
    "1-gram": lambda: NGramLM(WORDS, 1).fit(TEXT),
    "4-gram": lambda: NGramLM(WORDS, 4).fit(TEXT),
}


@pytest.mark.parametrize("name", MAKERS)
def test_margins_are_differences_of_log_probabilities(name):
    """Catches a context that is cut, a batch in another order, the form of another item."""
    torch.manual_seed(0)
    model = MAKERS[name]()
    items = agreement_items("test", ("simple", "noun-PP", "relative clause"), 4)
    found = ask(model, items)
    assert found.items == [i for i in items if i.right in WORDS and i.wrong in WORDS]
    assert len({len(item.words) for item in found.items}) == 3
    for item, margin in zip(found.items, found.margins, strict=True):
        before = [*NEUTRAL, *item.words[: item.position]]
        right, wrong = (model.log_probs([*before, form])[-1] for form in (item.right, item.wrong))
        assert margin.item() == pytest.approx((right - wrong).item(), abs=1e-5)


def test_what_the_vocabulary_does_not_cover_is_left_out_and_said():
    """Catches two unknown forms that are compared with each other."""
    model = RecurrentLM(Vocabulary(["<unk>", "</s>", "the", "boy", "sees", "see"]), "lstm", 3, 5)
    known = AgreementItem(["the", "boy", "sees"], 2, "sees", "see", 1)
    half = AgreementItem(["the", "dog", "sees"], 2, "sees", "see", 1)
    unknown = [half._replace(right="loves"), half._replace(wrong="love")]
    found = ask(model, [known, *unknown, half])
    assert found.items == [known, half]
    assert (found.offered, found.known) == (4, 0.75)
    assert ask(model, unknown).items == []


def test_who_knows_nothing_gets_a_half():
    """Catches ties that count as right."""
    items = agreement_items("test", ("simple",), 5)
    model = RecurrentLM(WORDS, "lstm", 3, 5)
    torch.nn.init.zeros_(model.output.weight)
    torch.nn.init.zeros_(model.output.bias)
    assert ask(model, items).rights.tolist() == [0.5] * len(ask(model, items).items)
    assert rights_of(torch.tensor([-1.0, 0.0, 2.0])).tolist() == [0.0, 0.5, 1.0]


def test_a_model_without_words_cannot_be_asked():
    """Catches numbers that are taken for words."""
    with pytest.raises(TypeError, match="Vocabulary"):
        ask(RecurrentLM(7, "gru", 3, 5), agreement_items("test", ("simple",), 1))


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 20, 0.0, 0.1611), (81, 263, 0.2553, 0.3662)],
)
def test_intervals_are_those_of_published_tables(right, of, low, high):
    """Catches the interval of another method (8 of 10 and 81 of 263: Newcombe 1998, table I)."""
    found = rate(torch.tensor([1.0] * right + [0.0] * (of - right)))
    assert (found.value, found.asked) == (pytest.approx(right / of), of)
    assert (found.low, found.high) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_groups_get_their_own_answers():
    """Catches rights that are dealt to other items."""
    items = agreement_items("test", ("simple", "noun-PP"), 2)
    rights = torch.tensor([float(item.condition[0] == "P") for item in items])
    by = rates_by(items, rights, lambda item: (item.construction, item.condition[0]))
    assert {key: found.value for key, found in by.items()} == {
        ("simple", "S"): 0, ("simple", "P"): 1, ("noun-PP", "S"): 0, ("noun-PP", "P"): 1,
    }  # fmt: skip
    with pytest.raises(ValueError, match="no question"):
        rate(torch.zeros(0))


def test_answers_that_hang_together_count_as_fewer():
    """Catches intervals of sixty copies of one question that pretend to be sixty questions, and
    lots that are told apart by the form that is right."""
    items = [item for item in agreement_items("test", ("noun-PP",)) if item.condition[1] == "S"]
    verbs = verbs_of(items)
    assert len({frozenset({i.right, i.wrong}) for i in items}) == int(verbs.max()) + 1 > 10
    by_verb = (verbs % 2).double()  # all items of a verb alike
    alone, plain = rate(by_verb, items), rate(by_verb)
    as_verbs = rate(torch.tensor([0.0, 1.0]).repeat(40)[: int(verbs.max()) + 1])
    assert alone.value == plain.value
    assert alone.asked == plain.asked == len(items)
    width, few = alone.high - alone.low, as_verbs.high - as_verbs.low
    assert width > 1.3 * (plain.high - plain.low)
    assert width == pytest.approx(few, rel=0.25)  # as many questions as verbs
    draw = torch.Generator().manual_seed(0)
    many = items * 20  # each verb often, and answers that do not depend on it
    apart = torch.randint(0, 2, (len(many),), generator=draw).double()
    assert rate(apart, many).low == pytest.approx(rate(apart).low, abs=0.015)
    assert rate(torch.ones(len(items)), items) == rate(torch.ones(len(items)))
    one_verb = [item for item, verb in zip(items, verbs, strict=True) if verb == 0]
    half = torch.arange(len(one_verb)) % 2.0
    assert rate(half, one_verb).high == pytest.approx(rate(torch.tensor([0.5])).high, abs=0.06)


def test_the_record_says_what_was_found(tmp_path):
    """Catches a record that loses intervals or reads attractors as text."""
    all_right = rate(torch.ones(7))
    found = [
        Released("a", "m", all_right, 11, 0.5, {0: rate(torch.zeros(3)), 2: all_right}),
        Released("b", "m", rate(torch.zeros(5)), 5, 1.0, {}),
    ]
    write_record(found, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json") == found


def test_without_the_sets_no_model_is_even_made(tmp_path, monkeypatch):
    """Catches a lecture that reaches for the network."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    assert ask_released({"never": lambda: pytest.fail("made for nothing")}) == []


@needs_copies
def test_the_shipped_record_is_what_the_shipped_model_says(tmp_path, monkeypatch):
    """Catches a record of another model, and one that was written by hand."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    assert not add("agreement_nonsense", SETS.glob("generated.*"))
    assert not add("agreement_wikipedia", SETS.glob("subj_agr_filtered.*"))
    name = "word LSTM, 128 units"
    measured = ask_released({name: lambda: load_trained("word_lstm")})
    recorded = [row for row in read_record() if row.model == name]
    assert len(measured) == len(recorded) == 2
    for now, then in zip(measured, recorded, strict=True):
        assert (now.set, now.offered, now.right.asked) == (then.set, then.offered, then.right.asked)
        assert math.isclose(now.right.value, then.right.value, abs_tol=0.003)
        assert now.by_attractors.keys() == then.by_attractors.keys()
    assert os.environ["COURSE_DATA"] == str(tmp_path)
