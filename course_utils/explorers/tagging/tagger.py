"""Tag the reader's own sentence from the left, from the right or both ways."""

from __future__ import annotations

import re
from functools import lru_cache

from course_utils.analysis.tagging.deciding import coder_of, tag_words
from course_utils.data.tagging.python_tokens import NUMBER, STRING
from course_utils.data.vocabulary import Vocabulary
from course_utils.explorers.machinery.controls import choice, slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models.tagging import Tagger
from course_utils.plots.tagging.words import MOST_WORDS, TaggedDrawing, TaggedView
from course_utils.shipped import load_token_network

SENTENCE = "the captain sailed past the old bridge sank"
OFFERED = ("has the pilot moved", "for name in names : print ( name )")
DIRECTIONS = [("both ways", "both"), ("from the left", "forward"),
              ("from the right", "backward"), ("two words on either side", "window")]  # fmt: skip
CODE = re.compile(r"[()\[\]{}=+*/<>_:]|^\s*(?:import|from \S+ import|def|del|assert)\b")
PIECE = re.compile(r"\"[^\"]*\"|'[^']*'|\d[\w.]*|\w+|[^\w\s]")


def explore_tagger(sentence: str = SENTENCE, place: int = 3) -> Explorer:
    """Type a sentence, choose a word of it, and see which others decide its tag."""
    return Explorer(
        "Which words decide a tag?",
        {
            "typed": text(
                "sentence", sentence, "a sentence, or a line of Python; then Enter", OFFERED
            ),
            "place": slider("the word asked about", 1, MOST_WORDS, place, 1),
            "direction": choice("read", DIRECTIONS, "both"),
        },
        tagged_view,
        TaggedDrawing(),
        tabulate_tagged,
    )


def tagged_view(typed: str, place: int, direction: str) -> TaggedView:
    """Return the sentence's tags and the effects of its words on one of them.

    What looks like code is tagged as Python, anything else as the small English.
    """
    task = "python" if CODE.search(typed) else "grammar"
    words = _python_words(typed) if task == "python" else typed.lower().split()
    note = "You typed nothing: this is an example" if not words else ""
    words = (words or SENTENCE.split())[:MOST_WORDS]
    network = tagger(task, direction)
    known = coder_of(network).words
    assert isinstance(known, Vocabulary)
    place = min(place, len(words)) - 1
    found = tag_words(network, words, place)
    unknown = [word for word in words if word not in known and task == "grammar"]
    return TaggedView(
        found.words, found.tags, found.sure.numpy(), place, found.effects.numpy(), note, unknown,
        "Python" if task == "python" else "the small English",
    )  # fmt: skip


def _python_words(typed: str) -> list[str]:
    """Return a line's words as the tagger knows them; half a line will do."""
    words = PIECE.findall(typed.split("#")[0])
    return [STRING if word[0] in "\"'" else NUMBER if word[0].isdigit() else word for word in words]


@lru_cache(maxsize=8)
def tagger(task: str, direction: str) -> Tagger:
    """Return a shipped tagger."""
    network = load_token_network(f"{task}_{direction}")
    assert isinstance(network, Tagger)
    return network


def tabulate_tagged(view: TaggedView) -> Table:
    """Return every word with its tag, its probability and its effect."""
    rows = zip(view.words, view.tags, view.sure.tolist(), view.effects.tolist(), strict=True)
    return Table(("word", "tag", "p", "effect, nats"), list(rows))
