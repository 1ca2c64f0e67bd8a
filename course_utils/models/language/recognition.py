"""Recognise a language by predicting, at every step, which symbols may come next.

A network allows a symbol when its logit is above 0. A text is accepted when each of its symbols
was allowed, and so was the end after the last one.

A network that is right about all symbols along a member has refused every text that departs from
it: a wrong text leaves the language at one letter, and up to there it is the start of a member.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from course_utils.models.language.recurrent import RecurrentLM
from course_utils.models.layers.sequences import Start
from course_utils.models.quiet import quiet
from course_utils.models.steps import LSTMStep, Step

BLOCK = 64  # texts read side by side


class TextsRead(Protocol):
    """Texts to read, what may follow each of their symbols, and which steps are padding."""

    @property
    def tokens(self) -> Tensor: ...  # (T, B)
    @property
    def allowed(self) -> Tensor: ...  # (T, B, V) bool
    @property
    def real(self) -> Tensor: ...  # (T, B) bool


def allowed_by(model: Any, tokens: Tensor) -> Tensor:
    """Return which symbols a network allows after each token: (T, B, V) bool."""
    with quiet(model):
        logits, _ = model(tokens)
    allowed: Tensor = logits > 0
    return allowed


def accepted_by(model: Any, read: TextsRead, end: int = 0) -> Tensor:
    """Return which texts a network accepts, (B,): it allows each symbol, and the end at the end."""
    after = torch.cat([read.tokens[1:], torch.full_like(read.tokens[:1], end)])
    may = allowed_by(model, read.tokens).gather(-1, after[..., None])[..., 0]
    return (may | ~read.real).all(dim=0)


def right_along(model: object, read: TextsRead) -> Tensor:
    """Return for which texts a network is right about every symbol at every step, (B,)."""
    same = (allowed_by(model, read.tokens) == read.allowed).all(dim=-1)
    return (same | ~read.real).all(dim=0)


def right_up_to(model: object, members: Callable[[Sequence[int]], TextsRead], limit: int) -> Tensor:
    """Return for each n from 1 to `limit` whether the network is right along it, (limit,) bool."""
    blocks = (range(n, min(n + BLOCK, limit + 1)) for n in range(1, limit + 1, BLOCK))
    return torch.cat([right_along(model, members(counts)) for counts in blocks])


def longest_run(right: Tensor) -> int:
    """Return the n up to which all are right: `right` is (limit,), and its first entry is n = 1."""
    wrong = (~right).nonzero()
    return int(wrong[0]) if len(wrong) else len(right)


def right_after_powers(model: RecurrentLM, letters: int, limit: int) -> Tensor:
    """Return for n from 1 to `limit` whether a network is right along a^n b^n ..., (limit,) bool.

    These texts share their beginning: the a's are read once, and the state after each n goes on
    with the next letter. The end is symbol 0, the letters are 1, 2 and so on.
    """
    with quiet(model):
        step = model.trace(torch.tensor([0, *[1] * limit])[:, None])[0]
        says = model.output(step.h)[:, 0] > 0  # (1 + limit, V)
        begins = _is_exactly(says[:1], 1)
        along = _is_exactly(says[1:], 1, 2 % (letters + 1))
        right = torch.cat([begins, along]).cummin(0).values[1:]
        for first in range(0, limit, BLOCK):
            some = slice(first, min(first + BLOCK, limit))
            last = torch.arange(some.start, some.stop)  # n - 1 of each text
            texts, place = torch.arange(len(last)), torch.arange(some.stop)[:, None]
            state = _after(step, last + 1, torch.zeros_like(last))
            for letter in range(2, letters + 1):
                traced = model.trace(torch.full((some.stop, len(last)), letter), state)[0]
                says = model.output(traced.h) > 0  # (n, texts, V)
                inside = _is_exactly(says, letter) | (place >= last)
                ends = _is_exactly(says, (letter + 1) % (letters + 1)) | (place != last)
                right[some] &= (inside & ends).all(0)
                state = _after(traced, last, texts)
    return right


def _after(step: Step, times: Tensor, texts: Tensor) -> Start:
    """Return the states at these times of these texts, as a start."""
    h = step.h[times, texts][None]
    return (h, step.c[times, texts][None]) if isinstance(step, LSTMStep) else h


def _is_exactly(says: Tensor, *symbols: int) -> Tensor:
    """Return where these symbols are allowed, and no others."""
    wanted = torch.isin(torch.arange(says.shape[-1]), torch.tensor(symbols))
    return (says == wanted).all(-1)
