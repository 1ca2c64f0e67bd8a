"""Ablate units while a sentence is read: each one alone, or any set of them, all in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.agreement.questions import (
    by_length,
    form_scores,
    forms_of,
    rights_of,
    texts_of,
)
from course_utils.analysis.agreement.side_by_side import SideBySide
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.vocabulary import words_of
from course_utils.models import RecurrentLM
from course_utils.models.quiet import quiet

MOST_NUMBERS = 1 << 22  # gate values in memory at once


class Hold(NamedTuple):
    """Units of h that are set to a value after every step; a value of 0 ablates them."""

    units: Sequence[int]
    value: float = 0.0


def ablate_each(model: RecurrentLM, items: Sequence[AgreementItem]) -> Tensor:
    """Return each item's score (1 right, 0 wrong) without each unit, (H, N)."""
    return ablate_sets(model, items, [[unit] for unit in range(model.recurrent.hidden_size)])


def ablate_sets(
    model: RecurrentLM, items: Sequence[AgreementItem], sets: Sequence[Sequence[int]]
) -> Tensor:
    """Return each item's score (1 right, 0 wrong) without each set of units, (S, N)."""
    return rights_of(margins_with(model, items, [Hold(units) for units in sets]))


def rights_with(model: RecurrentLM, items: Sequence[AgreementItem], hold: Hold) -> Tensor:
    """Return each item's score (1 right, 0 wrong) while some units are held, (N,)."""
    return rights_of(margins_with(model, items, [hold])[0])


def random_sets(
    size: int, units: int, count: int, never: Sequence[int], seed: int = 0
) -> list[list[int]]:
    """Return `count` random sets of `size` units outside `never`, as a baseline."""
    generator = torch.Generator().manual_seed(seed)
    others = torch.tensor([unit for unit in range(units) if unit not in never])
    draws = (torch.randperm(len(others), generator=generator)[:size] for _ in range(count))
    return [others[draw].tolist() for draw in draws]


def margins_with(
    model: RecurrentLM, items: Sequence[AgreementItem], holds: Sequence[Hold]
) -> Tensor:
    """Return log p(right) - log p(wrong) under every hold, (S, N), reading all side by side."""
    if model.recurrent.num_layers != 1:
        raise ValueError(f"units of one layer can be held; this has {model.recurrent.num_layers}")
    H = model.recurrent.hidden_size
    held = torch.zeros(len(holds), H, dtype=torch.bool)
    value = torch.zeros(len(holds), H)
    for row, hold in enumerate(holds):
        held[row, list(hold.units)] = True
        value[row, list(hold.units)] = hold.value
    found = torch.zeros(len(holds), len(items), dtype=torch.float64)
    at_once = max(1, MOST_NUMBERS // (4 * H * len(holds)))
    with quiet(model):
        networks = SideBySide(model, held, value)
        words = words_of(model)
        for group in by_length(items):
            for first in range(0, len(group), at_once):
                places = group[first : first + at_once]
                some = [items[place] for place in places]
                states = networks.read(texts_of(words, some))
                scores = form_scores(model, states, forms_of(words, some))  # (S, B, 2)
                found[:, places] = (scores[..., 0] - scores[..., 1]).double()
    return found
