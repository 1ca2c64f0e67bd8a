"""What is asked is what Python closes, and a model is asked after what really stands before."""

from __future__ import annotations

import pytest
import torch

from course_utils.analysis.characters import causes, closing
from course_utils.analysis.characters.causes import (
    CONTEXT,
    WITHIN,
    endings_of,
    how_it_ends,
    opened_strings,
)
from course_utils.analysis.characters.closing import (
    by_distance,
    choice_log_probs,
    closing_brackets,
    closing_quotes,
    only,
    prefers_right,
    right_in_both,
    string_ends,
)
from course_utils.analysis.characters.writing import Writer
from course_utils.data.source_code import label_characters
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import NGramLM, RecurrentLM

PIECE = """def f(a):
    '''a docstring's "end"'''
    x = [a, 'it', "it's", r'\\d+', (1)]  # no ) here
    return {"k": x[0]}
"""


@pytest.fixture
def text() -> str:
    return 12 * PIECE.replace("def f", "def long_name")


@pytest.fixture
def model(text) -> RecurrentLM:
    torch.manual_seed(3)
    return RecurrentLM(Vocabulary.of(text), "lstm", width=7, hidden=11).eval()


def test_strings_end_where_python_ends_them():
    """Catches a quote inside a string, a docstring's three quotes, a prefix taken for the start."""
    ends = string_ends(PIECE, label_characters(PIECE))
    assert [(PIECE[place - k : place + 1], closing.QUOTES[kind]) for place, k, kind in ends] == [
        ("'it'", "'"),
        ('"it\'s"', '"'),
        ("'\\d+'", "'"),
        ('"k"', '"'),
    ]
    assert closing.QUOTES == "\"'"


def test_brackets_are_those_of_code(text):
    """Catches a bracket in a comment, and one matched with the wrong opening one."""
    asked = closing_brackets(text, label_characters(text))
    for place, k, kind in zip(asked.places, asked.distances, asked.right, strict=True):
        opened, closed = text[place - k], text[place]
        assert closing.BRACKETS[opened] == closed == asked.choices[kind]
    assert "no )" in text
    assert all(not text[: place + 1].endswith("no )") for place in asked.places)


def test_a_network_is_asked_after_the_characters_before_the_place(text, model):
    """Catches a context that ends one character early or late, and choices in another order."""
    asked = closing_quotes(text, label_characters(text))
    found = choice_log_probs(model, asked)
    for row in (0, len(asked) - 1):
        place = int(asked.places[row])
        log_p = model.next_log_probs(list(text[place - closing.CONTEXT : place]))
        for column, sign in enumerate(asked.choices):
            expected = log_p[model.vocabulary.number[sign]].item()
            assert found[row, column].item() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("order", [1, 2, 5])
def test_counts_are_asked_after_the_same_characters(text, model, order):
    """Catches neighbours that run into one another: an n-gram must see its own item only."""
    asked = closing_brackets(text, label_characters(text))
    counted = NGramLM(model.vocabulary, order).fit(list(text[:200] + "zz" + text[200:]))
    found = choice_log_probs(counted, asked)
    place = int(asked.places[3])
    log_p = counted.next_log_probs(list(text[place - order : place]))
    for column, sign in enumerate(asked.choices):
        expected = log_p[model.vocabulary.number[sign]].item()
        assert found[3, column].item() == pytest.approx(expected, abs=1e-9)


def test_a_favourite_is_worth_chance(text, model):
    """Catches a mean over items: who always says the commoner quote would look clever."""
    asked = closing_quotes(text, label_characters(text))
    always = (asked.right == 1).double()
    found = by_distance(always, asked)
    assert found.rates.tolist() == pytest.approx([found.chance] * len(found.spans))
    assert int(found.asked.sum()) <= len(asked)
    model.output.weight.data.zero_()
    model.output.bias.data.zero_()
    assert prefers_right(model, asked).unique().tolist() == [0.5], "a tie is worth a half"


def test_who_goes_by_a_favourite_is_right_in_no_pair(text, model):
    """Catches an exchange that changes another character, or none, or the text of a neighbour."""
    strings = closing_quotes(text, label_characters(text))
    assert strings.nested.any()
    strings = only(strings, ~strings.nested)
    model.output.weight.data.zero_()
    model.output.bias.data[model.vocabulary.number["'"]] = 3.0
    assert not right_in_both(model, strings).any()
    words = model.vocabulary
    pairs = text + text.translate(str.maketrans("'\"", "\"'"))
    far = NGramLM(words, 60).fit(words.encode(pairs))
    assert right_in_both(far, strings).any()
    near = NGramLM(words, 2).fit(words.encode(pairs))
    assert not right_in_both(near, strings).any(), "it reads the same in both"
    swapped = choice_log_probs(far, strings, exchanged=True)
    place, k = int(strings.places[0]), int(strings.distances[0])
    other = closing.QUOTES[1 - int(strings.right[0])]
    context = text[place - 59 : place - k] + other + text[place - k + 1 : place]
    expected = far.next_log_probs(list(context))[words.number[other]].item()
    found = swapped[0, closing.QUOTES.index(other)].item()
    assert found == pytest.approx(expected, abs=1e-9)


def test_brackets_know_what_opens_inside(text):
    """Catches a bracket of a string counted, and one that is nested two deep left out."""
    asked = closing_brackets(text, label_characters(text))
    for place, k, nested in zip(asked.places, asked.distances, asked.nested, strict=True):
        inside = text[place - k + 1 : place]
        assert bool(nested) == any(sign in inside for sign in "([{"), inside


@pytest.mark.parametrize(
    ("written", "way"),
    [("ab' + c", "closed"), ("ab\\' c\n", "broken"), ("ab", "open"), ("\\\\'", "closed")],
)
def test_how_a_string_ends(written, way):
    """Catches an escaped quote that closes, and an escaped backslash that escapes."""
    assert how_it_ends(written, "'") == way


def test_a_writer_is_the_model(text, model):
    """Catches a gate out of order, a bias left out, a state that is not carried."""
    writer = Writer(model)
    beginnings = [text[:40], text[3:43]]
    log_p = writer.log_probs(writer.read(beginnings))
    for row, beginning in zip(log_p, beginnings, strict=True):
        torch.testing.assert_close(row, model.next_log_probs(list(beginning)))
    (said,) = writer.write(writer.read([text[:40]]), 5, temperature=0)
    never = model.vocabulary.unknown
    assert list(said) == model.generate(list(text[:40]), 5, temperature=0, never=never)


def test_a_held_cell_stays_and_is_felt(text, model):
    """Catches a value put into another unit, into another text, or before its time."""
    writer = Writer(model)
    held = writer.read([text[:30]] * 2, {4: 2.5}, since=20)
    free = writer.read([text[:30]] * 2)
    assert held.c[:, 4].tolist() == [2.5, 2.5]
    assert not torch.allclose(held.h, free.h)

    def edit(t, step):
        if t >= 20:
            step.c[:, 4] = 2.5
        return step

    x = model.embedding(model.vocabulary.encode(text[:30])[:, None])
    rolled = model.recurrent.rollout(x, edit=edit)[0]
    torch.testing.assert_close(held.h[:1], rolled.h[-1])
    with pytest.raises(ValueError, match="one layer"):
        Writer(RecurrentLM(model.vocabulary, "lstm", 3, 5, layers=2))


def test_opened_strings_are_open(text, model):
    """Catches a prompt whose string is closed already, and shares that do not add up."""
    some = opened_strings(text, label_characters(text), 9, inside=1)
    for each in some:
        assert len(each.text) == CONTEXT
        assert each.text[-2] == each.quote
        assert each.text[-1] != each.quote
    (ends,) = endings_of(Writer(model), some, [{}])
    assert len(ends) == len(some)
    assert {*ends} <= {"closed", "broken", "open"}


@pytest.mark.parametrize("together", [1, 80])
def test_what_has_ended_is_not_written_on(text, model, monkeypatch, together):
    """Catches a string that takes another's state, points or hold once some have ended."""
    for own in model.parameters():
        own.data *= 5  # so that states differ, and what is drawn depends on them
    some = opened_strings(text, label_characters(text), 40, inside=1)
    writer, held = Writer(model), dict.fromkeys(range(5), 2.5)
    state = writer.read([each.text for each in some])
    written = writer.write(state, WITHIN, held, seed=3)
    ends = [how_it_ends(text, each.quote) for text, each in zip(written, some, strict=True)]
    early = [how_it_ends(text[:3], each.quote) for text, each in zip(written, some, strict=True)]
    assert 0 < early.count("open") < len(early), "some have to end, and some have to go on"
    monkeypatch.setattr(causes, "AT_ONCE", 3)
    monkeypatch.setattr(causes, "SIDE_BY_SIDE", together)
    free, own = endings_of(writer, some, [{}, held], seed=3)
    assert own == ends
    assert own != free
