"""Elman, LSTM and GRU: torch.nn's layers, unchanged, that also show every gate.

`trace` is for looking (fused speed), `rollout` for intervening (the readable loop). Both return a
list with one NamedTuple per layer and direction, in PyTorch's order: layer 0 forward, layer 0
backward, layer 1 forward ...; every field is (T, B, H), zero on padding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout
from torch.nn.utils.rnn import PackedSequence

from course_utils.models.layers.edits import Edit
from course_utils.models.layers.kinds import KINDS
from course_utils.models.layers.rollout import edits_of, roll
from course_utils.models.layers.sequences import Sequences, Start, read_sequences
from course_utils.models.layers.trace import trace_direction
from course_utils.models.steps import Carried, Step, Weights, each_field

Input = Tensor | PackedSequence
Reading = Callable[[int, Tensor, Carried, Weights, bool], Step]  # reads one layer and direction


class Traceable(nn.RNNBase):
    """Add `trace`, `rollout` and `weights` to a recurrent layer of torch.nn."""

    def weights(self, layer: int = 0, direction: int = 0) -> Weights:
        """Return the parameters of one layer and direction (1 is backward) for a step function."""
        suffix = f"_l{layer}" + ("_reverse" if direction else "")
        names = ["weight_ih", "weight_hh"] + (["bias_ih", "bias_hh"] if self.bias else [])
        return Weights(*(getattr(self, name + suffix) for name in names))

    def trace(self, x: Input, state: Start | None = None) -> list[Step]:
        """Return every gate and state of every step, at about twice the fused layer's cost."""
        cell = KINDS[self.mode]

        given = read_sequences(self, x, state)

        def run(index: int, x: Tensor, start: Carried, weights: Weights, backwards: bool) -> Step:
            return trace_direction(cell, x, start, weights, backwards, given.lengths)

        return self._each_direction(given, run)

    def rollout(
        self,
        x: Input,
        state: Start | None = None,
        edit: Edit | Mapping[int, Edit] | None = None,
    ) -> list[Step]:
        """Return what `trace` does, by a loop over steps in which `edit(t, step)` may intervene.

        It returns the step with fields replaced (`step._replace(i=...)`) or None; what follows
        from them is computed again. {index in the returned list: edit} edits only some layers.
        """
        cell = KINDS[self.mode]
        given = read_sequences(self, x, state)
        edits = edits_of(edit, len(given.starts))

        def run(index: int, x: Tensor, start: Carried, weights: Weights, backwards: bool) -> Step:
            return roll(cell, x, start, weights, backwards, given.real, edits[index])

        return self._each_direction(given, run)

    def _each_direction(self, sequences: Sequences, run: Reading) -> list[Step]:
        """Feed every layer what the one below gives, as torch.nn does, and collect the steps."""
        directions = 2 if self.bidirectional else 1
        x, real = sequences.x, sequences.real
        found: list[Step] = []
        for index, start in enumerate(sequences.starts):
            layer, direction = divmod(index, directions)
            if layer and direction == 0:
                below = [steps.h for steps in found[-directions:]]
                x = dropout(torch.cat(below, dim=-1), self.dropout, self.training)
            steps = run(index, x, start, self.weights(layer, direction), bool(direction))
            if real is not None:
                steps = each_field(steps, partial(_zero_unless, real))
            found.append(steps)
        if sequences.batched:
            return found
        return [each_field(steps, lambda field: field.squeeze(1)) for steps in found]


def _zero_unless(real: Tensor, field: Tensor) -> Tensor:
    return torch.where(real, field, 0)


class Elman(Traceable, nn.RNN):
    """torch.nn.RNN that shows h and the pre-activation a of every step."""


class LSTM(Traceable, nn.LSTM):
    """torch.nn.LSTM that shows h, c and the gates i, f, g, o of every step."""


class GRU(Traceable, nn.GRU):
    """torch.nn.GRU that shows h, the gates r, z and the candidate n of every step."""


CELLS: dict[str, type[Elman | GRU | LSTM]] = {
    "elman": Elman,
    "gru": GRU,
    "lstm": LSTM,
}  # by the names that recipes and races use
