"""Run a function on copies of its inputs and compare two outcomes, in words for the learner."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch


class Outcome(NamedTuple):
    """What a function returned, the gradients of its inputs, and whether it changed them."""

    value: Any
    gradients: list[torch.Tensor | None]
    changed: list[int]


def run(function: Callable, arguments: tuple, gradients: bool) -> Outcome:
    """Call a function on copies of the arguments and differentiate a fixed sum of its output.

    Gradients stand at the places of their arguments, None at those that have none.
    """
    with torch.inference_mode(False), torch.enable_grad():  # whatever the caller has switched off
        copies = [_copy(argument, gradients) for argument in arguments]
        value = function(*copies)
        changed = [
            place
            for place, (copy, original) in enumerate(zip(copies, arguments, strict=True))
            if not _same(copy, original)
        ]
        return Outcome(value, _gradients(value, copies) if gradients else [], changed)


def _gradients(value: Any, inputs: list) -> list[torch.Tensor | None]:
    places = [i for i, c in enumerate(inputs) if isinstance(c, torch.Tensor) and c.requires_grad]
    total = sum(
        (_weighted_sum(part) for part in flatten(value) if _differentiable(part)), torch.zeros(())
    )
    found: list[torch.Tensor | None] = [None] * len(inputs)
    if total.requires_grad:
        grads = torch.autograd.grad(total, [inputs[i] for i in places], allow_unused=True)
        for place, grad in zip(places, grads, strict=True):
            found[place] = grad
    return found


def compare(expected: Outcome, found: Outcome, tolerance: float) -> str:
    """Return how two outcomes differ, in words for the learner; empty when they agree."""
    if found.value is None and expected.value is not None:
        return "your function returns None. Is the `return` missing?"
    want = flatten(expected.value)
    try:
        have = flatten(found.value)
    except Exception as error:  # it holds itself, or keys that have no order
        return f"the result cannot be taken apart: {type(error).__name__}."
    if len(want) != len(have):
        return f"how many values? Expected: {len(want)}, yours: {len(have)}."
    for place, (one, other) in enumerate(zip(want, have, strict=True)):
        name = f"value {place + 1} of {len(want)}" if len(want) > 1 else "the result"
        if difference := _compare_part(name, one, other, tolerance):
            return difference
    if found.changed != expected.changed:
        return "your function changes one of its inputs in place. Work on a new tensor instead."
    for place, (one, other) in enumerate(zip(expected.gradients, found.gradients, strict=True)):
        if difference := _compare_gradient(place, one, other, tolerance):
            return difference
    return ""


def _compare_part(name: str, want: Any, have: Any, tolerance: float) -> str:
    try:
        want, have = (torch.as_tensor(n).detach().cpu().to_dense() for n in (want, have))
    except Exception:  # whatever an object of the learner's does when asked for numbers
        return f"{name} is a {type(have).__name__}; a tensor or a number was expected."
    if want.shape != have.shape:
        return f"{name} should have shape {tuple(want.shape)}, yours has {tuple(have.shape)}."
    if have.is_complex() and not want.is_complex():
        return f"{name} is complex; real numbers were expected."
    want, have = want.double(), have.double()
    if (torch.isnan(have) & ~torch.isnan(want)).any():
        return f"{name} holds NaN. Is something divided by zero, or a log taken of it?"
    agree = (want == have) | (torch.isnan(want) & torch.isnan(have))  # infinities among them
    off = (want - have).abs().masked_fill(agree, 0.0).nan_to_num(nan=math.inf, posinf=math.inf)
    allowed = tolerance * (1 + want.abs()).nan_to_num(nan=0.0, posinf=0.0)
    if want.numel() and (off > allowed).any():
        worst = int(off.argmax())
        return (
            f"{name} is off by up to {off.flatten()[worst]:.3g}: there "
            f"{want.flatten()[worst]:.4g} was expected, yours is {have.flatten()[worst]:.4g}."
        )
    return ""


def _compare_gradient(place: int, want, have, tolerance: float) -> str:
    name = f"the gradient with respect to argument {place + 1}"
    if want is None and have is None:
        return ""
    if have is None and not want.any():
        return ""  # it is zero, and an argument may as well be left out
    if have is None:
        return f"{name} is cut off: no .detach(), .item(), .data or NumPy on the way, please."
    if want is None:
        want = torch.zeros_like(have)
    difference = _compare_part(name, want, have, tolerance)
    return difference and f"the values agree, but {difference}"


def flatten(value: Any) -> list:
    """Return the tensors and numbers inside nested tuples, lists and dicts, in order."""
    if isinstance(value, dict):
        return [part for key in sorted(value) for part in flatten(value[key])]
    if isinstance(value, tuple | list):
        return [part for item in value for part in flatten(item)]
    return [value]


def _differentiable(part: Any) -> bool:
    return isinstance(part, torch.Tensor) and part.is_floating_point()


def _weighted_sum(part: torch.Tensor) -> torch.Tensor:
    # different weights everywhere, so that errors cannot cancel
    weights = torch.arange(1, part.numel() + 1, dtype=part.dtype, device=part.device).sin()
    return (part.reshape(-1) * weights).sum()


def _copy(argument: Any, gradients: bool) -> Any:
    if isinstance(argument, torch.Tensor):
        copy = argument.detach().clone()
        return copy.requires_grad_() if gradients and copy.is_floating_point() else copy
    if isinstance(argument, tuple):
        parts = [_copy(item, False) for item in argument]
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    if isinstance(argument, list):
        return [_copy(item, False) for item in argument]
    if isinstance(argument, dict):
        return {key: _copy(item, False) for key, item in argument.items()}
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def _same(one: Any, other: Any) -> bool:
    """Return whether a copy is still what it was copied from."""
    if isinstance(other, torch.Tensor | np.ndarray):
        if not isinstance(one, torch.Tensor | np.ndarray) or one.shape != other.shape:
            return False
        return bool(((one == other) | ((one != one) & (other != other))).all())  # NaN is NaN
    if isinstance(other, dict):
        both = isinstance(one, dict) and list(one) == list(other)
        return both and _same([*one.values()], [*other.values()])
    if isinstance(other, tuple | list):
        both = isinstance(one, tuple | list) and len(one) == len(other)
        return both and all(map(_same, one, other))
    return one is other
