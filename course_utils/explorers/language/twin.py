"""What the twins of lecture 01 need beside the models: the drawings' frames, looks and letters."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

import ipywidgets as widgets
import numpy as np
import torch

from course_utils.analysis.language.sentence import LIKELIEST
from course_utils.data.vocabulary import words_of
from course_utils.explorers.machinery.frame import packed
from course_utils.explorers.machinery.looks import looks_of
from course_utils.explorers.machinery.tours import Twin, stops_of
from course_utils.models.language import LanguageModel, NGramLM, RecurrentLM
from course_utils.models.language.ngram import Level
from course_utils.models.model_file import model_bytes, read_model, tied_names
from course_utils.plots.language import next_words
from course_utils.plots.language.next_words import NextWords, NextWordsDrawing
from course_utils.plots.language.sentence import (
    LONGEST,
    LONGEST_EXPECTED,
    MOST_STEPS,
    SentenceDrawing,
    UnrolledSentence,
)

SHIPPED = ("english_lstm", "word_lstm")
KINDS = {"LSTM": "lstm", "GRU": "gru", "RNN_TANH": "tanh", "RNN_RELU": "elman"}
MOMENTS = {"faint": 0, "forward": MOST_STEPS, "backward": 2 * MOST_STEPS}


def twin_of_sentence(sentence: str, names: Sequence[str]) -> Twin:
    """Return the twin of a walk through a sentence with these shipped models."""

    def data() -> dict[str, object]:
        shown = {look: _walked(moment) for look, moment in MOMENTS.items()}
        return {
            **looks_of(SentenceDrawing(), shown),
            "sentence": sentence,
            "most": MOST_STEPS,
            "longest": LONGEST,
            "longestExpected": LONGEST_EXPECTED,
            "likeliest": LIKELIEST,
            "names": names,
        }

    return Twin("sentence", tuple(names), data)


def _walked(moment: int) -> UnrolledSentence:
    """Return a walk in which every column of the drawing is seen."""
    words, zeros = ["a"] * MOST_STEPS, np.zeros(MOST_STEPS)
    shares = np.zeros((MOST_STEPS, LIKELIEST))
    likeliest = [["a"] * LIKELIEST] * MOST_STEPS
    return UnrolledSentence(
        words, words, likeliest, shares, zeros, zeros, zeros, zeros, moment, False, ""
    )


def twin_of_generation(
    models: Mapping[str, LanguageModel],
    controls: Mapping[str, widgets.Widget],
    words_on: int,
    most: int,
) -> Twin | None:
    """Return the twin of models that write; nothing where a page could not run one of them."""
    if not all(_can_be_told(model) for model in models.values()):
        return None
    found = {name: _shipped_name(model) for name, model in models.items()}

    def data() -> dict[str, object]:
        values = {
            name: [value for _, value in stops_of(control, None)]
            for name, control in controls.items()
            if not isinstance(control, widgets.Text)
        }
        shown = {f"{end:g}": _expected(end) for end in next_words.ENDS}
        drawing = NextWordsDrawing()
        return {
            **looks_of(drawing, shown),
            "rise": drawing.ax.get_ylim(),
            "values": values,
            "speakers": [_told(model, found[name]) for name, model in models.items()],
            "draws": packed([chances(seed, words_on) for seed in values["seed"]]),
            "wordsOn": words_on,
            "most": most,
            "mostSaid": next_words.MOST_SAID,
            "shown": next_words.SHOWN,
            "longest": next_words.LONGEST,
            "ends": next_words.ENDS,
            "lettersALine": next_words.LETTERS,
        }

    return Twin("next_words", tuple(dict.fromkeys(filter(None, found.values()))), data)


def chances(seed: int, count: int) -> list[float]:
    """Return the numbers that a Sampler of one row draws from one after the other."""
    generator = torch.Generator().manual_seed(seed)
    draws = [torch.rand(1, generator=generator, dtype=torch.float64) for _ in range(count)]
    return [draw.item() for draw in draws]


def _expected(end: float) -> NextWords:
    """Return what makes the axis of the drawing reach so far."""
    shares = np.full(next_words.SHOWN, end)
    return NextWords("a", "", 1.0, ["a"] * next_words.SHOWN, shares, shares, "a")


def _can_be_told(model: LanguageModel) -> bool:
    """Return whether a page knows how such a model reads: counts, or one layer with a state."""
    if isinstance(model, NGramLM):
        return words_of(model).unknown is not None
    if not isinstance(model, RecurrentLM) or words_of(model).unknown is None:
        return False
    layer = model.recurrent
    return bool(layer.num_layers == 1 and not layer.bidirectional and layer.bias)


def _shipped_name(model: LanguageModel) -> str | None:
    """Return the shipped model that has the same weights and words."""
    if not isinstance(model, RecurrentLM):
        return None
    own = model.state_dict()
    for name in SHIPPED:
        file = read_model(name)
        same_words = file.keep.get("tokens") == words_of(model).tokens
        if same_words and all(
            key in own and torch.equal(own[key].to(value.dtype), value)
            for key, value in file.weights.items()
        ):
            return name
    return None


def _told(model: LanguageModel, shipped: str | None) -> dict[str, object]:
    """Return a model as a page reads it: by its name, or with all of its weights or counts."""
    words = words_of(model)
    if isinstance(model, NGramLM):
        levels = [_level(level, model.V) for level in model.levels]
        return {"kind": "counts", "words": words.tokens, "levels": levels}
    assert isinstance(model, RecurrentLM)
    kind = KINDS[model.recurrent.mode]
    if shipped:
        return {"kind": kind, "shipped": shipped}
    tied = tied_names(model)
    weights = {key: value for key, value in model.state_dict().items() if key not in tied}
    file = model_bytes(weights, {"tokens": words.tokens}, torch.float32)
    return {"kind": kind, "file": base64.b64encode(file).decode()}


def _level(level: Level, V: int) -> dict[str, object]:
    """Return all grams of one length, one context after the other, and how many each has."""
    sizes = torch.bincount(level.keys // V, minlength=len(level.totals))
    return {
        "tokens": _whole(level.keys % V),
        "counts": _whole(level.counts),
        "sizes": _whole(sizes),
        "discount": level.discount,
    }


def _whole(numbers: torch.Tensor) -> str:
    """Return whole numbers in letters, as `wholeIn` of the page reads them.

    Most are small: seven bits a byte, and the eighth says that the number goes on.
    """
    values = numbers.numpy().astype(np.int64)[:, None]
    ends = 7 * np.arange(5)
    used = (ends == 0) | (values >> ends > 0)
    goes_on = np.roll(used, -1, axis=1) & (ends < ends[-1])
    found = (values >> ends & 127) | (goes_on << 7)
    return base64.b64encode(found[used].astype(np.uint8).tobytes()).decode()
