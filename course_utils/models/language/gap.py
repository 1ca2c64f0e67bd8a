"""Fill a gap from the words before it, from those after it, or from both."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_utils.models.language.language_model import TokenNumbers, check_vocabulary
from course_utils.models.layers.recurrent import Elman

SIDES = ("left", "right", "both")


class GapLM(nn.Module):
    """p(w_t | its neighbours) = softmax(V [h_{t-1}; k_{t+1}]): a masked language model of one gap.

    h reads from the left and k from the right, so neither has seen w_t. With `side` "both", each
    gets half of the `hidden` units, so the softmax sees as many numbers as it does from one side.
    """

    def __init__(
        self, vocabulary: int | TokenNumbers, side: str, width: int = 32, hidden: int = 64
    ):
        super().__init__()
        if side not in SIDES:
            raise ValueError(f"side must be one of {', '.join(map(repr, SIDES))}, not {side!r}")
        self.vocabulary, self.side = check_vocabulary(vocabulary), side
        V = vocabulary if isinstance(vocabulary, int) else len(vocabulary)
        units = hidden // 2 if side == "both" else hidden
        self.embedding = nn.Embedding(V, width)
        self.left = Elman(width, units) if side != "right" else None
        self.right = Elman(width, units) if side != "left" else None
        self.output = nn.Linear(hidden, V)
        nn.init.uniform_(self.embedding.weight, -0.05, 0.05)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits (T - 2, B, V) for every word of (T, B) except the first and the last."""
        x = self.embedding(tokens)  # (T, B, D)
        states = []
        if self.left is not None:
            states.append(self.left(x[:-2])[0])  # h_{t-1}
        if self.right is not None:
            states.append(self.right(x[2:].flip(0))[0].flip(0))  # k_{t+1}
        logits: Tensor = self.output(torch.cat(states, dim=-1))
        return logits

    def loss(self, tokens: Tensor) -> Tensor:
        """Return the mean of -log p over all gaps of (T, B)."""
        return cross_entropy(self(tokens).flatten(0, 1), tokens[1:-1].flatten())
