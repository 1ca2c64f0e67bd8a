"""Tiny networks that learn to count: a^n b^n, one string after the other."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from course_utils.training.cookbook.streams import StreamConfig, stream_plan
from course_utils.training.recipes.recipe import Plan, Recipe, register

END, A, B = 0, 1, 2


@dataclass(frozen=True)
class CountingConfig(StreamConfig):
    """How far a string counts, and how many strings there are."""

    largest: int = 30
    strings: int = 4000


def counting_plan(config: CountingConfig) -> Plan:
    """Read strings of random length; how well a model counts shows in its test loss alone."""
    train, valid, test = (
        counting_stream(count, config.largest, config.seed + number)
        for number, count in enumerate((config.strings, 400, 400))
    )
    return stream_plan(config, {"V": 3}, train, valid, test)


def counting_stream(strings: int, largest: int, seed: int) -> Tensor:
    """Return END, then `strings` times a^n b^n END with n drawn from 1 to `largest`."""
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, largest + 1, (strings,), generator=generator)
    pieces = [torch.tensor([END])]
    for n in lengths.tolist():
        pieces += [torch.full((n,), A), torch.full((n,), B), torch.tensor([END])]
    return torch.cat(pieces)


for cell in ("lstm", "gru"):
    register(
        Recipe(
            f"counting_{cell}",
            f"a tiny {cell.upper()} that counts: strings of a^n b^n, n up to 30",
            "generated from the seed",
            CountingConfig(
                steps=1500,
                lr=1e-2,
                cell=cell,
                width=4,
                hidden=8,
                batch=20,
                piece=80,
                evaluate_every=250,
            ),
            counting_plan,
            "recurrent_lm",
            half=False,
        )
    )
