"""Run a function on copies of its inputs, in the style of numbers that it is written for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from course_utils.checks.exercise import Answer, Arguments, Exercise
from course_utils.checks.judging.put_back import put_back


class Style(NamedTuple):
    """A way of writing numbers that an answer may rely on."""

    name: str
    dtype: torch.dtype
    numpy: bool
    tolerance: float  # at least


FLOAT64 = Style("float64", torch.float64, False, 0.0)
STYLES = (
    FLOAT64,
    Style("NumPy", torch.float64, True, 0.0),
    Style("float32", torch.float32, False, 1e-4),
)


class Returned(NamedTuple):
    """What a function returned, the copies it was given, and which of them it changed."""

    value: object
    inputs: list[Any]
    changed: list[int]


def run(
    exercise: Exercise, function: Answer, arguments: Arguments, style: Style = FLOAT64
) -> Returned:
    """Call a function on copies of the arguments, which record gradients if it needs them."""
    originals = [_in_style(argument, style, False) for argument in arguments]
    copies = [_in_style(argument, style, exercise.gradients) for argument in arguments]
    with torch.inference_mode(False), torch.enable_grad(), put_back():  # whatever the caller does
        torch.set_default_dtype(style.dtype)  # so that torch.zeros(3) fits what it meets
        value = function(*copies)
    pairs = enumerate(zip(copies, originals, strict=True))
    return Returned(value, copies, [place for place, pair in pairs if not same(*pair)])


def copied(arguments: Arguments) -> Arguments:
    """Return arguments that may be changed without harm."""
    return tuple(_in_style(argument, FLOAT64, False) for argument in arguments)


def effect_of(exercise: Exercise, value: object, arguments: Arguments) -> object:
    """Return what an answer does, where the exercise asks for that, else the answer."""
    if exercise.effect is None:
        return value
    with put_back(), torch.no_grad():
        copies = [_in_style(argument, FLOAT64, False) for argument in arguments]
        return exercise.effect(value, *copies)


def gradients_of(outcome: Returned) -> list[torch.Tensor | None]:
    """Differentiate a fixed sum of the output by every input; None where there is no gradient."""
    inputs = outcome.inputs
    places = [i for i, c in enumerate(inputs) if isinstance(c, torch.Tensor) and c.requires_grad]
    found: list[torch.Tensor | None] = [None] * len(inputs)
    with torch.inference_mode(False), torch.enable_grad():
        parts = [part for part in flatten(outcome.value) if _differentiable(part)]
        total = sum((_weighted_sum(part) for part in parts), torch.zeros(()))
        if total.requires_grad:
            grads = torch.autograd.grad(total, [inputs[i] for i in places], allow_unused=True)
            for place, grad in zip(places, grads, strict=True):
                found[place] = grad
    return found


def flatten(value: Any) -> list[Any]:
    """Return the tensors and numbers inside nested tuples, lists and dicts, in order."""
    if isinstance(value, dict):
        return [part for key in sorted(value, key=str) for part in flatten(value[key])]
    if isinstance(value, tuple | list):
        return [part for item in value for part in flatten(item)]
    return [value]


def _differentiable(part: object) -> bool:
    return isinstance(part, torch.Tensor) and part.is_floating_point()


def _weighted_sum(part: torch.Tensor) -> torch.Tensor:
    # different weights everywhere, so that errors cannot cancel
    weights = torch.arange(1, part.numel() + 1, dtype=part.dtype, device=part.device).sin()
    return (part.reshape(-1) * weights).sum()


def _in_style(argument: Any, style: Style, gradients: bool) -> Any:
    """Return a copy, its tensors as the style has them."""
    if isinstance(argument, torch.Tensor):
        copy = argument.detach().clone()
        if copy.is_floating_point():
            copy = copy.to(style.dtype)
        if style.numpy:
            return copy.numpy()
        return copy.requires_grad_() if gradients and copy.is_floating_point() else copy
    if isinstance(argument, tuple):
        parts = [_in_style(item, style, False) for item in argument]
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    if isinstance(argument, list):
        return [_in_style(item, style, False) for item in argument]
    if isinstance(argument, dict):
        return {key: _in_style(item, style, False) for key, item in argument.items()}
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def same(one: Any, other: Any) -> bool:
    """Return whether a copy is still what it was copied from."""
    if isinstance(other, torch.Tensor | np.ndarray):
        if not isinstance(one, torch.Tensor | np.ndarray) or one.shape != other.shape:
            return False
        equal: Any = (one == other) | ((one != one) & (other != other))  # NaN is NaN
        return bool(equal.all())
    if isinstance(other, dict):
        both = isinstance(one, dict) and list(one) == list(other)
        return both and same([*one.values()], [*other.values()])
    if isinstance(other, tuple | list):
        both = isinstance(one, tuple | list) and len(one) == len(other)
        return both and all(map(same, one, other))
    return one is other
