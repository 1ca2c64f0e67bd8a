"""Small runs for the tests of training, in this process or in forked ones that can be killed."""

from __future__ import annotations

import multiprocessing
import random
from pathlib import Path

import numpy as np
import torch
from torch import nn

from course_utils.settings import seed_everything
from course_utils.training import StreamLoss, fit

V, D, H, B, T = 11, 3, 5, 4, 7


class TinyLM(nn.Module):
    """An LSTM language model with dropout, so that a wrong random state shows."""

    def __init__(self, hidden: int = H, dropout: float = 0.3):
        super().__init__()
        self.embed = nn.Embedding(V, D)
        self.recur = nn.LSTM(D, hidden)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, V)

    def forward(self, tokens, state=None):
        h, state = self.recur(self.embed(tokens), state)
        return self.out(self.drop(h)), state


def stream_piece(number: int, batch: int = B) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (T, B) tokens and the tokens after them; learnable, and a function of the number."""
    generator = torch.Generator().manual_seed(number)
    start = torch.randint(V, (1, batch), generator=generator)
    tokens = (start + 2 * torch.arange(T + 1)[:, None]) % V  # (T + 1, B)
    return tokens[:-1], tokens[1:]


def drawn_piece(number: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a piece that Python's and NumPy's global generators choose."""
    return stream_piece(random.randrange(100) + 100 * np.random.randint(100))  # noqa: NPY002


class Shuffled:
    """Pieces in a new order every pass, drawn from the global generator as DataLoader does."""

    def __init__(self, pieces: int = 5):
        self.pieces = pieces

    def __iter__(self):
        for number in torch.randperm(self.pieces).tolist():
            yield stream_piece(number)


def tiny_run(folder: Path | None = None, steps: int = 20, loss=None, batches=None, **options):
    """Train a TinyLM from a fixed seed; return it and its history."""
    torch.set_num_threads(1)
    seed_everything(3)
    model = TinyLM()
    options = {"device": "cpu", "progress": False, **options}
    history = fit(
        model, batches or Shuffled(), loss or StreamLoss(), steps=steps, folder=folder, **options
    )
    return model, history


def forks() -> multiprocessing.context.BaseContext:
    """Return a way to start processes that have imported torch already and run nothing yet."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(  # the last two are what a first optimiser step would import
        ["torch", "course_utils.training", "numpy", "torch._dynamo"]
    )
    return context
