"""Perplexity with a memory that is cut, of gaps, and over a growing text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.data.streams import Stream
from course_utils.models import RecurrentLM
from course_utils.models.language import GapLM
from course_utils.settings import IGNORED
from course_utils.training.race.words import load_word_race

LANES = 16


def perplexity_in_pieces(model: RecurrentLM, tokens: Tensor, steps: int, reset: bool) -> float:
    """Return the perplexity of a text read in pieces; `reset` begins each with an empty state."""
    total, count, state = 0.0, 0, None
    with torch.no_grad():
        for read, asked in Stream(tokens, LANES, steps):
            logits, state = model(read, None if reset else state)
            summed = cross_entropy(
                logits.flatten(0, 1), asked.flatten(), ignore_index=IGNORED, reduction="sum"
            )
            total, count = total + summed.double(), count + int((asked != IGNORED).sum())
    return (total / count).exp().item()


def gap_perplexity(model: GapLM, tokens: Tensor, steps: int) -> float:
    """Return among how many words a model is in doubt at a gap, over all gaps of all pieces."""
    total, count = 0.0, 0
    with torch.no_grad():
        for read, _ in Stream(tokens, LANES, steps):
            if len(read) > 2:
                gaps = read[1:-1].numel()
                total, count = total + model.loss(read).double() * gaps, count + gaps
    return (total / count).exp().item()


class WordRace(NamedTuple):
    """Perplexity of every model of the shipped race, from the least text to the most."""

    tokens: Sequence[int]
    scores: dict[str, list[float]]


def word_race(models: Sequence[str] = ("2-gram", "5-gram", "lstm")) -> WordRace:
    """Look up the race: who has which perplexity after how many words of training text."""
    rows = load_word_race()["rows"]
    tokens = sorted({row["tokens"] for row in rows})
    found = {(row["model"], row["tokens"]): row["perplexity"] for row in rows}
    return WordRace(tokens, {name: [found[name, n] for n in tokens] for name in models})
