"""What every cell of a trained counter does, and whether the counter needs it."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.counting.counters import ramps
from course_utils.data.counting import Powers, members
from course_utils.models import LSTMStep, RecurrentLM
from course_utils.models.quiet import quiet
from course_utils.models.steps import Step

STILL = 0.05  # of its fastest letter: a cell that moves less rests


class Role(NamedTuple):
    """How one cell moves along a member: a slope a letter, the worst R^2 of its lines."""

    unit: int
    slopes: dict[str, float]
    r_squared: float

    @property
    def counts(self) -> str:
        """Return what it counts: "a - b" where the slopes cancel, else the letters that move it."""
        fastest = max(map(abs, self.slopes.values()))
        moving = {x: s for x, s in self.slopes.items() if abs(s) > STILL * fastest}
        if len(moving) == 2 and abs(sum(moving.values())) < STILL * fastest:
            return " against ".join(moving)
        return " and ".join(moving)


def roles_of(model: RecurrentLM, letters: str, n: int) -> list[Role]:
    """Return how every cell moves along a member."""
    found = []
    for unit in range(model.recurrent.hidden_size):
        own = ramps(model, letters, n, unit)
        slopes = {ramp.letter: ramp.slope for ramp in own}
        found.append(Role(unit, slopes, min(ramp.r_squared for ramp in own)))
    return found


def right_without(model: RecurrentLM, letters: str, n: int) -> Tensor:
    """Return whether a network is right along a member with each of its cells silenced, (H,).

    A silenced cell, and what it shows, is 0 after every step.
    """
    read, H = members(Powers(letters), [n]), model.recurrent.hidden_size
    silent = torch.eye(H, dtype=torch.bool)  # row k reads without cell k

    def silence(_t: int, step: Step) -> Step:
        step = step._replace(h=step.h.masked_fill(silent, 0))
        return (
            step._replace(c=step.c.masked_fill(silent, 0)) if isinstance(step, LSTMStep) else step
        )

    with quiet(model):
        x = model.embedding(read.tokens.expand(-1, H))
        h = model.recurrent.rollout(x, edit=silence)[0].h
        says: Tensor = model.output(h) > 0  # (T, H, V)
    return (says == read.allowed).all(-1).all(0)
