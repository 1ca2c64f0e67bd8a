"""The vectors of all sentences of a task, made once: every network then only looks them up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor

from course_utils.data.tagging.examples import Example
from course_utils.results.made_of import SIZES
from course_utils.training.race.using_elmo.samples import FOLDS, fold_of
from course_utils.training.race.using_elmo.sources import (
    LONGEST,
    layers_of,
    random_bilm,
    scale_of,
)
from course_utils.training.race.using_elmo.words_in_order import Sentences

PARTS = ("train", "valid", "test")
MEASURED = 500  # training sentences whose vectors give the scale


class Table:
    """Layers (L + 1, N, D) of N words, or of N sentences' means, and where sentences begin."""

    def __init__(self, task: str, source: str, means: bool):
        self.means = means
        found: list[Tensor] = []
        self.starts: dict[tuple[int, str], Tensor] = {}
        known: dict[tuple[str, ...], int] = {}
        size = 0
        for seed in range(FOLDS):
            if source == "random":
                known = {}  # another seed is another untrained biLM
            reader = random_bilm(seed).packed() if source == "random" else source
            parts = {part: _texts(task, seed, part) for part in PARTS}
            texts = {tuple(text) for own in parts.values() for text in own} - set(known)
            new = [list(text) for text in sorted(texts)]
            for text, layers in zip(new, layers_of(reader, new, means), strict=True):
                known[tuple(text)] = size
                size += layers.shape[1]
                found.append(layers)
            if seed == 0:
                scale = scale_of(found[:MEASURED])
            for part, own in parts.items():
                self.starts[seed, part] = torch.tensor([known[tuple(text)] for text in own])
        every = torch.cat(found, dim=1)
        for first in range(0, every.shape[1], 4096):
            piece = every[:, first : first + 4096]
            piece.copy_((piece.float() - scale.mean) / scale.spread)
        self.layers = every

    def of(self, batch: Sentences, part: str, layers: Sequence[int]) -> Tensor:
        """Return some layers for the networks of all seeds: (layers, P, B, T, D), or (..., D)."""
        starts = torch.stack(
            [self.starts[seed, part][rows] for seed, rows in enumerate(batch.rows)]
        )
        if self.means:
            return torch.stack([self.layers[layer][starts].float() for layer in layers])
        within = torch.arange(batch.tokens.shape[2]).minimum(batch.lengths.unsqueeze(-1) - 1)
        places = starts.unsqueeze(-1) + within
        return torch.stack([self.layers[layer][places].float() for layer in layers])

    @property
    def count(self) -> int:
        """Return how many layers there are."""
        return len(self.layers)

    @property
    def width(self) -> int:
        """Return D."""
        return self.layers.shape[2]


table_of = lru_cache(maxsize=2)(Table)


def _texts(task: str, seed: int, part: str) -> list[list[str]]:
    examples: list[Example] = getattr(fold_of(task, seed), part)
    if part == "train":
        examples = examples[: max(SIZES[task])]
    return [example.words[:LONGEST] for example in examples]
