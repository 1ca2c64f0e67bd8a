"""Any word of any sentence, and the uses nearest to it in speeches that the biLM has not read."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.analysis.elmo.contextual import Neighbour, Neighbours
from course_utils.analysis.using_elmo.spaces import speeches_index
from course_utils.data.tokens import GLUE, tokenize
from course_utils.explorers.machinery.controls import choice, switch, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.glyphs import readable
from course_utils.plots.using_elmo.neighbours import ROWS, Concordance, ConcordanceDrawing, Line

SENTENCE = "it was the right thing to do"
OFFERED = ("all men have the right to vote", "turn to the right", "on the right side of history")
PLACES = ("thing", "do", "was")
NOTHING_TYPED = "the state of the union"
MOST_WORDS = 60  # of a typed sentence
LAYERS = [("0: letters only", 0), ("1: first LSTM", 1), ("2: second LSTM", 2)]


def explore_neighbours() -> Explorer:
    """Ask for the nearest uses of a word; the first look takes some seconds to read speeches."""
    return Explorer(
        "Which uses are nearest?",
        {
            "sentence": text("sentence", SENTENCE, "any sentence", OFFERED),
            "word": text("word in it", "right", "a word of the sentence, or its place", PLACES),
            "layer": choice("layer", LAYERS, 2),
            "same": switch("only other uses of this word", True),
        },
        neighbours_of,
        ConcordanceDrawing(),
        tabulate_neighbours,
    )


def neighbours_of(sentence: str, word: str, layer: int, same: bool) -> Concordance:
    """Return the nearest uses; odd input is read as well as it can be, with a note."""
    tokens = [t for t in tokenize(sentence) if not (t.isspace() or t == GLUE)][:MOST_WORDS]
    if not tokens:
        tokens = tokenize(NOTHING_TYPED)
    position, note = place_of(word, tokens)
    index = speeches_index()
    found = index.nearest(tokens, position, ROWS, same, layer)
    uses = index.uses(tokens[position])
    among = f"{uses:,} uses of “{readable(tokens[position])}”" if same else "all words"
    name = {n: name for name, n in LAYERS}[layer].partition(": ")[2]
    return concordance(found, name[0].upper() + name[1:], among, note)


def place_of(word: str, tokens: Sequence[str]) -> tuple[int, str]:
    """Return where a word stands, given the word in any case or the number of its place."""
    word = word.strip()
    for asked, there in ((word, list(tokens)), (word.lower(), [token.lower() for token in tokens])):
        if asked in there:
            return there.index(asked), ""
    if word.isascii() and word.isdigit() and 1 <= int(word[:6]) <= len(tokens):
        return int(word) - 1, ""
    last = len(tokens) - 1
    return last, f"'{readable(word)}' is not in the sentence: showing '{readable(tokens[last])}'"


def concordance(found: Neighbours, layer: str, among: str, note: str) -> Concordance:
    """Return what the drawing shows."""

    def line(item: Neighbour) -> Line:
        return Line(item.before, item.word, item.after, item.similarity)

    return Concordance(line(found.query), [line(n) for n in found.found], layer, among, note)


def tabulate_neighbours(data: Concordance) -> Table:
    """Return the use that is asked about and every neighbour as text."""
    rows = [
        (
            " ".join(map(readable, line.before[-6:])),
            readable(line.word),
            " ".join(map(readable, line.after[:6])),
            said,
        )
        for line, said in [(data.asked, "you ask"), *((n, n.similarity) for n in data.found)]
    ]
    return Table(("before", "word", "after", "cosine"), rows)
