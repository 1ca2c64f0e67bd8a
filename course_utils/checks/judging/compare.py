"""Say how an answer differs from the expected one, in words for the learner."""

from __future__ import annotations

import difflib
import itertools
import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.judging.wording import kind_of, shortened

SINGLE = 1e-5  # as near as float32 comes after some steps
MANY = 8  # keys that are named


class Difference(str):
    """How an answer differs, in words; empty when it does not."""

    reason = False  # is it an exercise's own reason against a wrong choice?
    kind = False  # is it of another kind than expected?


def wrong_kind(words: str) -> Difference:
    """Return words on an answer that is of another kind than expected."""
    difference = Difference(words)
    difference.kind = True
    return difference


def compare(exercise: Exercise, want: object, have: object, tolerance: float = 0.0) -> Difference:
    """Return how two values differ; they are read only as far as the expected one reaches."""
    if have is None and want is not None:
        return wrong_kind("your function returns None. Is the `return` missing?")
    if callable(have):
        return wrong_kind("the result is a function. Are its brackets () missing?")
    return _compare(_Asked(exercise, max(exercise.tolerance, tolerance)), "", want, have)


class _Asked:
    """What an exercise asks of the parts of its answer."""

    def __init__(self, exercise: Exercise, tolerance: float):
        self.exercise, self.tolerance = exercise, tolerance
        self.precise = exercise.precise and tolerance == exercise.tolerance


def _compare(asked: _Asked, name: str, want: object, have: object) -> Difference:
    if isinstance(want, str | bool) or want is None:
        return _compare_choice(asked, name, want, have)
    if isinstance(want, Mapping):
        return _compare_names(asked, name, want, have)
    if isinstance(want, set | frozenset):
        return _compare_sets(asked, name, want, have)
    if isinstance(want, tuple | list):
        return _compare_several(asked, name, want, have)
    return _compare_numbers(asked, name, torch.as_tensor(want), have)


def _compare_choice(asked: _Asked, name: str, want: Any, have: Any) -> Difference:
    have = _alone(have)
    if isinstance(want, bool):
        if not isinstance(have, bool | int | float) or have not in (0, 1):
            return wrong_kind(f"{_the(name)} should be True or False, yours is {kind_of(have)}.")
        return Difference() if bool(have) == want else _wrong_choice(asked, name, bool(have))
    if not isinstance(have, str):
        return wrong_kind(f"{_the(name)} should be a text in quotes, yours is {kind_of(have)}.")
    said, options = " ".join(have.split()).casefold(), _options(asked, name)
    if said == want.casefold():
        return Difference()
    known = {option.casefold(): option for option in options if isinstance(option, str)}
    if known and said not in known:
        near = difflib.get_close_matches(said, known, n=1)
        hint = f" Did you mean {known[near[0]]!r}?" if near else ""
        listed = ", ".join(map(repr, known.values()))
        return wrong_kind(f"{_the(name)} should be one of {listed}, not {shortened(have)!r}.{hint}")
    return _wrong_choice(asked, name, known.get(said, have))


def _wrong_choice(asked: _Asked, name: str, choice: object) -> Difference:
    reasons = asked.exercise.reasons
    for key in ((name, choice), choice, name):
        if key in reasons:
            return _reason(reasons[key])
    at = f"{name}: " if name else ""
    if not _options(asked, name):
        return Difference(f"{at}{shortened(choice)!r} is not what is asked for.")
    happens = "is not what happens" if asked.exercise.kind == "predict" else "is not right"
    return Difference(f"{at}{shortened(choice)!r} {happens}. Look again.")


def _reason(words: str) -> Difference:
    difference = Difference(words)
    difference.reason = True
    return difference


def _options(asked: _Asked, name: str) -> list[object]:
    options = asked.exercise.options
    return list(options.get(name, options.get("", ())))


def _compare_names(
    asked: _Asked, name: str, want: Mapping[object, object], have: object
) -> Difference:
    if hasattr(have, "_asdict"):
        have = have._asdict()
    listed = ", ".join(repr(key) for key in itertools.islice(want, MANY))
    if not isinstance(have, Mapping):
        return wrong_kind(f"{_the(name)} should be a dict with {listed}, yours is {kind_of(have)}.")
    if missing := [key for key in want if key not in have]:
        return wrong_kind(f"{_the(name)} lacks {missing[0]!r}: it should be a dict with {listed}.")
    extra = [key for key in itertools.islice(have, len(want) + 1) if key not in want]
    if extra:
        return wrong_kind(f"{_the(name)} has an extra key {shortened(extra[0])!r}: {listed}.")
    return _first(_compare(asked, str(key), want[key], have[key]) for key in want)


def _compare_sets(
    asked: _Asked, name: str, want: set[Any] | frozenset[Any], have: Any
) -> Difference:
    if not isinstance(have, set | frozenset | list | tuple):
        kind = kind_of(have)
        if have == {} and not want:
            return wrong_kind(f"{_the(name)} should be a set. {{}} is an empty dict: write set().")
        such = ", ".join(map(repr, _options(asked, name)[:2]))
        such = f" such as {{{such}}}" if such else ""
        return wrong_kind(f"{_the(name)} should be a set{such}, yours is {kind}.")
    options = _options(asked, name)
    for part in itertools.islice(have, len(options) + len(want) + 1):
        if options and part not in options:
            listed = ", ".join(map(repr, options))
            return wrong_kind(f"{shortened(part)!r} is not one of {listed}.")
        if part not in want:
            return _wrong_choice(asked, name, part)
    missing = sorted(part for part in want if part not in have)
    if missing:
        reason = asked.exercise.reasons.get(("missing", missing[0]))
        return _reason(reason) if reason else Difference("something that belongs there is missing.")
    return Difference()


def _compare_several(
    asked: _Asked, name: str, want: tuple[object, ...] | list[object], have: object
) -> Difference:
    if isinstance(have, torch.Tensor | np.ndarray) and have.ndim and len(have) == len(want):
        have = list(have)
    if isinstance(have, set | frozenset) and _are_places(want):
        have = sorted(have, key=str if any(isinstance(part, str) for part in have) else None)
    if not isinstance(have, tuple | list):
        order = ", which has no order" if isinstance(have, set | frozenset) else ""
        kind = f"{kind_of(have)}{order}"
        return wrong_kind(
            f"{_the(name)} should be a list of {_values(len(want))}, yours is {kind}."
        )
    if len(have) != len(want):
        have_, want_ = _values(len(have)), _values(len(want))
        return wrong_kind(f"{_the(name)} should have {want_}, yours has {have_}.")
    inside = f"{name}, " if name else ""
    names = [f"{inside}value {place + 1} of {len(want)}" for place in range(len(want))]
    return _first(map(_compare, itertools.repeat(asked), names, want, have))


def _are_places(want: tuple[object, ...] | list[object]) -> bool:
    """Return whether these are places in rising order, which a set says as well."""
    whole = all(isinstance(part, int) and not isinstance(part, bool) for part in want)
    return whole and list(want) == sorted({*want})


def _values(count: int) -> str:
    return f"{count or 'no'} value{'' if count == 1 else 's'}"


def _compare_numbers(asked: _Asked, name: str, want: torch.Tensor, have: object) -> Difference:
    array = _as_tensor(have, tuple(want.shape))
    if array is None:
        shape = f"numbers of shape {tuple(want.shape)}" if want.dim() else "a number"
        return wrong_kind(f"{_the(name)} should be {shape}, yours is {kind_of(have)}.")
    if array.shape != want.shape:
        expected = f"shape {tuple(want.shape)}" if want.dim() else "a single number"
        comma = " Is there an extra comma?" if isinstance(have, tuple) and len(have) == 1 else ""
        yours = f"has shape {tuple(array.shape)}" if array.dim() else "is a single number"
        return wrong_kind(f"{_the(name)} should be {expected}, yours {yours}.{comma}")
    if array.is_complex() and not want.is_complex():
        return wrong_kind(f"{_the(name)} is complex; real numbers were expected.")
    if asked.precise and array.is_floating_point() and array.dtype != torch.float64:
        dtype = str(array.dtype).removeprefix("torch.")
        return wrong_kind(f"{_the(name)} is {dtype}; this exercise is about float64.")
    return Difference(_off(_the(name), want.detach().double(), array.double(), asked.tolerance))


def _off(name: str, want: torch.Tensor, have: torch.Tensor, tolerance: float) -> str:
    if (torch.isnan(have) & ~torch.isnan(want)).any():
        return f"{name} holds NaN. Is something divided by zero, or the log of zero taken?"
    agree = (want == have) | (torch.isnan(want) & torch.isnan(have))  # infinities among them
    off = (want - have).abs().masked_fill(agree, 0.0).nan_to_num(nan=math.inf, posinf=math.inf)
    size = (1 + want.abs()).nan_to_num(nan=0.0, posinf=0.0)
    if not want.numel() or not (off > tolerance * size).any():
        return ""
    worst = int(off.argmax())
    expected, yours = _told_apart(float(want.flatten()[worst]), float(have.flatten()[worst]))
    if not (off > SINGLE * size).any():
        return f"{name} agrees to only about 6 digits. Is something rounded, or float32?"
    if want.dim() == 0:
        return f"{name} should be {expected}, yours is {yours}."
    at = ", ".join(str(int(place)) for place in np.unravel_index(worst, want.shape))
    return f"{name} is off: at [{at}] {expected} was expected, yours is {yours}."


def compare_gradients(
    exercise: Exercise, want: list[Any], have: list[Any], tolerance: float = 0.0
) -> Difference:
    """Return how the gradients of two outcomes differ."""
    tolerance = max(exercise.tolerance, tolerance)
    for name, one, other in zip(exercise.parameters, want, have, strict=True):
        name = f"the gradient with respect to {name}"
        if other is None and (one is None or not one.any()):
            continue  # it is zero, and an argument may as well be left out
        if other is None:
            return Difference(
                f"{name} is cut off: leave out .detach(), .item(), .data and NumPy on the way."
            )
        one = torch.zeros_like(other) if one is None else one
        if words := _off(name, one.double(), other.detach().double(), tolerance):
            return Difference(f"the values agree, but {words}")
    return Difference()


def _told_apart(want: float, have: float) -> tuple[str, str]:
    """Return two different numbers with as many digits as it takes to see that."""
    digits = next((d for d in range(4, 17) if f"{want:.{d}g}" != f"{have:.{d}g}"), 17)
    return f"{want:.{digits}g}", f"{have:.{digits}g}"


def _as_tensor(value: object, shape: tuple[int, ...]) -> torch.Tensor | None:
    """Return numbers in any form as a tensor, None when they are not numbers.

    Lists are read only when as long as expected: one that is too long shows its own length.
    """
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        dense: torch.Tensor = value.dequantize() if value.is_quantized else value.to_dense()
        return dense
    if isinstance(value, np.ndarray | np.generic):
        return torch.from_numpy(np.array(value)) if value.dtype.kind in "biufc" else None
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        value = float(max(-(10**300), min(value, 10**300)))  # integers are unbounded
    if isinstance(value, numbers.Number):
        return torch.tensor(value, dtype=torch.complex128 if isinstance(value, complex) else None
                            if isinstance(value, bool | int) else torch.float64)  # fmt: skip
    if isinstance(value, list | tuple):
        if not shape or len(value) != shape[0]:
            return torch.empty(len(value))  # the shape is wrong, and that is enough to know
        parts = [_as_tensor(part, shape[1:]) for part in itertools.islice(value, shape[0])]
        numbers_only = [part for part in parts if part is not None]
        if len(numbers_only) < len(parts) or len({part.shape for part in numbers_only}) != 1:
            return None
        return torch.stack(numbers_only)
    return None


def _alone(value: object) -> object:
    """Return the Python object inside NumPy's or PyTorch's."""
    if isinstance(value, np.generic) or (
        isinstance(value, torch.Tensor | np.ndarray) and not value.ndim
    ):
        return value.item()
    return value


def _the(name: str) -> str:
    return name or "the result"


def _first(differences: Iterable[Difference]) -> Difference:
    return next((difference for difference in differences if difference), Difference())
