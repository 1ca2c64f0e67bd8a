"""Labels for a probe: the tags as numbers, and a control task that only memory can solve."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import torch
from torch import Tensor

from course_utils.data.tagging.examples import Example

Parts = Sequence[Sequence[Example]]  # to learn from, to be asked


def tag_numbers(parts: Parts) -> list[Tensor]:
    """Return the tags of every part as numbers (N,), the same for all parts."""
    names = sorted({tag for part in parts for example in part for tag in example.labels})
    number = {name: n for n, name in enumerate(names)}
    return [torch.tensor([number[tag] for e in part for tag in e.labels]) for part in parts]


def control_numbers(parts: Parts, seed: int) -> list[Tensor]:
    """Give every word one label for good, drawn as often as tags are (Hewitt and Liang 2019)."""
    random, drawn = Random(seed), dict[str, int]()
    tags = torch.cat(tag_numbers(parts)).tolist()
    labels = []
    for part in parts:
        words = [word for example in part for word in example.words]
        for word in words:
            if word not in drawn:
                drawn[word] = random.choice(tags)
        labels.append(torch.tensor([drawn[word] for word in words]))
    return labels
