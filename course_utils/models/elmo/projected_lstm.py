"""An LSTM whose state is projected to a smaller width before it is used and fed back."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from course_utils.models.steps import LSTMState, LSTMStep

FORGET_BIAS = 1.0  # added at run time: neither the parameters nor the published files hold it


class ProjectedWeights(NamedTuple):
    """Weights of a cell, blocks of rows in the order i f g o."""

    W: Tensor  # (4C, P), input to cell
    U: Tensor  # (4C, P), projected state to cell
    b: Tensor  # (4C,)
    V: Tensor | None  # (P, C), cell to projected state; None where C == P and nothing projects


def projected_lstm_step(
    x_t: Tensor,
    prev: LSTMState,  # h (B, P), c (B, C)
    weights: ProjectedWeights,
    cell_clip: float | None = None,
    proj_clip: float | None = None,
) -> LSTMStep:
    """Do one step of ELMo's LSTM: clipped cell, projected and clipped state."""
    W, U, b, V = weights
    a = linear(x_t, W, b) + linear(prev.h, U)  # (B, 4C)
    i, f, g, o = a.chunk(4, dim=-1)
    i, f, o = torch.sigmoid(i), torch.sigmoid(f + FORGET_BIAS), torch.sigmoid(o)
    g = torch.tanh(g)
    c = clip(f * prev.c + i * g, cell_clip)  # the clipped value is also what is carried
    m = o * torch.tanh(c)  # (B, C), an ordinary LSTM's h
    h = m if V is None else clip(linear(m, V), proj_clip)  # (B, P)
    return LSTMStep(h, c, i, f, g, o)


def clip(x: Tensor, bound: float | None) -> Tensor:
    """Keep x within [-bound, bound]; leave it alone when there is no bound."""
    return x if bound is None else x.clamp(-bound, bound)


class ProjectedLSTM(nn.Module):
    """One layer in one direction."""

    weight_hr: nn.Parameter | None

    def __init__(
        self,
        width: int,
        cells: int,
        cell_clip: float | None = None,
        proj_clip: float | None = None,
        projected: bool = True,
        **factory: Any,
    ):
        super().__init__()
        if not projected and cells != width:
            raise ValueError(
                f"{cells} cells cannot be a state of width {width} without a projection: "
                "leave `projected` on, or make the two equal"
            )
        self.cell_clip, self.proj_clip = cell_clip, proj_clip if projected else None
        self.weight_ih = nn.Parameter(torch.empty(4 * cells, width, **factory))
        self.weight_hh = nn.Parameter(torch.empty(4 * cells, width, **factory))
        self.bias = nn.Parameter(torch.zeros(4 * cells, **factory))
        projection = nn.Parameter(torch.empty(width, cells, **factory)) if projected else None
        self.register_parameter("weight_hr", projection)
        for weight in (self.weight_ih, self.weight_hh, self.weight_hr):
            if weight is not None and not weight.is_meta:
                nn.init.normal_(weight, std=1 / math.sqrt(weight.shape[1]))

    @property
    def weights(self) -> ProjectedWeights:
        """Return the weights in the lecture's symbols."""
        return ProjectedWeights(self.weight_ih, self.weight_hh, self.bias, self.weight_hr)

    def forward(
        self, x: Tensor, state: LSTMState, alive: Tensor | None = None
    ) -> tuple[Tensor, LSTMState]:
        """Read x (T, B, P); where `alive` (T, B) is false, output 0 and keep the state."""
        outputs = []
        for t, x_t in enumerate(x.unbind()):
            step = projected_lstm_step(x_t, state, self.weights, self.cell_clip, self.proj_clip)
            if alive is None:
                state, output = LSTMState(step.h, step.c), step.h
            else:
                here = alive[t].unsqueeze(-1)  # (B, 1)
                state = LSTMState(
                    torch.where(here, step.h, state.h), torch.where(here, step.c, state.c)
                )
                output = step.h * here
            outputs.append(output)
        return (torch.stack(outputs) if outputs else x), state
