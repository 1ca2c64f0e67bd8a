"""Character language models of the Python standard library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from torch import Tensor

from course_utils.data.source_code import PARTS, source_text
from course_utils.data.vocabulary import UNKNOWN, Vocabulary
from course_utils.training.recipe import Recipe, Task, register
from course_utils.training.recipes.streams import StreamConfig, build_model, stream_task


@dataclass(frozen=True)
class SourceConfig(StreamConfig):
    """Characters seen less often than this are one."""

    min_count: int = 20


@cache
def _encoded(min_count: int) -> tuple[Vocabulary, list[Tensor]]:
    texts = [source_text(part) for part in PARTS]
    vocabulary = Vocabulary.of(texts[0], min_count=min_count, special=(UNKNOWN,))
    return vocabulary, [vocabulary.encode(text) for text in texts]


def source_task(config: SourceConfig) -> Task:
    """Read module after module."""
    vocabulary, texts = _encoded(config.min_count)
    keep = {"V": len(vocabulary), "tokens": vocabulary.tokens}
    return stream_task(config, keep, *texts, warmup=100)


def source_model(config: SourceConfig, keep: dict):
    """Return the bare model with the characters that it knows."""
    model = build_model(config, keep)
    model.vocabulary = Vocabulary(keep["tokens"])
    return model


register(
    Recipe(
        "source_lstm",
        "a character LSTM on the Python standard library",
        "source of the standard library of the Python that trains it, whole packages held out",
        SourceConfig(
            steps=4000, lr=4e-3, width=64, hidden=256, batch=64, piece=100, evaluate_every=400
        ),
        source_task,
        source_model,
    )
)
