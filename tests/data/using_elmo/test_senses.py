"""Sentences with gold senses are what they claim to be."""

from __future__ import annotations

from collections import Counter

from course_utils.data.using_elmo.senses import CLAUSES, sense_uses


def test_senses_are_balanced_and_the_word_stands_where_it_is_said_to():
    """Catches a wrong position, a forgotten star, and a sense that a guess could bet on."""
    uses = sense_uses(each=3, seed=5)
    counts = Counter((use.word, use.sense) for use in uses)
    assert set(counts) == {(word, sense) for word, senses in CLAUSES.items() for sense in senses}
    assert set(counts.values()) == {18}
    assert not any("*" in token for use in uses for token in use.tokens)
    assert len({use.clause for use in uses}) == 120
    assert len({tuple(use.tokens) for use in uses}) == len(uses)


def test_openings_and_endings_tell_no_sense():
    """Catches a frame that stands with one sense only, which would answer in its place."""
    uses = sense_uses(each=8)
    for word in CLAUSES:
        first = {(use.sense, use.tokens[1]) for use in uses if use.word == word}
        senses = Counter(token for _, token in first)
        assert set(senses.values()) == {2}, word
