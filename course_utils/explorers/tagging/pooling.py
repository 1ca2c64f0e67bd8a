"""How a sentence becomes one vector, and whether the weights say which words matter."""

from __future__ import annotations

from functools import lru_cache

from course_utils.analysis.tagging.deciding import attend, rank_agreement
from course_utils.data.tokens import GLUE, tokenize
from course_utils.explorers.machinery.controls import choice, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models.tagging import POOLINGS, Classifier
from course_utils.plots.tagging.words import MOST_WORDS, PooledDrawing, PooledView
from course_utils.shipped import load_token_network

SENTENCE = "Our commerce with foreign nations has grown and the budget must not ."
OFFERED = (
    "The treaty with the Indian tribes was laid before the Senate .",
    "Tonight I ask the Congress to cut taxes for working families .",
)


def explore_pooling(sentence: str = SENTENCE) -> Explorer:
    """Type a sentence; compare each word's weight with what leaving it out costs."""
    return Explorer(
        "Does the weight say what matters?",
        {
            "typed": text("sentence", sentence, "as a president might say it; then Enter", OFFERED),
            "pooling": choice("pool by", list(POOLINGS), "attention"),
        },
        pooled_view,
        PooledDrawing(),
        tabulate_pooled,
    )


def pooled_view(typed: str, pooling: str) -> PooledView:
    """Return the era of a sentence, weights and effects."""
    words = [word for word in tokenize(typed) if word != GLUE and not word.isspace()]
    note = "You typed nothing: this is an example" if not words else ""
    words = (words or SENTENCE.split())[:MOST_WORDS]
    found = attend(classifier(pooling), words)
    agreement = rank_agreement(found.weights, found.effects)
    return PooledView(
        words, found.label, found.sure, found.weights.numpy(), found.effects.numpy(), agreement,
        note,
    )  # fmt: skip


@lru_cache(maxsize=4)
def classifier(pooling: str) -> Classifier:
    """Return a shipped classifier."""
    network = load_token_network(f"era_{pooling}")
    assert isinstance(network, Classifier)
    return network


def tabulate_pooled(view: PooledView) -> Table:
    """Return every word's weight and effect."""
    rows = zip(view.words, view.weights.tolist(), view.effects.tolist(), strict=True)
    return Table(("word", "weight", "costs, nats"), list(rows))
