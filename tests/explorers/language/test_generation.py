"""What the explorer of generation shows is what the models expect and say."""

from __future__ import annotations

import html

import numpy as np
import pytest
import torch

from course_utils.data.vocabulary import END, Vocabulary
from course_utils.explorers import explore_generation
from course_utils.explorers.language.generation import MOST_WORDS, WORDS_ON, expect, sharpen
from course_utils.models.language import NGramLM
from course_utils.numbers import share
from course_utils.plots.glyphs import readable
from course_utils.plots.language.next_words import LONGEST, SHOWN, NextWordsDrawing
from course_utils.settings import UNKNOWN

TALK = (
    "we must keep the peace and we must keep the faith . the people of the land want peace . "
    "a zebra , a yak and an emu want the land . we want the peace of the people . "
)
TOKENS = [*(TALK * 3).split(), END] * 4


@pytest.fixture(scope="module")
def model() -> NGramLM:
    """Give a trigram model that knows most words of a small text; the rest is <unk>."""
    return NGramLM(Vocabulary.of(TOKENS, 17), order=3).fit(TOKENS)


def shares(model, tokens: list[str]) -> dict[str, float]:
    """Return p(next word), the unknown one left out, likeliest first, in NumPy."""
    p = dict(zip(model.vocabulary.tokens, model.next_log_probs(tokens).exp().numpy(), strict=True))
    p.pop(UNKNOWN)
    return {word: n / sum(p.values()) for word, n in sorted(p.items(), key=lambda pair: -pair[1])}


def test_sharpen_is_a_power_normalised():
    """Catches a temperature that multiplies, and a division by a temperature of zero."""
    p = np.array([0.5, 0.2, 0.2, 0.1])
    for temperature in (0.1, 0.5, 1.0, 2.0):
        expected = p ** (1 / temperature)
        found = sharpen(torch.tensor(p).log(), temperature)
        np.testing.assert_allclose(found, expected / expected.sum(), atol=1e-15)
    assert sharpen(torch.tensor(p).log(), 0).tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("temperature", [0.0, 0.3, 1.0, 2.0])
def test_the_likeliest_words_and_their_shares(model, temperature):
    """Catches shares of the ten shown instead of all, and words of no share in any order."""
    found, p = expect(model, "keep the", temperature, 1), shares(model, ["keep", "the"])
    values = np.array(list(p.values()))
    if temperature:
        sharp = values ** (1 / temperature) / (values ** (1 / temperature)).sum()
    else:
        sharp = np.eye(len(values))[0]
    np.testing.assert_allclose(found.plain, values[:SHOWN], atol=1e-12)
    np.testing.assert_allclose(found.sharpened, sharp[:SHOWN], atol=1e-12)
    np.testing.assert_allclose([p[word] for word in found.words], values[:SHOWN], atol=1e-12)
    assert len(set(found.words)) == SHOWN


def test_a_seed_decides_the_continuation(model):
    """Catches a continuation that changes when something else is moved and back."""
    at = {seed: expect(model, "the", 1.5, seed).continuation for seed in range(1, 9)}
    torch.manual_seed(99)
    assert {seed: expect(model, "the", 1.5, seed).continuation for seed in at} == at
    assert len(set(at.values())) > 6
    assert len({expect(model, "the", 0.0, seed).continuation for seed in at}) == 1


def test_the_unknown_word_is_neither_shown_nor_said(model):
    """Catches "<unk>" where a reader expects words, in a model that expects it often."""
    after = model.next_log_probs(["a"]).exp()[model.vocabulary.number[UNKNOWN]]
    assert after > 0.5
    for seed in range(1, 9):
        found = expect(model, "a", 2.0, seed)
        assert UNKNOWN not in found.words
        assert UNKNOWN not in found.continuation
    strict = NGramLM(Vocabulary(model.vocabulary.tokens[1:], unknown=None), 2)
    assert expect(strict.fit(["we", "must", "keep"]), "we must", 1.0, 1).words[0] == "keep"


def test_unknown_words_of_a_prompt_are_named(model):
    """Catches a prompt that is changed behind the reader's back."""
    assert expect(model, "we want", 1.0, 1).note == ""
    found = expect(model, "we want gnus lynxes okapis quolls", 1.0, 1)
    assert found.note == "unknown to the model: gnus, lynxes, okapis"
    same = expect(model, f"we want {' '.join(['yonder'] * 4)}", 1.0, 1)
    np.testing.assert_array_equal(found.plain, same.plain)


@pytest.mark.parametrize("prompt", ["", "   "])
def test_no_prompt_is_the_end_of_a_speech(model, prompt):
    """Catches an error about an empty prompt."""
    found = expect(model, prompt, 1.0, 1)
    assert found.prompt == "the end of a speech"
    np.testing.assert_allclose(found.plain, list(shares(model, [END]).values())[:SHOWN])


def test_a_speech_that_ends_says_so(model):
    """Catches an end mark printed as if it were a word, and a text that goes on behind it."""
    ends = [expect(model, "the people .", 2.0, seed).continuation for seed in range(1, 40)]
    assert any(text.endswith("[end of the speech]") for text in ends)
    assert not any(END in text for text in ends)
    assert any(len(text.split()) >= WORDS_ON for text in ends)


def test_a_prompt_of_two_hundred_words_counts_from_its_end(model):
    """Catches a prompt cut at the wrong end, or a minute of reading."""
    words = [model.vocabulary.tokens[3 + i % 14] for i in range(200)]
    whole, last = (expect(model, " ".join(part), 1.0, 1) for part in (words, words[-MOST_WORDS:]))
    np.testing.assert_array_equal(whole.plain, last.plain)
    assert whole.continuation == last.continuation


def test_markup_in_a_prompt_stays_text(model):
    """Catches a prompt that becomes part of the page."""
    explorer = explore_generation({"small": model})
    explorer.controls["prompt"].value = "<b>we</b> & $x$"
    assert "<b>" not in explorer.words.value
    assert "'<b>we</b> & $x$'" in html.unescape(explorer.words.value)
    explorer.close()


def test_the_bars_are_the_shares(model):
    """Catches bars in another order than their words, marks on the wrong row."""
    drawing, found = NextWordsDrawing(), expect(model, "we must", 0.5, 3)
    drawing.show(expect(model, "the", 2.0, 1))
    said = drawing.show(found)
    np.testing.assert_array_equal([bar.get_width() for bar in drawing.bars], found.sharpened)
    np.testing.assert_array_equal(drawing.marks.get_xdata(), found.plain)
    middles = [bar.get_y() + bar.get_height() / 2 for bar in drawing.bars]
    np.testing.assert_allclose(drawing.marks.get_ydata(), middles)
    np.testing.assert_allclose([text.get_position()[1] for text in drawing.words], middles)
    assert [text.get_text() for text in drawing.words] == [
        readable(w, LONGEST) for w in found.words
    ]
    assert not any(text.get_parse_math() for text in drawing.words)  # "$" is a word of its own
    assert middles == sorted(middles, reverse=True)  # the likeliest on top
    assert drawing.text.get_text().split() == ["…", *found.continuation.split()]
    assert f"'{found.words[0]}' with {share(found.sharpened[0])}" in said
    assert found.continuation in said
