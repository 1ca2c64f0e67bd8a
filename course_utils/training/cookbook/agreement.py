"""Models of a small English with agreement: what lecture 06 takes apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from torch import Tensor

from course_utils.data.agreement.corpus import agreement_text
from course_utils.data.vocabulary import END, Vocabulary
from course_utils.settings import UNKNOWN
from course_utils.training.cookbook.streams import StreamConfig, stream_plan
from course_utils.training.recipes.recipe import Plan, Recipe, register


@dataclass(frozen=True)
class AgreementConfig(StreamConfig):
    """How many sentences there are to learn from."""

    sentences: int = 40_000
    text_seed: int = 0


@dataclass(frozen=True)
class WindowConfig(AgreementConfig):
    """The same for a model that sees the last few words only."""

    window: int = 4


class AgreementTexts(NamedTuple):
    """The three parts as numbers of words, and the words."""

    words: Vocabulary
    train: Tensor
    valid: Tensor
    test: Tensor


@cache
def agreement_texts(sentences: int, seed: int) -> AgreementTexts:
    """Return the texts; the parts share words, but not which of them go together."""
    sizes = {"train": sentences, "validation": 2000, "test": 2000}
    texts = [agreement_text(part, size, seed) for part, size in sizes.items()]
    words = Vocabulary.of(texts[0], special=(UNKNOWN, END))
    return AgreementTexts(words, *map(words.encode, texts))


def agreement_plan(config: AgreementConfig) -> Plan:
    """Read the sentences one after the other."""
    words, train, valid, test = agreement_texts(config.sentences, config.text_seed)
    keep = {"V": len(words), "tokens": words.tokens}
    kind = "window_lm" if isinstance(config, WindowConfig) else "recurrent_lm"
    return stream_plan(config, keep, train, valid, test, warmup=100, kind=kind)


DATA = "sentences of a small grammar, generated from the seed; word pairs held out"
UNITS = 64  # few enough to see what a single unit does
for cell, name in {"lstm": "LSTM", "gru": "GRU", "elman": "Elman"}.items():
    register(
        Recipe(
            f"agreement_{cell}",
            f"a word {name} of {UNITS} units that has read 40,000 sentences of a small grammar",
            DATA,
            AgreementConfig(
                steps=3000, lr=4e-3, cell=cell, width=UNITS, hidden=UNITS, tied=True,
                evaluate_every=300,
            ),
            agreement_plan,
            "recurrent_lm",
        )
    )  # fmt: skip
register(
    Recipe(
        "agreement_wide",
        "the same LSTM with 100 units and more practice: it knows places and groups as well",
        DATA,
        AgreementConfig(
            steps=5000, lr=4e-3, cell="lstm", width=100, hidden=100, tied=True, evaluate_every=300
        ),
        agreement_plan,
        "recurrent_lm",
    )
)
register(
    Recipe(
        "agreement_window",
        "a fixed-window model of the same text: it sees four words",
        DATA,
        WindowConfig(steps=3000, lr=4e-3, width=UNITS, evaluate_every=300),
        agreement_plan,
        "window_lm",
    )
)
