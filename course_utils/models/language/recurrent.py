"""Recurrent language models: embedding, recurrent layers, softmax."""

from __future__ import annotations

from torch import Tensor, nn

from course_utils.models.language.language_model import Memory, TokenNumbers
from course_utils.models.language.neural import NeuralLM
from course_utils.models.layers.recurrent import CELLS
from course_utils.models.layers.sequences import Start
from course_utils.models.steps import Step


class RecurrentLM(NeuralLM):
    """p(w_{t+1} | w_1..w_t) = softmax(V h_t), h_t from an Elman network, an LSTM or a GRU.

    With `tied=True` the softmax shares the embedding's matrix (Press & Wolf 2017). Pass the state
    from call to call to carry the memory on; detach it for truncated BPTT.
    """

    def __init__(
        self,
        vocabulary: int | TokenNumbers,
        cell: str = "lstm",
        width: int = 128,
        hidden: int = 128,
        layers: int = 1,
        dropout: float = 0.0,
        tied: bool = False,
    ):
        super().__init__(vocabulary)
        if cell not in CELLS:
            raise ValueError(f"cell must be one of {', '.join(map(repr, CELLS))}, not {cell!r}")
        if tied and width != hidden:
            raise ValueError(f"a tied softmax needs width == hidden, not {width} and {hidden}")
        between = dropout if layers > 1 else 0.0
        self.embedding = nn.Embedding(self.V, width)
        self.dropout = nn.Dropout(dropout)
        self.recurrent = CELLS[cell](width, hidden, layers, dropout=between)
        self.output = nn.Linear(hidden, self.V)
        self.start_small(self.embedding)
        if tied:
            self.output.weight = self.embedding.weight

    def forward(self, tokens: Tensor, state: Start | None = None) -> tuple[Tensor, Start]:
        """Return logits (T, B, V) for what follows each of the tokens (T, B), and the state."""
        # not through read_states: torch.compile cannot trace a recurrent kernel, so its graph would
        # break inside a nested call, and it warns about that
        h, state = self.recurrent(self.dropout(self.embedding(tokens)), state)  # (T, B, H)
        return self.output(self.dropout(h)), state

    def read_states(self, tokens: Tensor, state: Start | None = None) -> tuple[Tensor, Start]:
        """Return the softmax's input (T, B, H) while reading (T, B), and the state."""
        x = self.dropout(self.embedding(tokens))  # (T, B, D)
        h, state = self.recurrent(x, state)  # (T, B, H)
        return self.dropout(h), state

    def trace(self, tokens: Tensor, state: Start | None = None) -> list[Step]:
        """Return every gate and state while reading tokens (T, B)."""
        x: Tensor = self.embedding(tokens)
        return [*self.recurrent.trace(x, state)]

    def read(self, tokens: Tensor, memory: Memory | None) -> tuple[Tensor, Memory]:
        """Read one token per row."""
        before = memory[0] if memory is not None and len(memory) == 1 else memory
        logits, state = self(self.one_step(tokens), before)
        return logits[0].log_softmax(dim=-1), (state,) if isinstance(state, Tensor) else state
