"""Recognise a language by predicting, at every step, which symbols may come next.

A network says "may" where its logit is above 0. A text is accepted when each of its symbols was
allowed, and the end after the last.

Whoever is right about all symbols along a member has refused every text that leaves it: a wrong
text leaves the language at one letter, and up to there it is the beginning of a member.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from course_utils.models.quiet import quiet

BLOCK = 64  # texts that are read side by side


class Read(Protocol):
    """Texts to read, what may follow every symbol of them, and what is padding."""

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


def accepted_by(model: Any, read: Read, end: int = 0) -> Tensor:
    """Return which texts a network accepts, (B,): it allows each symbol, and the end at the end."""
    after = torch.cat([read.tokens[1:], torch.full_like(read.tokens[:1], end)])
    may = allowed_by(model, read.tokens).gather(-1, after[..., None])[..., 0]
    return (may | ~read.real).all(dim=0)


def right_along(model: Any, read: Read) -> Tensor:
    """Return along which texts a network is right about every symbol at every step, (B,)."""
    same = (allowed_by(model, read.tokens) == read.allowed).all(dim=-1)
    return (same | ~read.real).all(dim=0)


def right_up_to(model: Any, members: Callable[[Sequence[int]], Read], limit: int) -> Tensor:
    """Return for each n from 1 to `limit` whether the network is right along it, (limit,) bool."""
    blocks = (range(n, min(n + BLOCK, limit + 1)) for n in range(1, limit + 1, BLOCK))
    return torch.cat([right_along(model, members(counts)) for counts in blocks])


def longest_run(right: Tensor) -> int:
    """Return up to which n all are right: `right` is (limit,), its first entry is n = 1."""
    wrong = (~right).nonzero()
    return int(wrong[0]) if len(wrong) else len(right)
