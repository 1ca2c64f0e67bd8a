"""What a linear probe reads out of every layer, and the sentences to read it from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.data.tagging.examples import Example
from course_utils.data.tagging.probed import Parts, control_numbers, tag_numbers
from course_utils.models.elmo import BiLM, PackedBiLM
from course_utils.models.linear_probe import LinearProbe

AT_ONCE = 64


@torch.no_grad()
def all_words(model: BiLM | PackedBiLM, examples: Sequence[Example]) -> Tensor:
    """Return (L + 1, N, 2P), every word of every sentence in order."""
    found = []
    for first in range(0, len(examples), AT_ONCE):
        out = model([example.words for example in examples[first : first + AT_ONCE]])
        found.append(out.layers[:, out.mask.bool()].float())
    return torch.cat(found, dim=1)


class LineReads(NamedTuple):
    """A linear probe's accuracy on each layer: on tags, and on labels that it can only memorise."""

    tags: list[float]
    control: list[float]

    @property
    def selectivity(self) -> list[float]:
        """Return how much of the tags' accuracy is not memory, layer by layer."""
        return [a - b for a, b in zip(self.tags, self.control, strict=True)]


def probe_layers(model: BiLM | PackedBiLM, parts: Parts, seed: int = 0) -> LineReads:
    """Return the shares of correct tags, and of correct control labels drawn with the seed."""
    learned, asked = (all_words(model, part) for part in parts)
    found = []
    for known, gold in (tag_numbers(parts), control_numbers(parts, seed)):
        classes = int(torch.cat([known, gold]).max()) + 1
        lines = (LinearProbe(x.shape[-1], classes).fit(x, known) for x in learned)
        pairs = zip(lines, asked, strict=True)
        found.append([line.accuracy(layer, gold) for line, layer in pairs])
    return LineReads(*found)


def speech_sentences(part: str) -> list[list[str]]:
    """Return the sentences of one part of the speeches: train, valid or test."""
    return [words for speech in getattr(english(), part) for words in sentences(speech.text)]
