"""Read and write character by character with a one-layer LSTM, some of its cells held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.data.vocabulary import words_of
from course_utils.models import RecurrentLM
from course_utils.models.language.sampling import shaped
from course_utils.models.quiet import quiet
from course_utils.models.steps import LSTMState

Held = Mapping[int, float]  # a unit's number and the value that its cell is kept at


class Writer:
    """Take single steps of an LSTM language model; what comes from the characters is known.

    A step of one text costs little more than its one product: thousands a second.
    """

    def __init__(self, model: RecurrentLM):
        layer = model.recurrent
        if layer.mode != "LSTM" or layer.num_layers != 1:
            kind = f"{layer.num_layers} layers of {layer.mode}"
            raise ValueError(f"cells are held in an LSTM of one layer; this has {kind}")
        self.words = words_of(model)
        self.H = layer.hidden_size
        with quiet(model):
            weights = layer.weights()
            self.rows = linear(model.embedding.weight, weights.W, weights.b)  # (V, 4H)
            if weights.b_U is not None:
                self.rows = self.rows + weights.b_U
            self.U = weights.U.T.contiguous()
            self.V, self.b = model.output.weight.T.contiguous(), model.output.bias

    def start(self, texts: int) -> LSTMState:
        """Return the state before any text."""
        return LSTMState(torch.zeros(texts, self.H), torch.zeros(texts, self.H))

    def step(self, tokens: Tensor, state: LSTMState, held: Tensor | None = None) -> LSTMState:
        """Read one character of every text, (B,); `held` are rows of `held_cells`, one or B."""
        with torch.inference_mode():
            i, f, g, o = torch.addmm(self.rows[tokens], state.h, self.U).chunk(4, dim=-1)
            c = f.sigmoid().mul_(state.c).add_(i.sigmoid().mul_(g.tanh()))  # (3.1) to (3.4)
            if held is not None:
                c = torch.where(held.isnan(), c, held)
            return LSTMState(o.sigmoid().mul_(c.tanh()), c)  # (3.5), (3.6)

    def held_cells(self, holds: Sequence[Held]) -> Tensor:
        """Return the values that cells are kept at, a row for each hold; NaN is a free cell."""
        rows = torch.full((len(holds), self.H), torch.nan)
        for row, held in zip(rows, holds, strict=True):
            row[list(held)] = torch.tensor(list(held.values()), dtype=torch.float32)
        return rows

    def log_probs(self, state: LSTMState) -> Tensor:
        """Return log p of what comes next, (B, V)."""
        with torch.inference_mode():
            return torch.addmm(self.b, state.h, self.V).log_softmax(dim=-1)

    def read(self, texts: Sequence[str], held: Held | None = None, since: int = 0) -> LSTMState:
        """Read texts of equal length; cells are held from character `since` on."""
        columns = torch.stack([self.words.encode(text) for text in texts], dim=1)  # (T, B)
        state, fixed = self.start(len(texts)), self.held_cells([held]) if held else None
        for t, column in enumerate(columns):
            state = self.step(column, state, fixed if t >= since else None)
        return state

    def write(
        self,
        state: LSTMState,
        length: int,
        held: Held | None = None,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
        seed: int = 0,
    ) -> list[str]:
        """Return what follows for every text, `length` characters each, cells held on the way."""
        points, fixed = draws(length, len(state.h), seed), self.held_cells([held]) if held else None
        return self.go_on(state, points, fixed, temperature, top_k, top_p)[0]

    @torch.inference_mode()
    def go_on(
        self,
        state: LSTMState,
        points: Tensor,
        held: Tensor | None = None,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> tuple[list[str], LSTMState]:
        """Return what follows, and the state after it; `points` (T, B) choose each character."""
        written = []
        never = None if self.words.unknown is None else self.words.number[self.words.unknown]
        for point in points:
            log_p = self.log_probs(state).double()
            if never is not None:
                log_p[:, never] = -torch.inf
            total = shaped(log_p, temperature, top_k, top_p).cumsum(dim=-1)
            token = torch.searchsorted(total, point[:, None] * total[:, -1:], right=True)[:, 0]
            token = token.clamp(max=total.shape[-1] - 1)
            written.append(token)
            state = self.step(token, state, held)
        rows = torch.stack(written, dim=1) if written else torch.zeros(len(state.h), 0)
        return ["".join(self.words.decode(row)) for row in rows.long()], state


def draws(length: int, texts: int, seed: int) -> Tensor:
    """Return the points in [0, 1) that choose each character of each text, (length, texts)."""
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(length, texts, generator=generator, dtype=torch.float64)
