"""Lecture 01: the unrolled graph, and generation with temperature."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from course_utils.analysis.language.unrolled import INPUTS, unroll
from course_utils.data.english import english, token_stream
from course_utils.data.tokens import detokenize, tokenize
from course_utils.data.vocabulary import END, Vocabulary
from course_utils.explorers.machinery.controls import choice, slider, text
from course_utils.explorers.machinery.explorer import Explorer, Table
from course_utils.models.language import LanguageModel, NGramLM
from course_utils.models.language.sampling import without
from course_utils.plots.language.next_words import SHOWN, NextWordsDrawing, printable
from course_utils.plots.language.unrolled import Moment, UnrolledDrawing

STEPS = len(INPUTS)
WORDS_ON = 25
MOST_WORDS = 100  # of a prompt: what stands before has left every model's memory


def explore_unrolled() -> Explorer:
    """Let the reader walk forward through the values, then back through the gradients."""
    return Explorer(
        "Forward through the values, back through the gradients",
        {
            "moment": slider("walk", 0, 2 * STEPS, STEPS, 1),
            "u": slider("recurrent weight u", -2.0, 2.0, 0.8, 0.1),
            "w": slider("input weight w", -2.0, 2.0, 1.0, 0.1),
        },
        lambda moment, u, w: Moment(unroll(u, w), moment),
        UnrolledDrawing(STEPS),
        tabulate_unrolled,
    )


def tabulate_unrolled(data: Moment) -> Table:
    """Return every value and gradient of the run."""
    run = data.run
    headers = ("step", "x", "target", "h", "loss", "dJ/dh", "term of dJ/du")
    rows = zip(range(1, STEPS + 1), run.x, run.y, run.h, run.loss, run.d_h, run.d_u, strict=True)
    return Table(headers, list(rows))


class Expectation(NamedTuple):
    """What a model expects after a prompt, and one way it goes on."""

    prompt: str
    note: str  # what had to be done to the prompt
    temperature: float
    words: list[str]  # the likeliest at this temperature
    sharpened: np.ndarray
    plain: np.ndarray
    continuation: str


def explore_generation(models: Mapping[str, LanguageModel] | None = None) -> Explorer:
    """Let models go on from a prompt, more or less boldly; two that count stand in for none."""
    models = dict(models or _counting())
    return Explorer(
        "What comes next?",
        {
            "name": choice("model", list(models)),
            "prompt": text("prompt", "The Congress of the", "a few words"),
            "temperature": slider("temperature", 0.0, 2.0, 0.8, 0.1),
            "seed": slider("draw number", 1, 20, 1, 1),
        },
        lambda name, prompt, temperature, seed: expect(models[name], prompt, temperature, seed),
        NextWordsDrawing(),
        lambda e: Table(
            ("word", "at this temperature", "at temperature 1"),
            list(zip(map(printable, e.words), e.sharpened, e.plain, strict=True)),
        ),
    )


def expect(model: LanguageModel, prompt: str, temperature: float, seed: int) -> Expectation:
    """Return the reshaped distribution after a prompt, and up to 25 words drawn from the model.

    A model's name for the words that it does not know is no word: it is left out.
    """
    tokens = tokenize(prompt.strip())[-MOST_WORDS:] or [END]
    unknown = [token for token in tokens if token not in model.vocabulary]
    note = f"unknown to the model: {', '.join(unknown[:3])}" if unknown else ""
    never = model.vocabulary.encode([w] if (w := model.vocabulary.unknown) else []).tolist()
    plain = without(model.next_log_probs(tokens), never)
    top = plain.topk(SHOWN)  # the same order at every temperature; at 0 all but one are equal
    shaped = sharpen(plain, temperature)[top.indices]
    end = END if END in model.vocabulary else None
    drawn = model.generate(tokens, WORDS_ON, temperature, stop=end, seed=seed, never=never)
    ended = " [end of the speech]" if len(drawn) < WORDS_ON else ""
    return Expectation(
        prompt.strip() or "the end of a speech",
        note,
        temperature,
        model.vocabulary.decode(top.indices),
        shaped.numpy(),
        top.values.exp().numpy(),
        " ".join(detokenize(drawn).split()) + ended,
    )


def sharpen(log_p: Tensor, temperature: float) -> Tensor:
    """Return p^(1/temperature), normalised; at 0 all goes to the likeliest."""
    if temperature == 0:
        return torch.zeros_like(log_p).index_fill_(0, log_p.argmax(), 1.0)
    return (log_p / temperature).softmax(dim=0)


@lru_cache(maxsize=1)
def _counting() -> dict[str, LanguageModel]:
    stream = token_stream(english(1961, 1988).train)
    words = Vocabulary.of(stream, 4000)
    numbers = words.encode(stream)
    orders = {"trigram": 3, "bigram": 2}
    return {name: NGramLM(words, order).fit(numbers) for name, order in orders.items()}
