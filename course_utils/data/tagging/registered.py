"""Published tasks, where the reader has fetched them: `course data fetch NAME`."""

from __future__ import annotations

from random import Random

from course_utils.data.sets.parsers import TaggedWord
from course_utils.data.sets.registry import load
from course_utils.data.tagging.examples import Example, Task

POLARITY_SEED = 2005


def ewt_task() -> Task:
    """Return Universal Dependencies' English Web Treebank, universal tags, its own three parts."""
    parts: dict[str, list[list[TaggedWord]]] = load("ud_english_ewt")
    examples = {
        name: [Example([w.form for w in words], [w.upos for w in words]) for words in sentences]
        for name, sentences in parts.items()
    }
    return Task("ud_english_ewt", "tagging", examples["train"], examples["dev"], examples["test"])


def polarity_task() -> Task:
    """Return Pang and Lee's sentences of film reviews in three parts, 80, 10 and 10 in a hundred.

    The set does not say which sentences come from one review, so no split can keep them together.
    """
    examples = [
        Example(words, ["favourable" if favourable else "unfavourable"])
        for words, favourable in load("sentence_polarity")
        if words
    ]
    Random(POLARITY_SEED).shuffle(examples)
    tenth = len(examples) // 10
    valid, test, train = examples[:tenth], examples[tenth : 2 * tenth], examples[2 * tenth :]
    return Task("sentence_polarity", "classification", train, valid, test)
