"""The layers of a sentence: which of its tokens are alike in each."""

from __future__ import annotations

from functools import lru_cache

from course_utils.analysis.elmo.contextual import SentenceLayers, sentence_layers
from course_utils.explorers.elmo.shared import shipped, tokens_of, word_slider
from course_utils.explorers.elmo.twin import twin_of_layers
from course_utils.explorers.machinery.controls import stops, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.elmo.contextual import layer_name
from course_utils.plots.elmo.layers import MOST_TOKENS, LayerDrawing, LayerView
from course_utils.plots.glyphs import readable

SENTENCE = "On the 4th of May we may march in March"
OFFERED = ("The right to vote is the right thing", "Let us stick to what we stick together")
NOTHING_TYPED = "May we march in May"


def explore_layers(sentence: str = SENTENCE, word: int = 5) -> Explorer:
    """Compare the tokens of a sentence with one another, layer by layer."""
    levels = shipped().bilm.options.layers + 1
    typed = text("sentence", sentence, "a sentence (Enter)", OFFERED)
    return Explorer(
        "The layers of a sentence",
        {
            "typed": typed,
            "layer": stops("layer", [(f"{n}: {layer_name(n)}", n) for n in range(levels)]),
            "word": word_slider("word number", typed, MOST_TOKENS, NOTHING_TYPED, word),
        },
        view_of,
        LayerDrawing(),
        tabulate_layer,
        twin=twin_of_layers(levels, NOTHING_TYPED),
    )


def view_of(typed: str, layer: int, word: int) -> LayerView:
    """Return one layer; a word number beyond the end means the last word."""
    tokens, note = tokens_of(typed, MOST_TOKENS, NOTHING_TYPED)
    if word > len(tokens):
        word, note = len(tokens), f"{note} There is no word {word}: this is the last.".strip()
    cosines = _layers(tuple(tokens)).similarities[layer]
    return LayerView(tokens, cosines, layer, word - 1, note)


def tabulate_layer(view: LayerView) -> Table:
    """Return the cosine of the chosen token with every token."""
    rows = zip(map(readable, view.tokens), view.cosines[view.at], strict=True)
    return Table(("token", f"cosine with {readable(view.tokens[view.at])}"), list(rows))


@lru_cache(maxsize=16)
def _layers(tokens: tuple[str, ...]) -> SentenceLayers:
    return sentence_layers(shipped().bilm, tokens)
