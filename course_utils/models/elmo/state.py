"""What a call returns: the layers, and the state of each stream of sentences."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models.elmo.options import Options


class BiLMOutput(NamedTuple):
    """All layers of a batch, without the sentence boundaries unless they were asked for."""

    layers: Tensor  # (L + 1, B, T, 2P); layer 0 is the token vector twice, then [forward; backward]
    mask: Tensor  # (B, T): is there a token here?
    state: BiLMState  # give it to the next call to go on with the same streams


class BiLMState(NamedTuple):
    """The state of each stream: row b of the next batch continues row b."""

    h: Tensor  # (2, L, R, P), direction 0 reads forward, 1 backward
    c: Tensor  # (2, L, R, C)

    def rows(self, count: int) -> BiLMState:
        """Return the first `count` rows, new ones zero."""
        return BiLMState(*(_resized(part, count) for part in self))

    def detach(self) -> BiLMState:
        """Return the state without its history, so that training may go on from it."""
        return BiLMState(*(part.detach() for part in self))

    def updated(self, new: BiLMState) -> BiLMState:
        """Return this state with its first rows replaced; a smaller batch leaves the others."""
        kept = new.h.shape[2]
        return BiLMState(
            *(
                torch.cat([fresh, part[:, :, kept:].to(fresh)], dim=2)
                for fresh, part in zip(new, self, strict=True)
            )
        )


def zero_state(options: Options, rows: int, like: Tensor) -> BiLMState:
    """Return the state before the first sentence."""
    shape = (2, options.layers, rows)
    return BiLMState(
        like.new_zeros(*shape, options.projection), like.new_zeros(*shape, options.cells)
    )


def started(state: BiLMState | None, options: Options, rows: int, like: Tensor) -> BiLMState:
    """Return the initial state of N rows: the given one, with zeros for new rows or if None."""
    if state is None:
        return zero_state(options, rows, like)
    return BiLMState(*(part.to(like) for part in state)).rows(rows)


def checked_state(state: tuple[Tensor, Tensor], options: Options) -> BiLMState:
    """Return a pair h, c as a state; refuse one of another model."""
    pair = isinstance(state, tuple | list) and len(state) == 2
    if not pair or not all(isinstance(part, Tensor) for part in state):
        raise TypeError(
            "a state is what an earlier call returned, `bilm(sentences).state`, or the pair (h, c) "
            f"of its tensors, not {type(state).__name__}"
        )
    shapes = tuple((*part.shape[:2], part.shape[3]) if part.ndim == 4 else () for part in state)
    wanted = tuple((2, options.layers, width) for width in (options.projection, options.cells))
    if shapes != wanted:
        raise ValueError(
            f"this state has shapes {[tuple(part.shape) for part in state]}, not "
            f"(2, {options.layers}, rows, {options.projection}) and "
            f"(2, {options.layers}, rows, {options.cells}): it comes from another model"
        )
    return BiLMState(*state)


def _resized(part: Tensor, count: int) -> Tensor:
    if count <= part.shape[2]:
        return part[:, :, :count]
    missing = part.new_zeros(*part.shape[:2], count - part.shape[2], part.shape[3])
    return torch.cat([part, missing], dim=2)
