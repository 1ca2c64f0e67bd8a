"""ELMo opened: letters, sight, gaps, uses and a word's way, against slower ways to say it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import cosine_similarity

from course_utils.analysis.elmo import judged, letters, sight
from course_utils.analysis.elmo.counted import strangers_alike, uses_of
from course_utils.analysis.elmo.letters import SLIPS, LetterIndex, misspelt
from course_utils.analysis.elmo.walk import way_of
from course_utils.models.elmo import BOS, EOS, BiLanguageModel, BiLM, Options
from course_utils.models.elmo.characters import encode_words

OPTIONS = Options(
    projection=5, cells=11, layers=2, filters=((1, 3), (3, 4)), char_dim=4, highways=2
)
WORDS = ["<unk>", BOS, EOS, "the", "sea", "is", "calm", "."]
TEXT = [["the", "sea", "is", "calm", "."], ["calm", "."], ["the", "sea", "is", "the", "sea", "."]]
SPELLED = ["play", "player", "plays", "naïve", "sea", "seas", "seal", "playing"]


@pytest.fixture
def model(float64):
    """Return a small language model in float64 whose softmax has opinions."""
    torch.manual_seed(1)
    made = BiLanguageModel(OPTIONS, WORDS).eval().requires_grad_(False)
    made.softmax.weight.normal_()
    return made


def test_a_filter_s_place_and_strength_are_those_of_its_products(model):
    """Catches filters numbered by width, a start one slot off, a spread of the wrong axis."""
    encoder, index = model.bilm.encoder, LetterIndex(model.bilm.encoder, SPELLED)
    embedded, (narrow, wide) = encoder.embedding.weight, encoder.convolutions
    number = 3 + 2  # the third of the wide ones

    def answers(word):
        c = embedded[encode_words([word])[0]]
        return np.array([
            (wide.weight[2] * c[p : p + 3].T).sum() + wide.bias[2] for p in range(48)
        ])  # fmt: skip

    best = np.array([answers(word).max() for word in SPELLED])
    spelled = index.spelled("splay", top=7)
    (fired,) = (one for one in spelled.fired if one.number == number)
    own = answers("splay")
    assert fired.width == 3
    assert fired.start == own.argmax()
    assert fired.strength == pytest.approx((own.max() - best.mean()) / best.std())
    assert fired.letters == ("⟨splay⟩" + "·" * 50)[fired.start :][:3]
    assert [one.strength for one in spelled.fired] == sorted(
        (one.strength for one in spelled.fired), reverse=True
    )
    favourites = index.favourites(number, 3)
    assert favourites[0][1] == SPELLED[best.argmax()]
    assert len({seen for seen, *_ in favourites}) == 3
    assert narrow.out_channels == 3


def test_an_index_holds_the_responses_of_some_words_at_a_time(model, monkeypatch):
    """Catches a gigabyte for the ten thousand words of lecture 09, and other numbers without it."""
    encoder, sizes = model.bilm.encoder, []
    whole = LetterIndex(encoder, SPELLED)
    monkeypatch.setattr(letters, "AT_ONCE", 3)
    for convolution in encoder.convolutions:
        convolution.register_forward_hook(lambda _, inputs, out: sizes.append(len(out)))
    index = LetterIndex(encoder, SPELLED)
    assert max(sizes) == 3
    for one, other in ((index.best, whole.best), (index.start, whole.start)):
        assert torch.equal(one, other)
    assert torch.allclose(index.vectors, whole.vectors)


def test_a_filter_is_chosen_on_one_half_and_reported_on_the_other(model):
    """Catches a score on the words that chose it, and luck that deals the true labels."""
    words = [f"{n}s" if n % 4 < 2 else str(n) for n in range(40)]
    index = LetterIndex(model.bilm.encoder, words)
    marks = torch.tensor([word.endswith("s") for word in words])
    index.best[::2, 4] = marks[::2].double() * 99  # perfect, where filters are chosen
    index.best[1::2, 4] = -marks[1::2].double()  # upside down, where they are reported
    found = index.choose(lambda word: word.endswith("s"), shuffles=3)
    assert found.number == 4
    assert found.score == 0
    assert found.luck.shape == (3,)
    assert found.luck.std() > 0


def test_what_is_spelled_alike_is_near(model):
    """Catches a word that finds itself, and misspellings compared with one another."""
    index = LetterIndex(model.bilm.encoder, SPELLED)
    near = index.nearest("plays", 7)
    assert "plays" not in [word for word, _ in near]
    assert len(near) == 7
    vector, other = model.bilm.encoder(encode_words(["plays", near[0][0]]))
    assert near[0][1] == pytest.approx(cosine_similarity(vector, other, dim=0).item())
    assert index.found_again([("play", "play"), ("sea", "sea")]) == 1
    assert index.found_again([("play", "sea"), ("sea", "sea")]) == 0.5
    assert index.found_again([("play", "sea")], among=8) == 1


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_changes_one_place_inside(slip):
    """Catches slips at the ends, words left as they are, and words that are known after all."""
    words = ["country", "present", "between", "national"]
    pairs = misspelt(words, slip, known=set(words))
    assert pairs == misspelt(words, slip, known=set(words))
    for word, other in pairs:
        assert other[0] == word[0]
        assert abs(len(other) - len(word)) <= 1
        assert other not in words
    assert misspelt(words, slip, known={other for _, other in pairs}) == []


def test_sight_is_exact_where_no_path_leads(model):
    """Catches a backward direction that is not turned back, and an upper half called lower."""
    x = torch.randn(6, 5, dtype=torch.float64)
    for direction in (0, 1):
        found = sight.sight_of(sight.direction_of(model.bilm, direction), x)
        assert sight.beyond(found, direction) == 0.0
        assert sight.within(found, direction) > 0
        assert sight.beyond(found, 1 - direction) > 0
        assert sight.within(found, 1 - direction) == 0.0
    one, two = (torch.nn.LSTM(5, 7, num_layers=n, bidirectional=True) for n in (1, 2))
    for direction in (0, 1):
        assert sight.beyond(sight.sight_of(sight.half_of(one, direction), x), direction) == 0.0
        assert sight.beyond(sight.sight_of(sight.half_of(two, direction), x), direction) > 0


def test_the_directions_are_those_of_the_bilm(model):
    """Catches token vectors of another order than the model's own."""
    tokens = TEXT[0]
    layers = way_of(model.bilm, tokens).layers  # with boundaries
    x = layers[0, :, :5]
    for direction in (0, 1):
        own = sight.direction_of(model.bilm, direction)(x)
        torch.testing.assert_close(own, layers[2, :, 5 * direction : 5 * direction + 5])


def test_sight_is_a_finite_difference(model):
    """Catches gradients of the wrong output."""
    x = torch.randn(4, 5, dtype=torch.float64)
    read = sight.direction_of(model.bilm, 0)
    found = sight.sight_of(read, x)
    probe = torch.randn(5, generator=torch.Generator().manual_seed(20), dtype=torch.float64)
    slope = torch.zeros(5, dtype=torch.float64)
    for d in range(5):
        step = torch.zeros_like(x)
        step[1, d] = 1e-6
        slope[d] = ((read(x + step) - read(x - step))[3] @ probe) / 2e-6
    assert found[3, 1] == pytest.approx(slope.norm().item(), rel=1e-6)


def test_n_grams_are_asked_what_the_bilm_is_asked(model):
    """Catches a start of a sentence that counts, and a text that begins in another's memory."""
    for way in (0, 1):
        ngram = judged.count_ngrams(model, [TEXT, TEXT[:1]], 2, way)
        mark, far = (BOS, EOS) if way == 0 else (EOS, BOS)
        nats, count = 0.0, 0
        for text in (TEXT, TEXT[1:]):
            stream = [t for s in text for t in (mark, *(s if way == 0 else s[::-1]), far)]
            for n in range(1, len(stream)):
                if stream[n] != mark:
                    ids = model.numbers(stream[: n + 1])
                    nats, count = nats - ngram.log_probs(ids)[-1].item(), count + 1
        found = judged.counted_perplexity(ngram, model, [TEXT, TEXT[1:]], way)
        assert found == pytest.approx(math.exp(nats / count))
        assert count == sum(len(s) + 1 for s in (*TEXT, *TEXT[1:]))


def test_a_gap_is_filled_by_both_guesses_over_the_share(model):
    """Catches a side read at the gap itself, and a product that is no distribution."""
    shares = judged.log_shares(model, [TEXT])
    counts = np.array([0, 3, 3, 3, 3, 2, 2, 3]) + 1.0  # with the boundaries
    np.testing.assert_allclose(shares.exp(), counts / counts.sum())
    tokens = TEXT[0]
    filled = judged.fill(model, tokens, shares)
    guesses = model.guesses(tokens, top=len(WORDS))
    for one, guess in zip(filled, guesses, strict=True):
        left, right = (
            np.array([g.probabilities[g.words.index(word)] for word in WORDS])
            for g in (guess.forward, guess.backward)
        )
        np.testing.assert_allclose(one.left.exp(), left, rtol=1e-9)
        np.testing.assert_allclose(one.right.exp(), right, rtol=1e-9)
        both = left * right / (counts / counts.sum())
        np.testing.assert_allclose(one.both.exp(), both / both.sum(), rtol=1e-9)
    scores = judged.gap_scores(model, TEXT[:2], shares)
    nats = [
        -one.both[WORDS.index(word)].item()
        for s in TEXT[:2]
        for word, one in zip(s, judged.fill(model, s, shares), strict=True)
    ]
    assert scores.gaps == 7 == len(nats)
    assert scores.perplexity["both"] == pytest.approx(math.exp(sum(nats) / 7))
    assert 0 <= scores.first["left"] <= 1


def test_different_words_are_compared_once_each(float64):
    """Catches two uses of one word that count as strangers."""
    bilm = BiLM(OPTIONS).eval().requires_grad_(False)
    words = ("the", "sea", "calm")
    vectors = [uses_of(bilm, TEXT, [word])[word].vectors[:, 0] for word in (*words, "is", ".")]
    found = strangers_alike(bilm, TEXT)
    for layer, mean in enumerate(found):
        pairs = [
            cosine_similarity(a[layer], b[layer], dim=0).item()
            for n, a in enumerate(vectors)
            for b in vectors[:n]
        ]
        assert mean == pytest.approx(np.mean(pairs))


def test_uses_of_a_word_are_counted_once_where_they_are_equal(float64):
    """Catches a sentence read twice that counts twice, and layers that lose the batch's order."""
    bilm = BiLM(OPTIONS).eval().requires_grad_(False)
    text = [TEXT[0], TEXT[1], TEXT[0], TEXT[2], ["nothing"]]
    found = uses_of(bilm, text, ["the", "calm", "ship"])
    the = found["the"]
    assert the.vectors.shape == (3, 4, 10)
    assert the.different == [1, 3, 3]
    assert the.alike[0] == pytest.approx(1)
    assert found["calm"].different == [1, 2, 2]
    assert found["ship"].different == [0, 0, 0]
    assert found["ship"].alike == [1, 1, 1]
    a, b = found["calm"].vectors[2][:2]
    cosines = [
        cosine_similarity(a, b, dim=0).item()
        for n, a in enumerate(found["calm"].vectors[2])
        for b in found["calm"].vectors[2][:n]
    ]
    assert found["calm"].alike[2] == pytest.approx(np.mean(cosines))
    inside = {tuple(v.tolist()) for v in the.vectors[1].round(decimals=9)}
    own = bilm([TEXT[2]]).layers[1, 0, 3].round(decimals=9)
    assert tuple(own.tolist()) in inside


def test_a_word_s_way_is_the_model_s(model):
    """Catches states with the residual still in them, and gates of the first highway layer."""
    tokens = TEXT[0]
    way = way_of(model.bilm, tokens)
    torch.testing.assert_close(way.layers[:, 1:-1], model.bilm([tokens]).layers[:, 0])
    torch.testing.assert_close(way.layers[2], way.states[1] + way.layers[1])
    torch.testing.assert_close(way.layers[1], way.states[0])
    assert way.tokens == [BOS, *tokens, EOS]
    first, second = model.bilm.encoder.highways
    torch.testing.assert_close(way.passed, second(first(way.features)))
    torch.testing.assert_close(way.gates, torch.sigmoid(second.gate(first(way.features))))
    torch.testing.assert_close(
        model.bilm.encoder.projection(way.passed), way.layers[0, :, : way.width]
    )
