"""What the pictures of ELMo show is what the model computes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from matplotlib.cbook import is_math_text
from matplotlib.text import Text

from course_utils.analysis.elmo.contextual import (
    ContextIndex,
    SentenceLayers,
    favourite_letters,
    mix_weights,
    sentence_layers,
    slots_of,
    spelled_word,
)
from course_utils.models.elmo import BiLM, Elmo, Options
from course_utils.models.elmo.characters import encode_words
from course_utils.plots.elmo.contextual import (
    in_context,
    plot_mix_weights,
    plot_neighbours,
    plot_sentence_layers,
    plot_spelled_word,
)

OPTIONS = Options(projection=5, cells=11, layers=2, filters=((1, 3), (3, 4)), char_dim=4)
SENTENCES = [
    ["the", "play", "was", "long"],
    ["they", "play", "in", "the", "park"],
    ["a", "long", "play"],
    ["May"],
]


@pytest.fixture
def bilm():
    """Return a small model."""
    return BiLM(OPTIONS).eval().requires_grad_(False)


def test_layers_of_a_sentence(bilm):
    """Catches cosines over the wrong axis, and rows drawn for another layer than named."""
    tokens = ["the", "sea", "and", "the", "sky"]
    found = sentence_layers(bilm, tokens)
    layers = bilm([tokens]).layers[:, 0].double().numpy()
    for level in range(3):
        for a in range(5):
            for b in range(5):
                x, y = layers[level, a], layers[level, b]
                cosine = x @ y / np.linalg.norm(x) / np.linalg.norm(y)
                assert found.similarities[level, a, b] == pytest.approx(cosine, abs=1e-5)
    assert found.similarities[0, 0, 3] == pytest.approx(1, abs=1e-6)  # one word, one vector
    assert found.similarities[1, 0, 3] < 0.999

    figure, words = plot_sentence_layers(found)
    for level in range(3):
        drawn = figure.axes[level].images[0].get_array()
        np.testing.assert_array_equal(drawn, found.similarities[level])
    assert [t.get_text() for t in figure.axes[0].get_yticklabels()] == tokens
    assert "In characters two tokens have cosine" in words
    assert "the (1) and the (4) with 1.00" in words


@pytest.mark.parametrize(("least", "low"), [(0.4, 0.0), (-0.22, -0.3), (-1.0, -1.0)])
def test_negative_cosines_have_colours_of_their_own(least, low):
    """Catches a scale that begins at 0, where all that points apart looks alike."""
    similarities = np.ones((2, 3, 3))
    similarities[1, 0, 2] = least
    figure = plot_sentence_layers(SentenceLayers(["a", "b", "c"], similarities)).figure
    for ax in figure.axes[:2]:
        assert ax.images[0].get_clim() == pytest.approx((low, 1.0))


@pytest.mark.parametrize("tokens", [["May"], ["incomprehensibly"], ["seventeen"] * 40])
def test_sentences_of_any_length_stay_on_the_page(bilm, tokens):
    """Catches a mean over nothing, titles and words cut off, and words that overlap."""
    figure, words = plot_sentence_layers(sentence_layers(bilm, tokens))
    assert ("one token" in words) == (len(tokens) == 1)
    figure.canvas.draw()
    *squares, _ = figure.axes
    for ax in squares:
        assert ax.title.get_window_extent().y1 < figure.bbox.y1
        boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
        assert all(box.y0 > 0 for box in boxes)
        assert all(a.x1 <= b.x0 for a, b in itertools.pairwise(boxes))
    with pytest.raises(ValueError, match="without tokens"):
        sentence_layers(bilm, [])


def test_mix_weights(bilm):
    """Catches bars in another order than their names, and scalars drawn before the softmax."""
    elmos = {"tagging": Elmo(bilm), "reading": Elmo(bilm, mixes=2)}
    with torch.no_grad():
        elmos["tagging"].mixes[0].scalars.copy_(torch.tensor([0.0, 2.0, 0.0]))
        elmos["reading"].mixes[1].gamma.fill_(1.5)
    found = mix_weights(elmos)
    assert found.names == ["tagging", "reading 1", "reading 2"]
    np.testing.assert_allclose(found.weights[0], np.exp([0, 2, 0]) / (2 + np.exp(2)), rtol=1e-6)
    np.testing.assert_allclose(found.weights[1], 1 / 3, rtol=1e-6)
    plot = plot_mix_weights(found)
    ax, words = plot.ax, plot.words
    widths = np.array([[bar.get_width() for bar in layer] for layer in ax.containers])
    np.testing.assert_allclose(widths.T, found.weights, rtol=1e-6)
    starts = np.array([[bar.get_x() for bar in layer] for layer in ax.containers])
    np.testing.assert_allclose(starts[2], found.weights[:, :2].sum(axis=1), rtol=1e-6)
    assert "tagging: characters 11%, layer 1 79%, layer 2 11%" in words
    assert ax.get_yticklabels()[2].get_text() == "reading 2 (γ = 1.50)"
    with pytest.raises(ValueError, match="at least one task"):
        mix_weights({})


def test_filters_are_drawn_over_the_letters_they_see(bilm):
    """Catches a place off by one (the word's start mark is slot 0), and strengths of the pooled
    layer's activation, where everything below zero looks alike."""
    encoder = bilm.encoder
    words = ["play", "player", "plays", "naïve", "sea"]
    found = spelled_word(encoder, "played", words, top=5)
    assert found.letters == ["⟨", *"played", "⟩"]
    assert [hit.strength for hit in found.hits] == sorted(
        (hit.strength for hit in found.hits), reverse=True
    )
    letters = encoder.embedding.weight
    ids = encode_words(["played", *words], 50)
    responses = {}  # of every filter, word and place
    for (width, count), conv in zip(OPTIONS.filters, encoder.convolutions, strict=True):
        for number in range(count):
            responses[width, number] = np.array([
                [
                    (conv.weight[number] * letters[row[p : p + width]].T).sum() + conv.bias[number]
                    for p in range(50 - width + 1)
                ]
                for row in ids
            ])  # fmt: skip
    least = np.mean([np.abs(r[1:].max(axis=1)) for r in responses.values()]) / 100
    for hit in found.hits:
        response = responses[hit.width, hit.number]
        best = response.max(axis=1)
        strength = (best[0] - np.mean(best[1:])) / max(np.std(best[1:]), least)
        assert hit.start == np.argmax(response[0])
        assert hit.strength == pytest.approx(strength, rel=1e-3, abs=1e-4)
        padded = "".join(found.letters) + "·" * 50
        assert hit.letters == padded[hit.start : hit.start + hit.width]

    plot = plot_spelled_word(found)
    ax = plot.ax
    for hit, box in zip(found.hits, ax.patches, strict=True):
        assert box.get_x() == hit.start - 0.5
        assert box.get_width() == hit.width
    assert [t.get_text() for t in ax.get_xticklabels()][:8] == found.letters
    assert f"{found.hits[0].letters} ({found.hits[0].strength:+.1f})" in plot.words
    # some filter finds the same in both: a spread of 0 makes no strength of a million
    assert spelled_word(encoder, "played", ["sea", "seal"]).hits[0].strength < 1000
    for few in ([], ["sea"], ["sea", "sea"]):
        with pytest.raises(ValueError, match="give some words to compare with"):
            spelled_word(encoder, "played", few)


@pytest.mark.parametrize("word", ["a", "incomprehensibilities" * 3, "достопримечательность" * 2])
def test_long_words_stay_on_the_page(bilm, word):
    """Catches a picture wider than a page, which shrinks it, and letters that overlap."""
    plot = plot_spelled_word(spelled_word(bilm.encoder, word, ["some", "other", "words"]))
    ax = plot.ax
    ax.figure.canvas.draw()
    assert ax.figure.get_figwidth() <= 11
    assert f"fire most on “{word}”" in plot.words
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert all(a.x1 <= b.x0 for a, b in itertools.pairwise(boxes))


STRANGE = ["$5", "and", "$7", "漢字", "x" * 60, "\t", ""]


def test_strange_words_are_drawn_as_they_are(bilm):
    """Catches dollar signs read as a formula, letters that the font lacks, endless words."""
    found = ContextIndex(bilm, [STRANGE]).nearest(["a", *STRANGE[:3]], 1, k=6)
    mix = mix_weights({"$5 or $6": Elmo(bilm)})
    layers = plot_sentence_layers(sentence_layers(bilm, STRANGE)).figure
    for figure in (layers, plot_neighbours(found).figure, plot_mix_weights(mix).figure):
        figure.canvas.draw()
        texts = [text.get_text() for text in figure.findobj(Text)]
        assert any("$" in text for text in texts)
        assert not any(is_math_text(text) for text in texts)
    assert layers.axes[0].get_yticklabels()[4].get_text() == "x" * 19 + "…"


def test_slots_that_are_no_letters_are_shown():
    """Catches bytes of a multi-byte letter printed as letters of another alphabet."""
    assert slots_of(encode_words(["né"])[0]) == ["⟨", "n", "c3", "a9", "⟩"]
    assert slots_of(encode_words(["<S>"])[0]) == ["⟨", "<S>", "⟩"]


def test_a_filter_s_favourites_are_what_it_sees(bilm):
    """Catches strings cut from the wrong word."""
    encoder = bilm.encoder
    words = ["play", "park", "sea", "playing"]
    found = favourite_letters(encoder, 3, 2, words, top=3)
    assert len(found) == 3
    assert found == sorted(found, key=lambda pair: -pair[1])
    for seen, _ in found:
        assert any(seen in f"⟨{word}⟩" + "·" * 40 for word in words)
    best = encoder.filter_responses(encode_words(words))[1][:, 2].max().item()
    assert found[0][1] == pytest.approx(best, rel=1e-6)
    with pytest.raises(ValueError, match="no filter 4 of width 3"):
        favourite_letters(encoder, 3, 4, words)


@pytest.mark.parametrize("layer", [0, 1, -1])
def test_neighbours_in_context(bilm, layer):
    """Catches vectors that lie in another order than their words, and a token that finds itself."""
    index = ContextIndex(bilm, SENTENCES, layer)
    tokens = SENTENCES[1]
    found = index.nearest(tokens, 1, k=4)
    mine = bilm([tokens]).layers[layer, 0, 1].double().numpy()
    expected = []
    for n, sentence in enumerate(SENTENCES):
        vectors = bilm([sentence]).layers[layer, 0].double().numpy()
        for k, v in enumerate(vectors):
            if (n, k) != (1, 1):
                cosine = v @ mine / np.linalg.norm(v) / np.linalg.norm(mine)
                expected.append((cosine, n, k))
    expected.sort(reverse=True)
    for item, (cosine, _, _) in zip(found.found, expected, strict=False):
        assert item.similarity == pytest.approx(cosine, abs=1e-5)
        assert [*item.before, item.word, *item.after] == SENTENCES[item.sentence]
        assert SENTENCES[item.sentence][item.position] == item.word
    same = index.nearest(tokens, 1, k=9, same_word=True).found
    assert {(n.sentence, n.position) for n in same} == {(0, 1), (2, 2)}

    plot = plot_neighbours(found)
    ax = plot.ax
    np.testing.assert_allclose(
        [bar.get_width() for bar in ax.patches], [1.0, *(n.similarity for n in found.found)]
    )
    shown = [text.get_text() for text in ax.texts]
    assert shown[0] == "they [play] in the park"
    assert shown[1:] == [in_context(n) for n in found.found]
    assert "to they [play] in the park:" in plot.words


def test_all_layers_at_once_answer_as_each_alone(bilm):
    """Catches a layer that is asked for and another one that answers."""
    every = ContextIndex(bilm, SENTENCES, None)
    for layer in (0, 1, 2):
        alone = ContextIndex(bilm, SENTENCES, layer).nearest(SENTENCES[1], 1, k=3)
        assert every.nearest(SENTENCES[1], 1, k=3, layer=layer) == alone
    assert every.uses("PLAY") == 3
    assert every.uses("zebra") == 0


def test_nothing_near_is_no_error(bilm):
    """Catches a crash when no other use of the word is known."""
    found = ContextIndex(bilm, SENTENCES).nearest(["zebra"], 0, same_word=True)
    assert found.found == []
    assert "nothing" in plot_neighbours(found).words
    assert ContextIndex(bilm, []).nearest(["zebra"], 0).found == []
    with pytest.raises(ValueError, match="no token 3 in a sentence of 1"):
        ContextIndex(bilm, SENTENCES).nearest(["zebra"], 3)


def test_long_contexts_are_cut_where_the_reader_sees_it(bilm):
    """Catches a cut without a mark."""
    tokens = list("abcdefghijkl")
    item = ContextIndex(bilm, [tokens]).nearest(["x"], 0).found[0]
    text = in_context(item)
    assert text.startswith("… ") == (item.position > 4)
    assert text.endswith(" …") == (item.position < 7)
