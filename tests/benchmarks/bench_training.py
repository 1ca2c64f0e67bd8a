"""Tokens a second of `fit`, with its bar and history, against loops written by hand."""

from __future__ import annotations

import io
from contextlib import redirect_stderr

import torch
from torch import nn
from torch.nn.functional import cross_entropy

from course_utils.models import RecurrentLM
from course_utils.training import StreamLoss, fit
from tests.benchmarks.measure import Row, speedup

T, B, H, V = 35, 16, 128, 1000
STEPS = 10
TIMING = {"repeats": 25}


class PlainLM(nn.Module):
    """The same model of nothing but torch.nn."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(V, H)
        self.recurrent = nn.LSTM(H, H)
        self.output = nn.Linear(H, V)

    def forward(self, tokens, state=None):
        h, state = self.recurrent(self.embedding(tokens), state)
        return self.output(h), state


def rows() -> list[Row]:
    """Measure one model by both loops, and both models by one loop."""
    ours, plain = RecurrentLM(V, "lstm", H, H), PlainLM()
    plain.load_state_dict(ours.state_dict())
    tokens = torch.randint(V, (STEPS, T + 1, B))
    measured = [
        speedup(
            "fit / bare loop, tokens/s",
            _fit(ours, tokens),
            _bare(ours, tokens),
            ">= 0.97",
            **TIMING,
        ),
        speedup(
            "fit: RecurrentLM / torch.nn",
            _fit(ours, tokens),
            _fit(plain, tokens),
            ">= 0.97",
            **TIMING,
        ),
    ]
    return [_with_speed(row) for row in measured]


def _with_speed(row: Row) -> Row:
    """Add our tokens a second to what is shown."""
    milliseconds = float(row.detail.split()[0])
    speed = STEPS * T * B / milliseconds * 1000
    return Row(row.what, row.ratio, row.bar, f"{row.detail}, {speed:,.0f} tokens/s")


def _fit(model: nn.Module, tokens: torch.Tensor):
    def piece(number: int):
        return tokens[number, :-1], tokens[number, 1:]

    def run():
        with redirect_stderr(io.StringIO()):
            fit(model, piece, StreamLoss(), steps=STEPS, device="cpu")

    return run


def _bare(model: nn.Module, tokens: torch.Tensor):
    def run():
        optimizer = torch.optim.Adam(model.parameters())
        state, losses = None, []
        model.train()
        for piece in tokens:
            optimizer.zero_grad()
            logits, state = model(piece[:-1], state)
            state = tuple(part.detach() for part in state)
            loss = cross_entropy(logits.flatten(0, 1), piece[1:].flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())

    return run
