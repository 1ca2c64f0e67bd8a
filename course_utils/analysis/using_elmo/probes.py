"""What a line reads out of every layer, and what tasks chose to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from course_utils.analysis.elmo.contextual import MixWeights
from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.data.tagging.examples import Example
from course_utils.models.elmo import BiLM, PackedBiLM
from course_utils.models.linear_probe import LinearProbe

Parts = Sequence[Sequence[Example]]  # to learn from, to be asked


@torch.no_grad()
def all_words(model: BiLM | PackedBiLM, examples: Sequence[Example]) -> Tensor:
    """Return (L + 1, N, 2P), every word of every sentence in order."""
    return torch.cat([model([e.words]).layers[:, 0].float() for e in examples], dim=1)


def tag_numbers(parts: Parts) -> list[Tensor]:
    """Return the tags of every part as numbers (N,), the same for all parts."""
    names = sorted({tag for part in parts for example in part for tag in example.labels})
    number = {name: n for n, name in enumerate(names)}
    return [torch.tensor([number[tag] for e in part for tag in e.labels]) for part in parts]


def probe_layers(model: BiLM | PackedBiLM, parts: Parts) -> list[float]:
    """Return the share of right tags that a line reads out of each layer."""
    (x, asked), (tags, gold) = (all_words(model, part) for part in parts), tag_numbers(parts)
    classes = int(torch.cat([tags, gold]).max()) + 1
    lines = (LinearProbe(x.shape[-1], classes).fit(layer, tags) for layer in x)
    return [line.accuracy(layer, gold) for line, layer in zip(lines, asked, strict=True)]


def chosen_mixes(
    rows: Iterable[Mapping[str, Any]], sizes: Mapping[str, Sequence[int]]
) -> MixWeights:
    """Return the mean mix of each task's seeds with the most labels."""
    found: dict[str, list[list[float]]] = {}
    for row in rows:
        if row["variant"] == "elmo" and row["size"] == max(sizes.get(row["task"], (0,))):
            found.setdefault(row["task"], []).append(row["mix"]["input"])
    means = np.array([np.mean(mixes, axis=0) for mixes in found.values()])
    return MixWeights(list(found), means[:, :-1], means[:, -1])


def speech_sentences(part: str) -> list[list[str]]:
    """Return the sentences of one part of the speeches: train, valid or test."""
    return [words for speech in getattr(english(), part) for words in sentences(speech.text)]
