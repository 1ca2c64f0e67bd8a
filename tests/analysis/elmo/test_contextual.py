"""What the pictures of ELMo show is what the model computes."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.analysis.elmo.contextual import (
    ContextIndex,
    sentence_layers,
    slots_of,
)
from course_utils.models.elmo import BiLM, Options
from course_utils.models.elmo.characters import encode_words

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
    with pytest.raises(ValueError, match="without tokens"):
        sentence_layers(bilm, [])


def test_slots_that_are_no_letters_are_shown():
    """Catches bytes of a multi-byte letter printed as letters of another alphabet."""
    assert slots_of(encode_words(["né"])[0]) == ["⟨", "n", "c3", "a9", "⟩"]
    assert slots_of(encode_words(["<S>"])[0]) == ["⟨", "<S>", "⟩"]


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
    assert ContextIndex(bilm, []).nearest(["zebra"], 0).found == []
    with pytest.raises(ValueError, match="no token 3 in a sentence of 1"):
        ContextIndex(bilm, SENTENCES).nearest(["zebra"], 3)
