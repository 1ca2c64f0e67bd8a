"""The true probabilities of the ambiguous grammar, against sentences that it draws."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from course_utils.data.tagging.exact import exact_grammar
from course_utils.data.tagging.grammar import draw_sentence


@pytest.fixture(scope="module")
def drawn() -> list[list[str]]:
    random = Random(1)
    return [draw_sentence(random).words for _ in range(4000)]


def test_beginnings_are_as_frequent_as_their_odds(drawn):
    """Catches a die that falls on one side only, and odds that are forgotten on the way."""
    exact = exact_grammar()
    for length in (1, 2, 4):
        counts = Counter(tuple(words[:length]) for words in drawn)
        for beginning, count in counts.most_common(8):
            alpha = np.eye(1, len(exact.visits))[0]
            for word in beginning:
                alpha = exact.ahead(alpha, word)
            p = alpha.sum()
            assert abs(count / len(drawn) - p) < 4 * np.sqrt(p / len(drawn))


def test_ends_are_as_frequent_as_their_odds(drawn):
    """Catches a backward pass that is a forward pass, and states that are visited twice."""
    exact = exact_grammar()
    last = Counter(words[-1] for words in drawn)
    truths = {words[-1]: exact.truth(words) for words in drawn}
    for word, count in last.most_common(8):
        p = np.exp(truths[word].backward[-1])
        assert abs(count / len(drawn) - p) < 4 * np.sqrt(p / len(drawn))


def test_both_directions_multiply_to_one_sentence(drawn):
    """Catches a mark that one direction has and the other has not."""
    exact = exact_grammar()
    assert exact.visits[-1] == pytest.approx(1)
    for words in drawn[:30]:
        truth = exact.truth(words)
        assert len(truth.forward) == len(truth.backward) == len(words) + 1
        assert truth.forward.sum() == pytest.approx(truth.backward.sum(), abs=1e-9)


def test_both_sides_are_bayes_over_whole_sentences(drawn):
    """Catches a side that looks at the word itself: both is p(sentence) over its rivals."""
    exact = exact_grammar()
    words = next(s for s in drawn if len(s) == 6)
    place, sides = 2, exact.sides(words)[2]
    rivals = [[*words[:place], word, *words[place + 1 :]] for word in exact.words[2:]]
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.array([np.exp(exact.truth(rival).forward.sum()) for rival in rivals])
    odds = np.nan_to_num(odds)
    assert np.allclose(sides.both[2:], odds / odds.sum())
    for p in sides:
        assert p.sum() == pytest.approx(1)
    assert sides.joined.sum() == pytest.approx(1)
