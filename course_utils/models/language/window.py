"""The fixed-window language model of Bengio et al. (2003)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from course_utils.models.language.language_model import Memory, TokenNumbers
from course_utils.models.language.neural import NeuralLM


class WindowLM(NeuralLM):
    """y = b + W x + U tanh(d + H x), x the embeddings of the last `window` tokens side by side.

    `direct=True` adds W, the direct path. An extra embedding stands for the positions before the
    start of a text. The state is the last `window` - 1 tokens, so that a text may come in pieces.
    """

    def __init__(
        self,
        vocabulary: int | TokenNumbers,
        window: int = 4,
        width: int = 64,
        hidden: int = 128,
        direct: bool = False,
    ):
        super().__init__(vocabulary)
        if window < 1:
            raise ValueError(f"window must be at least 1 token, not {window}")
        self.window = window
        self.embedding = nn.Embedding(self.V + 1, width)  # the last row: before the text
        self.hidden = nn.Linear(window * width, hidden)
        self.output = nn.Linear(hidden, self.V)
        self.direct = nn.Linear(window * width, self.V, bias=False) if direct else None
        self.start_small(self.embedding, *([self.direct] if self.direct is not None else []))

    def forward(self, tokens: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return logits (T, B, V) for what follows each of the tokens (T, B), and the state."""
        if state is None:
            state = tokens.new_full((1, tokens.shape[1], self.window - 1), self.V)
        seen = torch.cat([state[0].T, tokens])  # (window - 1 + T, B)
        x = self.embedding(seen).unfold(0, self.window, 1)  # (T, B, D, window)
        x = x.transpose(2, 3).flatten(2)  # (T, B, window * D)
        logits = self.output(torch.tanh(self.hidden(x)))
        if self.direct is not None:
            logits = logits + self.direct(x)
        return logits, seen[len(tokens) :].T.unsqueeze(0)

    def read(self, tokens: Tensor, memory: Memory | None) -> tuple[Tensor, Memory]:
        """Read one token per row."""
        logits, state = self(self.one_step(tokens), memory[0] if memory else None)
        return logits[0].log_softmax(dim=-1), (state,)
