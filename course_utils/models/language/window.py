"""The fixed-window language model of Bengio et al. (2003)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from course_utils.models.language.language_model import Memory, TokenNumbers
from course_utils.models.language.neural import NeuralLM


class Tied(nn.Module):
    """A softmax that shares the words' own vectors: all rows of an embedding but the last."""

    def __init__(self, embedding: nn.Embedding):
        super().__init__()
        self.rows = (embedding,)  # in a tuple, so that its weights are not registered twice
        self.bias = nn.Parameter(torch.zeros(embedding.num_embeddings - 1))

    @property
    def weight(self) -> Tensor:
        """Return a vector for each word, (V, D)."""
        return self.rows[0].weight[:-1]

    def forward(self, h: Tensor) -> Tensor:
        """Return the scores of all words."""
        return linear(h, self.weight, self.bias)


class WindowLM(NeuralLM):
    """y = b + W x + U tanh(d + H x), x the embeddings of the last `window` tokens side by side.

    `direct=True` adds W, the direct path; `tied=True` makes U the embedding's rows. An extra
    embedding stands for the positions before the start of a text. The state is the last
    `window` - 1 tokens, so that a text may come in pieces.
    """

    def __init__(
        self,
        vocabulary: int | TokenNumbers,
        window: int = 4,
        width: int = 64,
        hidden: int = 128,
        direct: bool = False,
        dropout: float = 0.0,
        tied: bool = False,
    ):
        super().__init__(vocabulary)
        if window < 1:
            raise ValueError(f"window must be at least 1 token, not {window}")
        if tied and width != hidden:
            raise ValueError(f"a tied softmax needs width == hidden, not {width} and {hidden}")
        self.window, self.dropout = window, nn.Dropout(dropout)
        self.embedding = nn.Embedding(self.V + 1, width)  # the last row: before the text
        self.hidden = nn.Linear(window * width, hidden)
        self.output = Tied(self.embedding) if tied else nn.Linear(hidden, self.V)
        self.direct = nn.Linear(window * width, self.V, bias=False) if direct else None
        self.start_small(self.embedding, *([self.direct] if self.direct is not None else []))

    def forward(self, tokens: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return logits (T, B, V) for what follows each of the tokens (T, B), and the state."""
        x, state = self._windows(tokens, state)
        logits: Tensor = self.output(self._hidden(x))
        if self.direct is not None:
            logits = logits + self.direct(x)
        return logits, state

    def read_states(self, tokens: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the softmax's input (T, B, H) while reading (T, B), and the state."""
        x, state = self._windows(tokens, state)
        return self._hidden(x), state

    def _windows(self, tokens: Tensor, state: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the last embeddings side by side (T, B, window * D), and the last tokens."""
        if state is None:
            state = tokens.new_full((1, tokens.shape[1], self.window - 1), self.V)
        seen = torch.cat([state[0].T, tokens])  # (window - 1 + T, B)
        x = self.embedding(seen).unfold(0, self.window, 1)  # (T, B, D, window)
        return x.transpose(2, 3).flatten(2), seen[len(tokens) :].T.unsqueeze(0)

    def _hidden(self, x: Tensor) -> Tensor:
        h: Tensor = self.dropout(torch.tanh(self.hidden(self.dropout(x))))
        return h

    def read(self, tokens: Tensor, memory: Memory | None) -> tuple[Tensor, Memory]:
        """Read one token per row."""
        logits, state = self(self.one_step(tokens), memory[0] if memory else None)
        return logits[0].log_softmax(dim=-1), (state,)
