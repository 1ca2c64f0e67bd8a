"""What the explorers of lecture 01 show is what the models and the unrolled unit do."""

from __future__ import annotations

import html

import numpy as np
import pytest
import torch
from matplotlib.colors import same_color

from course_utils.analysis.language.unrolled import INPUTS, unroll
from course_utils.data.vocabulary import END, Vocabulary
from course_utils.explorers import explore_generation, explore_unrolled
from course_utils.explorers.language import MOST_WORDS, WORDS_ON, expect, sharpen
from course_utils.models.language import NGramLM
from course_utils.plots.language.next_words import SHOWN, NextWordsDrawing, printable
from course_utils.plots.language.unrolled import BACKWARD, FORWARD, Moment, UnrolledDrawing
from course_utils.plots.picture import words_of
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


# ── what comes next ───────────────────────────────────────────────────────────────────────────────


def test_sharpen_is_a_power_normalised():
    """Catch a temperature that multiplies, and a division by a temperature of zero."""
    p = np.array([0.5, 0.2, 0.2, 0.1])
    for temperature in (0.1, 0.5, 1.0, 2.0):
        expected = p ** (1 / temperature)
        found = sharpen(torch.tensor(p).log(), temperature)
        np.testing.assert_allclose(found, expected / expected.sum(), atol=1e-15)
    assert sharpen(torch.tensor(p).log(), 0).tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("temperature", [0.0, 0.3, 1.0, 2.0])
def test_the_likeliest_words_and_their_shares(model, temperature):
    """Catch shares of the ten shown instead of all, and words of no share in any order."""
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
    """Catch a continuation that changes when something else is moved and back."""
    at = {seed: expect(model, "the", 1.5, seed).continuation for seed in range(1, 9)}
    torch.manual_seed(99)
    assert {seed: expect(model, "the", 1.5, seed).continuation for seed in at} == at
    assert len(set(at.values())) > 6
    assert len({expect(model, "the", 0.0, seed).continuation for seed in at}) == 1


def test_the_unknown_word_is_neither_shown_nor_said(model):
    """Catch "<unk>" where a reader expects words, in a model that expects it often."""
    after = model.next_log_probs(["a"]).exp()[model.vocabulary.number[UNKNOWN]]
    assert after > 0.5
    for seed in range(1, 9):
        found = expect(model, "a", 2.0, seed)
        assert UNKNOWN not in found.words
        assert UNKNOWN not in found.continuation
    strict = NGramLM(Vocabulary(model.vocabulary.tokens[1:], unknown=None), 2)
    assert expect(strict.fit(["we", "must", "keep"]), "we must", 1.0, 1).words[0] == "keep"


def test_unknown_words_of_a_prompt_are_named(model):
    """Catch a prompt that is changed behind the reader's back."""
    assert expect(model, "we want", 1.0, 1).note == ""
    found = expect(model, "we want gnus lynxes okapis quolls", 1.0, 1)
    assert found.note == "unknown to the model: gnus, lynxes, okapis"
    same = expect(model, f"we want {' '.join(['yonder'] * 4)}", 1.0, 1)
    np.testing.assert_array_equal(found.plain, same.plain)


@pytest.mark.parametrize("prompt", ["", "   "])
def test_no_prompt_is_the_end_of_a_speech(model, prompt):
    """Catch an error about an empty prompt."""
    found = expect(model, prompt, 1.0, 1)
    assert found.prompt == "the end of a speech"
    np.testing.assert_allclose(found.plain, list(shares(model, [END]).values())[:SHOWN])


def test_a_speech_that_ends_says_so(model):
    """Catch an end mark printed as if it were a word, and a text that goes on behind it."""
    ends = [expect(model, "the people .", 2.0, seed).continuation for seed in range(1, 40)]
    assert any(text.endswith("[end of the speech]") for text in ends)
    assert not any(END in text for text in ends)
    assert any(len(text.split()) >= WORDS_ON for text in ends)


def test_a_prompt_of_two_hundred_words_counts_from_its_end(model):
    """Catch a prompt cut at the wrong end, or a minute of reading."""
    words = [model.vocabulary.tokens[3 + i % 14] for i in range(200)]
    whole, last = (expect(model, " ".join(part), 1.0, 1) for part in (words, words[-MOST_WORDS:]))
    np.testing.assert_array_equal(whole.plain, last.plain)
    assert whole.continuation == last.continuation


def test_markup_in_a_prompt_stays_text(model):
    """Catch a prompt that becomes part of the page."""
    explorer = explore_generation({"small": model})
    explorer.controls["prompt"].value = "<b>we</b> & $x$"
    assert "<b>" not in explorer.words.value
    assert "'<b>we</b> & $x$'" in html.unescape(explorer.words.value)
    explorer.close()


def test_the_bars_are_the_shares(model):
    """Catch bars in another order than their words, marks on the wrong row."""
    drawing, found = NextWordsDrawing(), expect(model, "we must", 0.5, 3)
    drawing.show(expect(model, "the", 2.0, 1))
    drawing.show(found)
    np.testing.assert_array_equal([bar.get_width() for bar in drawing.bars], found.sharpened)
    np.testing.assert_array_equal(drawing.marks.get_xdata(), found.plain)
    middles = [bar.get_y() + bar.get_height() / 2 for bar in drawing.bars]
    np.testing.assert_allclose(drawing.marks.get_ydata(), middles)
    np.testing.assert_allclose([text.get_position()[1] for text in drawing.words], middles)
    assert [text.get_text() for text in drawing.words] == [printable(w) for w in found.words]
    assert not any(text.get_parse_math() for text in drawing.words)  # "$" is a word of its own
    assert middles == sorted(middles, reverse=True)  # the likeliest on top
    assert drawing.text.get_text().split() == ["…", *found.continuation.split()]
    said = words_of(drawing.figure)
    assert f"'{found.words[0]}' with {found.sharpened[0]:.0%}" in said
    assert found.continuation in said


@pytest.mark.parametrize(
    ("token", "seen"),
    [
        ("peace", "peace"), ("$x$", "$x$"), ("\n", "[line]"), ("\n\n", "[paragraph]"),
        (" ", "[space]"), ("⁀", "[no space]"), (END, "[end]"), ("a" * 17, "a" * 15 + "…"),
    ],
)  # fmt: skip
def test_every_token_can_be_seen(token, seen):
    """Catch a bar without a name, and a dollar sign told with a backslash."""
    assert printable(token) == seen


# ── the unrolled graph ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("moment", range(9))
def test_the_graph_shows_what_has_been_computed(moment):
    """Catch a value shown before its time or at another step, an arrow that points wrongly."""
    T, run = len(INPUTS), unroll(0.8, 1.3)
    drawing = UnrolledDrawing(T)
    drawing.show(Moment(run, 2 * T - moment))  # whatever was seen before leaves no trace
    drawing.show(Moment(run, moment))
    for t in range(1, T + 1):
        i, reached, returned = t - 1, t <= moment, t > 2 * T - moment
        column = slice(3 * i, 3 * i + 3)
        values = [f"{v[i]:.2f}" if reached else "" for v in (run.x, run.h, run.loss)]
        assert [text.get_text() for text in drawing.values[column]] == values
        assert drawing.gradients[i].get_text() == (f"{run.d_h[i]:+.2f}" if returned else "")
        assert drawing.terms[i].get_text() == (f"{run.d_u[i]:+.3f}" if returned else "")
        for node in drawing.nodes[column]:
            assert same_color(node.get_edgecolor(), FORWARD) == (reached and not returned)
            assert same_color(node.get_edgecolor(), BACKWARD) == returned
        starts, ends = np.array([a._posA_posB for a in drawing.arrows[column]]).transpose(1, 0, 2)
        turn = -1 if returned else 1
        assert np.all(turn * (ends - starts)[:2, 1] > 0)  # up with the values, down with gradients
        assert turn * (ends - starts)[2, 0] > 0  # and along the time


def test_the_words_follow_the_walk():
    """Catch a sum that counts a step twice or leaves one out."""
    T, run = len(INPUTS), unroll(-1.1, 0.7)
    told = []
    for moment in range(2 * T + 1):
        drawing = UnrolledDrawing(T)
        drawing.show(Moment(run, moment))
        told.append(words_of(drawing.figure))
    assert "Nothing has been computed" in told[0]
    assert all(
        f"step {t}:" in told[t] and f"{run.loss[t - 1]:.3f}" in told[t] for t in (1, 2, 3, 4)
    )
    for t in range(1, T + 1):
        assert f"step {t}:" in told[2 * T - t + 1]
        assert f"makes {run.d_u[t - 1 :].sum():+.3f} so far" in told[2 * T - t + 1]
    assert ("later ones" in told[T + 1], "later ones" in told[T + 2]) == (False, True)


def test_the_unrolled_unit_against_autograd():
    """Catch a term of dJ/du at the wrong step, and later losses left out of dJ/dh."""
    x, y = (0.4, -1.2, 0.7, 0.1, 2.0), (1.0, 0.5, -0.3, 0.2, 0.0)
    run = unroll(-1.3, 0.6, x, y, h_0=0.5)
    copies = [torch.tensor(-1.3, dtype=torch.float64, requires_grad=True) for _ in x]
    h, states, total = torch.tensor(0.5, dtype=torch.float64), [], 0
    for u_t, x_t, y_t in zip(copies, x, y, strict=True):
        h = torch.tanh(0.6 * x_t + u_t * h)
        h.retain_grad()
        states.append(h)
        total = total + (h - y_t) ** 2 / 2
    total.backward()
    np.testing.assert_allclose(run.d_u, [u_t.grad for u_t in copies], atol=1e-14)
    np.testing.assert_allclose(run.d_h, [h.grad for h in states], atol=1e-14)
    assert run.loss.sum() == pytest.approx(total.item(), abs=1e-14)


def test_the_table_holds_every_value():
    """Catch a column that repeats its neighbour."""
    explorer = explore_unrolled()
    run, rows = explorer.data.run, explorer.tabulate(explorer.data).rows
    expected = ((1, 2, 3, 4), run.x, run.y, run.h, run.loss, run.d_h, run.d_u)
    np.testing.assert_array_equal(list(zip(*rows, strict=True)), expected)
    explorer.close()
