"""The explorers of agreement: the unit they start with, what one types, what they say."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.analysis.agreement.ablation import ablate_each
from course_utils.analysis.agreement.questions import ask
from course_utils.analysis.agreement.worst import chance_of_worst
from course_utils.data.agreement.balanced import agreement_items
from course_utils.data.agreement.item import AgreementItem
from course_utils.explorers.agreement.ablation import FRAMES, held_table
from course_utils.explorers.agreement.luck import searched
from course_utils.explorers.agreement.patch import patched_story
from course_utils.explorers.agreement.shared import (
    NUMBER_UNIT,
    chosen_pair,
    network,
    units_of,
)
from course_utils.explorers.agreement.unit import pair_of, story_of

WHERE = {"kind": "noun-PP", "which": 2, "subject": "S", "others": "P"}


def test_the_explorers_start_with_the_unit_that_the_lecture_finds():
    """Catches a network that was trained anew, and a number that was left as it was."""
    model = network("lstm")
    items = agreement_items("validation", ("noun-PP", "noun-PP-adverb", "relative clause"))
    found = chance_of_worst(ask(model, items).rights, ablate_each(model, items))
    assert found.unit == NUMBER_UNIT


def test_a_table_is_what_the_model_answers():
    """Catches rows and columns exchanged, and rates of another hold."""
    table = held_table(str(NUMBER_UNIT), 0.0, "lstm")
    kinds = ("noun-PP", "relative clause")
    items = agreement_items("test", kinds, FRAMES)
    rights = ablate_each(network("lstm"), items)[NUMBER_UNIT]
    for kind in kinds:
        for column, (number, attractor) in enumerate([("S", 0), ("P", 0), ("S", 1), ("P", 1)]):
            some = [
                right.item()
                for item, right in zip(items, rights, strict=True)
                if (item.construction, item.condition[0], item.attractors)
                == (kind, number, attractor)
            ]
            assert table.values[table.rows.index(kind), column] == pytest.approx(np.mean(some))
    assert np.isnan(table.values[table.rows.index("simple"), 2])
    assert (held_table("", 0.0, "gru").before) is None


def test_stories_are_of_the_sentence_and_its_counterpart():
    """Catches a cell of the counterpart under the sentence's name."""
    model, pair = network("lstm"), chosen_pair(**WHERE)
    assert [item.condition for item in pair] == ["SP", "PP"]
    story = story_of(model, pair, "", NUMBER_UNIT)
    swapped = story_of(model, type(pair)(pair.other, pair.own), "", NUMBER_UNIT)
    assert np.allclose(story.values["c"], swapped.other_values["c"], atol=1e-5)
    assert story.margins[0] < 0 < story.margins[1]
    assert np.allclose(story.margins, swapped.margins[::-1], atol=1e-4)


def test_a_sentence_of_ones_own_is_read_and_what_is_strange_is_said():
    """Catches a word that is passed over in silence."""
    pair, note = pair_of(network("lstm"), "the dogs near the kangaroo", WHERE)
    assert pair.other.words[:-1] == ["the", "dog", "near", "the", "kangaroo"]
    assert "kangaroo" in note
    pair, note = pair_of(network("lstm"), "probably " * 30, WHERE)
    assert isinstance(pair.own, AgreementItem)
    assert pair.own.words == pair.other.words
    assert "no counterpart" in note
    assert "first 20" in note


def test_a_patch_of_every_unit_is_the_counterpart_from_there_on():
    """Catches units that are taken from the sentence itself."""
    every = ", ".join(map(str, range(64)))
    story = patched_story(every, "the subject on", "lstm", **WHERE)
    assert np.allclose(story.patched[1:], story.source[1:], atol=1e-4)
    assert story.patched[0] == pytest.approx(story.own[0], abs=1e-5)
    assert patched_story(every, "the last word on", "lstm", **WHERE).since == len(story.words) - 1


@pytest.mark.parametrize("typed", ["64", "-1", "3, x", "1.5", "²"])
def test_what_is_no_unit_is_refused_in_words(typed):
    """Catches an index error of PyTorch's where advice should stand."""
    units, note = units_of(typed, network("lstm"))
    assert "is not a unit: type numbers from 0 to 63" in note
    assert units == ([3] if typed == "3, x" else [])
    assert "is not a unit" in held_table(typed, 0.0, "lstm").headline
    assert "is not a unit" in patched_story(typed, "the subject on", "lstm", **WHERE).note


def test_units_may_be_typed_in_many_ways():
    """Catches a unit that counts twice."""
    assert units_of(" 3,14;5 3 ", network("lstm")) == ([3, 14, 5], "")
    assert units_of("", network("lstm")) == ([], "")


def test_shuffled_labels_find_what_luck_finds():
    """Catches true labels under another name, and luck that forgets how few sentences there are."""
    true, false = searched(0, 120, "c"), searched(7, 120, "c")
    assert true.values.max() > 0.95 > 0.7 > false.values.max()
    assert false.values.max() == pytest.approx(false.luck[6])
    few = searched(7, 12, "c")
    assert np.median(few.luck) > np.median(false.luck) + 0.1
    assert torch.tensor(few.values).ge(0.5).all()
