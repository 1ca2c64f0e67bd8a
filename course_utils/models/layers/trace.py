"""Recover every gate of a fused layer: its kernel gives h, and one product gives the gates."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from course_utils.models.layers.kinds import CellKind
from course_utils.models.layers.products import autocast_type
from course_utils.models.layers.sequences import reverse_time
from course_utils.models.steps import Carried, Step, Weights, each_field


def trace_direction(
    cell: CellKind,
    x: Tensor,
    start: Carried,
    weights: Weights,
    backwards: bool,
    lengths: Tensor | None,
) -> Step:
    """Return every step of one layer and direction, (T, B, H) each.

    A backward layer is a forward layer on reversed sequences, with its steps reversed again.
    """
    if backwards:
        x = reverse_time(x, lengths)
    h = _fused_states(cell, x, start, weights)
    gates = cell.gates_fast if _inference_suffices(x, start, weights) else cell.gates
    steps = gates(x, h, start, weights)
    if backwards:
        steps = each_field(steps, partial(reverse_time, lengths=lengths))
    return steps


def _fused_states(cell: CellKind, x: Tensor, start: Carried, weights: Weights) -> Tensor:
    """Return (T, B, H) from PyTorch's own kernel, for this layer and direction alone."""
    state = tuple(part.unsqueeze(0) for part in start)
    has_biases = weights.b is not None
    flat = [part for part in weights if part is not None]
    settings = (has_biases, 1, 0.0, torch.is_grad_enabled(), False, False)
    return cell.fused(x, state if len(state) > 1 else state[0], flat, *settings)[0]


def _inference_suffices(x: Tensor, start: Carried, weights: Weights) -> bool:
    """Return whether no gradient is wanted and the numbers are precise enough to work in place."""
    if autocast_type(x) or x.dtype not in (torch.float32, torch.float64):
        return False
    tensors = (x, *start, *weights)
    wanted = any(part is not None and part.requires_grad for part in tensors)
    return not (torch.is_grad_enabled() and wanted)
