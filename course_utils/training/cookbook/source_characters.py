"""Character language models of the Python standard library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from torch import Tensor

from course_utils.data.source_code import PARTS, source_text
from course_utils.data.vocabulary import Vocabulary
from course_utils.settings import UNKNOWN
from course_utils.training.cookbook.streams import StreamConfig, text_plan
from course_utils.training.recipes.recipe import Plan, Recipe, register


@dataclass(frozen=True)
class SourceConfig(StreamConfig):
    """Characters seen less often than this are one."""

    min_count: int = 20


@cache
def _encoded(min_count: int) -> tuple[Vocabulary, list[Tensor]]:
    texts = [source_text(part) for part in PARTS]
    vocabulary = Vocabulary.of(texts[0], min_count=min_count, special=(UNKNOWN,))
    return vocabulary, [vocabulary.encode(text) for text in texts]


def source_plan(config: SourceConfig) -> Plan:
    """Read module after module."""
    return text_plan(config, *_encoded(config.min_count))


register(
    Recipe(
        "source_lstm",
        "a character LSTM on the Python standard library",
        "source of the standard library of the Python that trains it, whole packages held out",
        SourceConfig(
            steps=4000, lr=4e-3, width=64, hidden=256, batch=64, piece=100, evaluate_every=400
        ),
        source_plan,
        "recurrent_lm",
    )
)
