"""Exercise 7.9: let your own model read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from course_utils.checks.exercise import Exercise, Misconception


def read_with(model: Callable[..., Any], number: dict[str, int], text: str) -> Tensor:
    """Return what a batch_first model gives for a text, one row, one character a step."""
    return model(torch.tensor([[number.get(sign, 0) for sign in text]]))


class _Letters(nn.Module):
    """A reader's model: numbers (1, T) in, states (1, T, H) out; anything else reads otherwise."""

    def __init__(self, V: int, H: int):
        super().__init__()
        with torch.random.fork_rng(devices=()):  # a module is imported: it draws from its own
            torch.manual_seed(V)
            self.letters, self.rnn = nn.Embedding(V, 3), nn.GRU(3, H, batch_first=True)

    def forward(self, numbers: Tensor) -> Tensor:
        B, T = numbers.shape
        states: Tensor = self.rnn(self.letters(numbers.view(B, T)))[0].detach()
        return states


EXERCISE = Exercise(
    number="7.9",
    task="let your own model read",
    reference=read_with,
    takes="model: batch_first, takes whole numbers (B, T); number: a dict from characters to "
    "numbers; text",
    gives="what the model returns, (1, T, H): one row, one character a step",
    example=(_Letters(4, 2), {"a": 1, "b": 2}, "ab"),
    cases=lambda: [
        (_Letters(4, 3), {"a": 1, "b": 2}, "abba"),
        (_Letters(6, 5), {"x": 1, " ": 2, "=": 3}, "x = ax"),
    ],
    hints=(
        "What does your model take: (T, B) or (B, T)? How many texts are there?",
        "Numbers first: number.get(sign, 0) for every sign of the text.",
        "model(torch.tensor([numbers]))",
    ),
    misconceptions=(
        Misconception(
            "a column",
            lambda model, number, text: model(
                torch.tensor([[number.get(sign, 0)] for sign in text])
            ),
            "This is (T, 1): for a model that is batch_first that means T texts of one character "
            "each. One row of T is [numbers].",
        ),
        Misconception(
            "the first of the answer",
            lambda model, number, text: read_with(model, number, text)[0],
            "The row is right, and the model reads it. But you return only the first part of its "
            "answer: return all of it, (1, T, H).",
        ),
        Misconception(
            "the last step of the answer",
            lambda model, number, text: read_with(model, number, text)[:, -1],
            "The row is right, and the model reads it. But you return only the last step of its "
            "answer: return all of it, (1, T, H).",
        ),
        Misconception(
            "no batch",
            lambda model, number, text: model(torch.tensor([number.get(sign, 0) for sign in text])),
            "The batch is missing: (T,) where the model takes (B, T). Put a pair of brackets "
            "around the row.",
        ),
        Misconception(
            "unknown characters left out",
            lambda model, number, text: model(
                torch.tensor([[number[sign] for sign in text if sign in number]])
            ),
            "Characters that the dict lacks are left out, and all later ones move: a unit would be "
            "shown at the wrong place. They are number 0.",
        ),
        Misconception(
            "backwards",
            lambda model, number, text: model(
                torch.tensor([[number.get(sign, 0) for sign in reversed(text)]])
            ),
            "The text is read from its end.",
        ),
    ),
)
