"""The shipped biLM, read once; a reader's sentence, cut to what a picture can show."""

from __future__ import annotations

from functools import lru_cache

import ipywidgets as widgets

from course_utils.analysis.elmo.letters import LetterIndex
from course_utils.analysis.elmo.walk import Way, way_of
from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.data.tokens import GLUE, tokenize
from course_utils.explorers.machinery.controls import slider
from course_utils.models.elmo import BiLanguageModel

COMPARED = 3000  # words that filters and nearest spellings are compared with
SPECIAL = 3  # entries at the head of the softmax's words that are not words


@lru_cache(maxsize=1)
def shipped() -> BiLanguageModel:
    """Return the model that comes with the course, its softmax included."""
    return BiLanguageModel.from_pretrained()


@lru_cache(maxsize=16)
def way_through(tokens: tuple[str, ...]) -> Way:
    """Return everything the shipped model computes for one sentence."""
    return way_of(shipped().bilm, tokens)


@lru_cache(maxsize=1)
def letter_index() -> LetterIndex:
    """Return the most frequent words of the speeches by their letters."""
    model = shipped()
    words = [word for word in model.words[SPECIAL:] if word.isascii()]
    return LetterIndex(model.bilm.encoder, words[:COMPARED])


@lru_cache(maxsize=1)
def training_texts() -> list[list[list[str]]]:
    """Return the speeches that the model has read, as sentences."""
    return [sentences(speech.text) for speech in english().train]


def tokens_of(typed: str, most: int, otherwise: str) -> tuple[list[str], str]:
    """Return the first `most` tokens of a typed sentence, and a note on what was left out."""
    found = (
        [token for token in tokenize(text) if not token.isspace() and token != GLUE]
        for text in (typed, otherwise)
    )
    tokens = next(filter(None, found))
    note = f"Only the first {most} words and marks are read." if len(tokens) > most else ""
    return tokens[:most], note


def word_slider(
    label: str, typed: widgets.Text, most: int, otherwise: str, start: int
) -> widgets.IntSlider:
    """Return a slider over the words of a typed sentence, as long as the sentence."""

    def length() -> int:
        return len(tokens_of(typed.value, most, otherwise)[0])

    control = slider(label, 1, length(), min(start, length()), 1)
    typed.observe(lambda _: control.set_trait("max", length()), "value")
    return control
