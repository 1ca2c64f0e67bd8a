"""Elman, LSTM and GRU: torch.nn's layers, unchanged, that also show every gate.

`trace` is for looking (fused speed), `rollout` for intervening (the readable loop). Both return a
list with one NamedTuple per layer and direction, in PyTorch's order: layer 0 forward, layer 0
backward, layer 1 forward ...; every field is (T, B, H), zero on padding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout
from torch.nn.utils.rnn import PackedSequence

from course_utils.models.layers.edits import Edit, settle_elman, settle_gru, settle_lstm
from course_utils.models.layers.rollout import edits_of, roll
from course_utils.models.layers.sequences import Sequences, read_sequences
from course_utils.models.layers.trace import trace_direction
from course_utils.models.steps import Step, Weights, elman_step, gru_step, lstm_step

Input = Tensor | PackedSequence


class CellKind(NamedTuple):
    """What tells one kind of recurrent layer from another."""

    step: Callable  # its equations
    settle: Callable  # what follows from an edited step
    gates: str  # the function of `gate_products` (and its fast twin) that gives all gates
    fused: Callable  # PyTorch's kernel


KINDS = {
    "RNN_TANH": CellKind(
        elman_step, partial(settle_elman, g=torch.tanh), "elman_gates", torch.rnn_tanh
    ),
    "RNN_RELU": CellKind(
        partial(elman_step, g=torch.relu),
        partial(settle_elman, g=torch.relu),
        "elman_gates",
        torch.rnn_relu,
    ),
    "LSTM": CellKind(lstm_step, settle_lstm, "lstm_gates", torch.lstm),
    "GRU": CellKind(gru_step, settle_gru, "gru_gates", torch.gru),
}


class Traceable:
    """Add `trace`, `rollout` and `weights` to a recurrent layer of torch.nn."""

    def weights(self, layer: int = 0, direction: int = 0) -> Weights:
        """Return the parameters of one layer and direction (1 is backward) for a step function."""
        suffix = f"_l{layer}" + ("_reverse" if direction else "")
        names = ["weight_ih", "weight_hh"] + (["bias_ih", "bias_hh"] if self.bias else [])
        return Weights(*(getattr(self, name + suffix) for name in names))

    def trace(self, x: Input, state=None) -> list[Step]:
        """Return every gate and state of every step, at about twice the fused layer's cost."""
        cell = KINDS[self.mode]

        def run(index, x, start, weights, backwards, sequences):
            return trace_direction(cell, x, start, weights, backwards, sequences.lengths)

        return self._each_direction(read_sequences(self, x, state), run)

    def rollout(
        self, x: Input, state=None, edit: Edit | Mapping[int, Edit] | None = None
    ) -> list[Step]:
        """Return what `trace` does, by a loop over steps in which `edit(t, step)` may intervene.

        It returns the step with fields replaced (`step._replace(i=...)`) or None; what follows
        from them is computed again. {index in the returned list: edit} edits only some layers.
        """
        cell = KINDS[self.mode]
        given = read_sequences(self, x, state)
        edits = edits_of(edit, len(given.starts))

        def run(index, x, start, weights, backwards, sequences):
            return roll(cell, x, start, weights, backwards, sequences.real, edits[index])

        return self._each_direction(given, run)

    def _each_direction(self, sequences: Sequences, run: Callable) -> list[Step]:
        """Feed every layer what the one below gives, as torch.nn does, and collect the steps."""
        directions = 2 if self.bidirectional else 1
        x, real, found = sequences.x, sequences.real, []
        for index, start in enumerate(sequences.starts):
            layer, direction = divmod(index, directions)
            if layer and direction == 0:
                below = [steps.h for steps in found[-directions:]]
                x = dropout(torch.cat(below, dim=-1), self.dropout, self.training)
            steps = run(index, x, start, self.weights(layer, direction), bool(direction), sequences)
            if real is not None:
                steps = type(steps)(*(torch.where(real, field, 0) for field in steps))
            found.append(steps)
        if not sequences.batched:
            found = [type(steps)(*(field.squeeze(1) for field in steps)) for steps in found]
        return found


class Elman(Traceable, nn.RNN):
    """torch.nn.RNN that shows h and the pre-activation a of every step."""


class LSTM(Traceable, nn.LSTM):
    """torch.nn.LSTM that shows h, c and the gates i, f, g, o of every step."""


class GRU(Traceable, nn.GRU):
    """torch.nn.GRU that shows h, the gates r, z and the candidate n of every step."""


CELLS = {"elman": Elman, "gru": GRU, "lstm": LSTM}  # by the names that recipes and races use
