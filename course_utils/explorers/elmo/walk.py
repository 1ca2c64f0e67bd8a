"""Follow one word through ELMo, from its letters to the mix of its layers."""

from __future__ import annotations

import numpy as np

from course_utils.explorers.elmo.shared import letter_index, tokens_of, way_through, word_slider
from course_utils.explorers.machinery.controls import stops, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.elmo.walk import STOPS, WordView, WordWalkDrawing, layers_of
from course_utils.plots.elmo.walk_layout import CELLS
from course_utils.plots.svg import Sketch

SENTENCE = "Let's stick to"
MOST_WORDS = 12
OFFERED = ("The state of the Union",)
EVEN = np.full(3, 1 / 3)  # an untrained task takes the mean


def explore_elmo_walk(sentence: str = SENTENCE, word: int = 3) -> Explorer:
    """Walk with one word of a sentence through the whole model, step by step."""
    typed = text("sentence", sentence, "a sentence (Enter)", OFFERED)
    return Explorer(
        "One word's path through ELMo",
        {
            "typed": typed,
            "word": word_slider("word number", typed, MOST_WORDS, SENTENCE, word),
            "step": stops("step", [(f"{n + 1}: {s}", s) for n, s in enumerate(STOPS)]),
        },
        view_of,
        WordWalkDrawing(),
        tabulate_way,
    )


def walk_still(sentence: str = SENTENCE, word: int = 3) -> Sketch:
    """Return the whole model on one picture: the walk's last stop."""
    drawing = WordWalkDrawing()
    words = drawing.show(view_of(sentence, word, STOPS[-1]))
    return Sketch(drawing.scene, words)


def view_of(typed: str, word: int, step: str) -> WordView:
    """Return what is seen at one stop; a word number beyond the end means the last word."""
    tokens, note = tokens_of(typed, MOST_WORDS, SENTENCE)
    way = way_through(tuple(tokens))
    if word > len(tokens):
        word, note = len(tokens), f"{note} There is no word {word}: this is the last.".strip()
    spelled = letter_index().spelled(tokens[word - 1])
    strongest = spelled.fired[0]
    around, P = slice(word - 1, word + 2), way.width
    return WordView(
        words=way.tokens[around],
        letters=spelled.letters,
        window=(strongest.start, strongest.width),
        features=way.features[word, :CELLS].numpy(),
        passed=way.passed[word, :CELLS].numpy(),
        tokens=way.layers[0, around, :CELLS].numpy(),
        ahead=way.layers[1:3, around, :CELLS].numpy(),
        back=way.layers[1:3, around, P : P + CELLS].numpy(),
        shares=EVEN,
        gamma=1.0,
        open_share=float(way.gates[word].mean()),
        sizes=(way.features.shape[1], P),
        place=(word, len(tokens)),
        stop=step,
        note=note,
    )


def tabulate_way(view: WordView) -> Table:
    """Return the first numbers of every vector of the word."""
    names = [f"layer {level}, {side}" for level in range(3) for side in ("forward", "backward")]
    rows = zip(names, layers_of(view).reshape(6, -1), strict=True)
    headers = ("vector", *(f"no. {n + 1}" for n in range(CELLS)))
    made = [("ELMo, forward half", *view.mixed[0]), ("ELMo, backward half", *view.mixed[1])]
    return Table(headers, [*((name, *vector) for name, vector in rows), *made])
