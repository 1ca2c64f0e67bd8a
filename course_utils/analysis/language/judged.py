"""Perplexity with a memory that is cut, and of gaps."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.data.streams import Stream
from course_utils.models.language import GapLM
from course_utils.models.language.neural import NeuralLM

LANES, ROWS = 16, 64


class TwoMemories(NamedTuple):
    """The perplexity of the same words, once read from the start and once from not far before."""

    whole: float
    cut: float


def perplexity_with_cut(model: NeuralLM, tokens: Tensor, steps: int) -> TwoMemories:
    """Compare a memory of all that was read with one that begins `steps` to 2 `steps` before.

    Every word that counts has at least `steps` words of context in both readings, so that what
    tells them apart stands further back than any piece of `steps` words is long.
    """
    whole = -model.log_probs(tokens)[steps:]
    places = range(steps, len(tokens) - steps, steps)
    pieces = torch.stack([tokens[n - steps : n + steps + 1] for n in places], dim=1)
    losses = []
    with torch.no_grad():
        for part in pieces.split(ROWS, dim=1):
            logits, _ = model(part[:-1])
            late, asked = logits[steps:].flatten(0, 1), part[steps + 1 :].flatten()
            losses.append(cross_entropy(late, asked, reduction="none").view(steps, -1))
    cut = torch.cat(losses, dim=1)  # (steps, places)
    same_words = whole[: cut.numel()]
    return TwoMemories(same_words.mean().exp().item(), cut.mean().exp().item())


def gap_perplexity(model: GapLM, tokens: Tensor, steps: int) -> float:
    """Return among how many words a model is in doubt at a gap, over all gaps of all pieces."""
    total, count = torch.zeros((), dtype=torch.float64), 0
    with torch.no_grad():
        for read, _ in Stream(tokens, LANES, steps):
            if len(read) > 2:
                gaps = read[1:-1].numel()
                total, count = total + model.loss(read).double() * gaps, count + gaps
    return (total / count).exp().item()
