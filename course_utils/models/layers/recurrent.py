"""Elman, LSTM and GRU: torch.nn's layers, unchanged, that also show every gate.

`trace` is for looking (fused speed), `rollout` for intervening (the readable loop). Both return a
list with one NamedTuple per layer and direction, in PyTorch's order: layer 0 forward, layer 0
backward, layer 1 forward ...; every field is (T, B, H), zero on padding, even if the layer is
`batch_first`. `LSTM.of(layer)` opens a torch.nn layer that you already have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Generic, Self, TypeVar, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout
from torch.nn.utils.rnn import PackedSequence

from course_utils.models.layers.edits import Edit
from course_utils.models.layers.kinds import KINDS
from course_utils.models.layers.rollout import edits_of, roll
from course_utils.models.layers.sequences import Sequences, Start, read_sequences, refuse_odd
from course_utils.models.layers.trace import trace_direction
from course_utils.models.steps import (
    Carried,
    ElmanStep,
    GRUStep,
    LSTMStep,
    Step,
    Weights,
    each_field,
)

Input = Tensor | PackedSequence
Reading = Callable[[int, Tensor, Carried, Weights, bool], Step]  # reads one layer and direction
StepT = TypeVar("StepT", ElmanStep, LSTMStep, GRUStep)  # what a layer of each kind shows


class Traceable(nn.RNNBase, Generic[StepT]):
    """Add `trace`, `rollout`, `weights` and `of` to a recurrent layer of torch.nn."""

    @classmethod
    def of(cls, layer: nn.RNNBase) -> Self:
        """Return a layer that shows every gate of the given one and shares its parameters.

        They are shared, not copied: training either layer trains both.

        >>> layer = nn.LSTM(3, 5, bidirectional=True)
        >>> x = torch.randn(7, 2, 3)
        >>> ahead, back = LSTM.of(layer).trace(x)
        >>> torch.allclose(torch.cat([ahead.h, back.h], dim=-1), layer(x)[0], atol=1e-6)
        True
        """
        kind = next(kind for kind in (nn.RNN, nn.LSTM, nn.GRU) if issubclass(cls, kind))
        if not isinstance(layer, kind):
            raise TypeError(f"{cls.__name__}.of opens a torch.nn.{kind.__name__}, not {layer!r}")
        names = ("num_layers", "bias", "batch_first", "dropout", "bidirectional")
        options: dict[str, object] = {name: getattr(layer, name) for name in names}
        if isinstance(layer, nn.RNN):
            options["nonlinearity"] = layer.nonlinearity
        new = cast("Callable[..., Self]", cls)
        opened = new(layer.input_size, layer.hidden_size, **options, device="meta")
        shared: dict[str, nn.Parameter] = dict(layer.named_parameters())
        if {*shared} != {name for name, _ in opened.named_parameters()}:
            raise TypeError(
                f"{layer!r} keeps its weights in another form (a projection, or "
                "parametrizations): make them plain first"
            )
        for name, parameter in shared.items():
            setattr(opened, name, parameter)
        return opened.train(layer.training)

    def forward(self, input: Any, hx: Any = None) -> Any:  # typed as loosely as torch.nn's are
        """Return what torch.nn's layer does, with clear errors for a bad sequence or state."""
        if not torch.compiler.is_compiling():
            refuse_odd(self, input, hx)
        return super().forward(input, hx)

    def weights(self, layer: int = 0, direction: int = 0) -> Weights:
        """Return the parameters of one layer and direction (1 is backward) for a step function."""
        suffix = f"_l{layer}" + ("_reverse" if direction else "")
        names = ["weight_ih", "weight_hh"] + (["bias_ih", "bias_hh"] if self.bias else [])
        return Weights(*(getattr(self, name + suffix) for name in names))

    def trace(self, x: Input, state: Start | None = None) -> list[StepT]:
        """Return every gate and state of every step, at about twice the fused layer's cost.

        Time comes first, (T, B, H), also where the layer itself is `batch_first`.

        >>> layer = LSTM(3, 5)
        >>> (step,) = layer.trace(torch.randn(7, 2, 3))  # one layer, read in one direction
        >>> step.f.shape  # the forget gates: 7 steps of 2 sequences, 5 units
        torch.Size([7, 2, 5])
        >>> kept, new = step.f[1:] * step.c[:-1], step.i[1:] * step.g[1:]
        >>> torch.allclose(step.c[1:], kept + new, atol=1e-6)
        True
        """
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
    ) -> list[StepT]:
        """Return what `trace` does, from a loop over steps in which `edit(t, step)` may intervene.

        `edit` returns the step with fields replaced (`step._replace(i=...)`), or None: then only
        its in-place changes count. Whatever depends on a change is recomputed. To edit only some
        layers, pass {index in the returned list: edit}.

        >>> layer, x = LSTM(3, 5), torch.randn(7, 2, 3)
        >>> def never_forget(t, step):
        ...     return step._replace(f=torch.ones_like(step.f))
        >>> (step,) = layer.rollout(x, edit=never_forget)
        >>> torch.allclose(step.c, (step.i * step.g).cumsum(dim=0), atol=1e-6)
        True
        """
        cell = KINDS[self.mode]
        given = read_sequences(self, x, state)
        edits = edits_of(edit, len(given.starts))

        def run(index: int, x: Tensor, start: Carried, weights: Weights, backwards: bool) -> Step:
            return roll(cell, x, start, weights, backwards, given.real, edits[index])

        return self._each_direction(given, run)

    def _each_direction(self, sequences: Sequences, run: Reading) -> list[StepT]:
        """Feed every layer the output of the one below, as torch.nn does, and collect the steps."""
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
        if not sequences.batched:
            found = [each_field(steps, lambda field: field.squeeze(1)) for steps in found]
        return cast("list[StepT]", found)


def _zero_unless(real: Tensor, field: Tensor) -> Tensor:
    return torch.where(real, field, 0)


class Elman(Traceable[ElmanStep], nn.RNN):
    """torch.nn.RNN that shows h and the pre-activation a of every step."""


class LSTM(Traceable[LSTMStep], nn.LSTM):
    """torch.nn.LSTM that shows h, c and the gates i, f, g, o of every step."""


class GRU(Traceable[GRUStep], nn.GRU):
    """torch.nn.GRU that shows h, the gates r, z and the candidate n of every step."""


CELLS: dict[str, type[Elman | GRU | LSTM]] = {
    "elman": Elman,
    "gru": GRU,
    "lstm": LSTM,
}  # by the names that recipes and races use
