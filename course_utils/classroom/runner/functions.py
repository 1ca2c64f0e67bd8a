"""Functions that a case holds: an answer calls them inside, they are computed outside.

They know more than an answer may, so they never enter its process. What it gives them is sent out,
and value and slopes come back together: whoever differentiates through a loss gets its gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from course_utils.checks.judging.put_back import put_back
from course_utils.classroom.runner.packed import DTYPES, NotPlain, pack, unpack

MOST_NUMBERS = 2000  # in all arguments: two large ones could span a table larger than the memory
MOST_SLOPES = 500_000  # of every number that comes out by every number that went in
MOST_ROWS = 2000  # numbers that come out with slopes: each takes a way back of its own
STYLES = ("torch.float64", "torch.float32")  # what an answer's numbers may be by default
Ask = Callable[[Mapping[str, object]], Mapping[str, object]]


def called(ask: Ask, function: int, given: Sequence[object], named: Mapping[str, object]) -> object:
    """Return what one of the case's functions gives, as if it had been called right here."""
    arguments: list[object] = [tuple(given), dict(named)]
    leaves = [*floating(arguments)]
    follow = [torch.is_grad_enabled() and leaf.requires_grad for leaf in leaves]
    call = _Call(ask, function, arguments, follow)
    if not any(follow):
        call.make(leaves)
        return call.value
    apply = cast("Callable[..., Sequence[torch.Tensor]]", _MadeOutside.apply)  # it has no types
    made = apply(call, *leaves)
    return replaced(call.value, iter(made))


def computed(
    functions: Sequence[Callable[..., object]], told: Mapping[str, object]
) -> dict[str, object]:
    """Return what one of a case's functions gives for plain arguments, with slopes if asked for."""
    try:
        given, named = unpack(told["with"])
        if numbers_in([given, named]) > MOST_NUMBERS:
            raise NotPlain("it is called with more than any case holds")
        wanted = zip(floating([given, named]), cast("list[object]", told["follow"]), strict=True)
        followed = [leaf.requires_grad_() for leaf, follows in wanted if follows is True]
        style = told["style"] if told["style"] in STYLES else STYLES[0]
        with put_back(), torch.set_grad_enabled(bool(followed)):
            torch.set_default_dtype(DTYPES[str(style)])
            value = functions[cast(int, told["ask"])](*given, **named)
            return {"value": pack(value), **_slopes([*floating(value)], followed)}
    except (NotPlain, Exception) as error:  # our function, on whatever an answer gives it
        return {"raised": [type(error).__name__, str(error)[:400]]}


def _slopes(made: Sequence[torch.Tensor], by: Sequence[torch.Tensor]) -> dict[str, object]:
    """Return which results have slopes, and a table of them for each number that went in."""
    follows = [part.requires_grad for part in made]
    results = [part for part in made if part.requires_grad]
    if not results:
        return {"follows": follows}
    numbers = torch.cat([part.reshape(-1) for part in results])
    if len(numbers) > MOST_ROWS or len(numbers) * numbers_in(by) > MOST_SLOPES:
        raise NotPlain("it has more slopes than any case needs")
    rows = [torch.autograd.grad(n, by, retain_graph=True, allow_unused=True) for n in numbers]
    tables = [
        torch.stack([torch.zeros_like(leaf) if g is None else g for g in column])
        if any(g is not None for g in column)
        else None  # it is not used
        for leaf, column in zip(by, zip(*rows, strict=True), strict=True)
    ]
    return {"follows": follows, "slopes": pack(tables)}


class _Call:
    """One call from inside, and what came back."""

    def __init__(self, ask: Ask, function: int, arguments: list[object], follow: list[bool]):
        self.ask, self.function = ask, function
        self.arguments, self.follow = arguments, follow
        self.value: object = None
        self.follows: list[bool] = []
        self.slopes: list[torch.Tensor | None] = []

    def make(self, leaves: Sequence[torch.Tensor]) -> None:
        """Ask for the value with these numbers among the arguments, and for slopes."""
        told = self.ask(
            {
                "ask": self.function,
                "with": pack(replaced(self.arguments, iter(leaves))),
                "follow": self.follow,
                "style": str(torch.get_default_dtype()),
            }
        )
        if "raised" in told:
            name, said = cast("Sequence[str]", told["raised"])
            raise type(name, (Exception,), {})(said)
        self.value = unpack(told["value"])
        self.follows = cast("list[bool]", told["follows"])
        found = iter(unpack(told["slopes"]) if "slopes" in told else [])
        self.slopes = [next(found, None) if follows else None for follows in self.follow]


class _MadeOutside(torch.autograd.Function):
    """Numbers that were made outside, with slopes that were made beside them."""

    @staticmethod
    def forward(call: _Call, *leaves: torch.Tensor) -> tuple[torch.Tensor, ...]:
        call.make(leaves)
        return tuple(part.clone() for part in floating(call.value))

    @staticmethod
    def setup_context(ctx: object, inputs: tuple[_Call], output: Sequence[torch.Tensor]) -> None:
        call = inputs[0]
        still = [part for part, follows in zip(output, call.follows, strict=True) if not follows]
        known = cast(torch.autograd.function.FunctionCtx, ctx)
        known.mark_non_differentiable(*still)
        vars(known)["call"] = call

    @staticmethod
    @once_differentiable
    def backward(ctx: object, *arriving: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        call: _Call = vars(ctx)["call"]
        kept = [a.reshape(-1) for a, f in zip(arriving, call.follows, strict=True) if f]
        along = torch.cat(kept)
        return (
            None,
            *(table if table is None else _along(along, table) for table in call.slopes),
        )


def _along(arriving: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    gradient: torch.Tensor = torch.tensordot(arriving.to(table.dtype), table, dims=1)
    return gradient


def floating(value: object) -> Iterator[torch.Tensor]:
    """Yield the tensors with slopes, or with room for them, inside a value."""
    if isinstance(value, torch.Tensor):
        if value.is_floating_point():
            yield value
    elif isinstance(value, tuple | list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from floating(part)


def replaced(value: object, new: Iterator[torch.Tensor]) -> object:
    """Return a value with others in place of the tensors that `floating` yields."""
    if isinstance(value, torch.Tensor):
        return next(new) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: replaced(part, new) for key, part in value.items()}
    if isinstance(value, tuple | list):
        parts = [replaced(part, new) for part in value]
        return value._make(parts) if hasattr(value, "_make") else type(value)(parts)
    return value


def numbers_in(value: object) -> int:
    """Return how many numbers a value holds."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return int(np.prod(value.shape))
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return sum(map(numbers_in, value))
    return 1
