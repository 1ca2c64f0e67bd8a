"""What a counter loses when its cell has few bits, and where it breaks.

A number with p significant bits is m * 2^e with m a whole number below 2^p. From 2^p on the
neighbours are 2 apart, and adding 1 rounds back to where it was (a tie goes to the even m).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.counting import Language, members
from course_utils.models import RecurrentLM
from course_utils.models.language.recognition import right_along
from course_utils.models.quiet import quiet
from course_utils.models.steps import LSTMStep, Step

# significant bits, the hidden one too
FORMATS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
DTYPES = {name: getattr(torch, name) for name in FORMATS}

Rounding = Callable[[Tensor], Tensor]


def round_to_format(x: Tensor, name: str) -> Tensor:
    """Return numbers as PyTorch stores them in a format, in their old type again."""
    if name not in DTYPES:
        raise ValueError(f"no format is called {name!r}: there are {', '.join(DTYPES)}")
    return x.to(DTYPES[name]).to(x.dtype)


def last_count(bits: int) -> int:
    """Return the largest n that a counter in steps of 1 reaches: 2^p, and 2^p + 1 rounds back."""
    return 1 << bits


def last_halving(name: str, first: float) -> int:
    """Return how often a format halves `first`, a power of two, before nothing is left of it."""
    finfo = torch.finfo(DTYPES[name])
    least = finfo.smallest_normal * finfo.eps  # the smallest number above 0
    return round(math.log2(first) - math.log2(least))


def stands_still_at(model: RecurrentLM, token: int, name: str, tries: int = 4) -> float:
    """Return where the first cell of a counting LSTM no longer climbs, started just below 2^p.

    This measures even those formats whose limit no text could ever reach.
    """
    below = float(last_count(FORMATS[name]) - tries // 2)
    c = torch.zeros(1, 1, model.recurrent.hidden_size, dtype=torch.float64)
    c[..., 0] = below
    with quiet(model):
        x = model.embedding(torch.full((tries, 1), token))
        edit = partial(rounded_step, partial(round_to_format, name=name))
        step = model.recurrent.rollout(x, (torch.tanh(c), c), edit=edit)[0]
    assert isinstance(step, LSTMStep)
    cells = step.c[:, 0, 0]
    if cells[-1] != cells[-2]:
        raise ValueError(f"after {tries} letters the cell still climbs: {cells.tolist()}")
    return cells[-1].item()


class Rounded(NamedTuple):
    """Up n steps and down n steps, with every sum rounded."""

    cell: list[float]  # 2 n + 1 values, the first is 0
    step: float  # what a letter adds, itself rounded

    @property
    def left(self) -> float:
        """Return what is left at the end, where a counter has 0."""
        return self.cell[-1]

    @property
    def accepted(self) -> bool:
        """Return whether the end is nearer to 0 than to one letter more or less.

        The last letter before the end must not be there yet.
        """
        half = abs(self.step) / 2
        return abs(self.left) < half and all(c > half for c in self.cell[1:-1])


def count_up_and_down(n: int, step: float, bits: int) -> Rounded:
    """Add a step n times and subtract it n times, rounding each sum to `bits` bits."""
    step = _rounded(step, bits)
    cell = [0.0]
    for sign in (1, -1):
        for _ in range(n):
            cell.append(_rounded(cell[-1] + sign * step, bits))
    return Rounded(cell, step)


def _rounded(x: float, bits: int) -> float:
    """Return a number rounded to `bits` significant bits, with any exponent."""
    m, e = math.frexp(x)
    return math.ldexp(round(math.ldexp(m, bits)), e - bits)  # Python rounds ties to even


def right_when_rounded(
    model: RecurrentLM, language: Language, counts: Sequence[int], rounding: Rounding
) -> Tensor:
    """Return for which n a network stays right when its state is rounded after every step."""
    found = []
    for n in counts:
        read = members(language, [n])
        found.append(right_along(_Rounding(model, rounding), read)[0])
    return torch.stack(found)


def last_right(model: RecurrentLM, language: Language, counts: Sequence[int], name: str) -> int:
    """Return the largest of these n at which a network is right in a format, or 0."""
    right = right_when_rounded(model, language, counts, partial(round_to_format, name=name))
    return max((n for n, ok in zip(counts, right.tolist(), strict=True) if ok), default=0)


def rounded_step(rounding: Rounding, _t: int, step: Step) -> Step:
    """Return a step with its memory rounded, for `rollout`."""
    if isinstance(step, LSTMStep):
        return step._replace(c=rounding(step.c))
    return step._replace(h=rounding(step.h))


class _Rounding:
    """A model that reads like the given one, but keeps its state in fewer bits."""

    def __init__(self, model: RecurrentLM, rounding: Rounding):
        self.model, self.edit = model, partial(rounded_step, rounding)

    def __call__(self, tokens: Tensor) -> tuple[Tensor, None]:
        with quiet(self.model):
            x = self.model.embedding(tokens)
            h = self.model.recurrent.rollout(x, edit=self.edit)[0].h
            return self.model.output(h), None
