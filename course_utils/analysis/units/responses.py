"""What units do while a text is read: any gate or state of any layer, however long the text is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from course_utils.models import RecurrentLM
from course_utils.models.layers.sequences import Start
from course_utils.models.quiet import quiet
from course_utils.models.steps import LSTMStep, Step

PIECE = 4096  # tokens read at once: bounds the memory

# the name of a gate or state, or a function of the steps of a layer and of those before them
Response = str | Callable[[Step, Step], Tensor]


def responses(
    model: RecurrentLM,
    tokens: Sequence[str] | Tensor,
    of: Response,
    layer: int = 0,
    piece: int = PIECE,
) -> Iterator[Tensor]:
    """Read a text once, yield what all units of a layer show at each token, (up to piece, H).

    The state carries over from piece to piece, as if the text were read in one go.
    """
    numbers, state, before = model.numbers(tokens), None, None
    for first in range(0, len(numbers), piece):
        now = numbers[first : first + piece, None].to(model.device)
        with quiet(model):
            traced = model.trace(now, state)
            steps = traced[layer]
            earlier = _one_earlier(steps, before)
            shown = _named(steps, of) if isinstance(of, str) else of(steps, earlier)
            yield shown[:, 0].cpu()
        state, before = carried(traced), type(steps)(*(field[-1:] for field in steps))


def _named(steps: Step, name: str) -> Tensor:
    if name not in steps._fields:
        kind, known = type(steps).__name__.removesuffix("Step"), ", ".join(steps._fields)
        raise ValueError(f"a step of this network ({kind}) has no {name!r}: it has {known}")
    field: Tensor = getattr(steps, name)
    return field


def _one_earlier(steps: Step, before: Step | None) -> Step:
    """Return the steps moved by one: at t what was at t - 1, zeros before the text."""
    firsts = [torch.zeros_like(field[:1]) for field in steps] if before is None else before
    pairs = zip(firsts, steps, strict=True)
    return type(steps)(*(torch.cat([first, field[:-1]]) for first, field in pairs))


def carried(traced: list[Step]) -> Start:
    """Return the state after the last step as the layers of torch.nn take it, (L, B, H)."""
    h = torch.stack([steps.h[-1] for steps in traced])
    cells = [steps.c[-1] for steps in traced if isinstance(steps, LSTMStep)]
    return (h, torch.stack(cells)) if cells else h
