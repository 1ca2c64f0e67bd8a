"""Character language models: of the Python standard library, and of tiny Shakespeare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from torch import Tensor

from course_utils.data.sets import registry
from course_utils.data.source_code import PARTS, source_modules, source_text
from course_utils.data.vocabulary import Vocabulary
from course_utils.settings import UNKNOWN
from course_utils.training.cookbook.streams import StreamConfig, text_plan
from course_utils.training.recipes.recipe import Plan, Recipe, register

SHAKESPEARE = "tiny_shakespeare"
HELD_OUT = 0.05  # of a text, twice: for validation and for testing


@dataclass(frozen=True)
class CharacterConfig(StreamConfig):
    """Characters seen less often than `min_count` are one."""

    min_count: int = 20
    bf16: bool = True  # twice as fast where the processor multiplies in 16 bits


@cache
def source_vocabulary(min_count: int) -> Vocabulary:
    """Return the characters of the training text, the most frequent first."""
    return Vocabulary.of(source_text("train"), min_count=min_count, special=(UNKNOWN,))


@cache
def source_texts(min_count: int, share: int = 1) -> tuple[Tensor, ...]:
    """Return the three parts as numbers; of the first, every module whose place `share` divides."""
    words = source_vocabulary(min_count)
    kept = source_modules("train")[::share]
    texts = ["".join(module.text for module in kept), *map(source_text, PARTS[1:])]
    return tuple(words.encode(text) for text in texts)


def source_plan(config: CharacterConfig) -> Plan:
    """Read module after module."""
    words, texts = source_vocabulary(config.min_count), source_texts(config.min_count)
    return replace(text_plan(config, words, texts), bf16=config.bf16)


def shakespeare_plan(config: CharacterConfig) -> Plan:
    """Read the plays from the first to the last; the ends of the text are held out."""
    text = registry.load(SHAKESPEARE)
    held = round(HELD_OUT * len(text))
    parts = text[: -2 * held], text[-2 * held : -held], text[-held:]
    words = Vocabulary.of(parts[0], min_count=config.min_count, special=(UNKNOWN,))
    return replace(text_plan(config, words, [*map(words.encode, parts)]), bf16=config.bf16)


RECIPE = CharacterConfig(
    steps=10_000, lr=3e-3, width=64, hidden=320, dropout=0.1, batch=32, piece=100,
    evaluate_every=500,
)  # fmt: skip
register(
    Recipe(
        "source_lstm",
        "a character LSTM on the Python standard library",
        "source of the standard library of the Python that trains it, whole packages held out",
        RECIPE,
        source_plan,
        "recurrent_lm",
    )
)
register(
    Recipe(
        "shakespeare_lstm",
        "the same on a million characters of Shakespeare, for those who fetch them",
        "tiny Shakespeare, its last tenth held out",
        # a sixth of the text is soon known by heart: fewer steps, more dropout
        replace(RECIPE, steps=3000, dropout=0.3, evaluate_every=300),
        shakespeare_plan,
        "recurrent_lm",
        needs=SHAKESPEARE,
    )
)
