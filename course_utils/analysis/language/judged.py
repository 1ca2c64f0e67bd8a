"""Perplexity with a truncated memory, and perplexity of gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.data.streams import Stream
from course_utils.models.language import GapLM, RecurrentLM
from course_utils.models.language.neural import NeuralLM
from course_utils.models.quiet import quiet

LANES, ROWS, TOGETHER = 16, 64, 256


class TwoMemories(NamedTuple):
    """The perplexity of the same words, read from the start of the text and from shortly before."""

    whole: float
    cut: float


def perplexity_with_cut(model: NeuralLM, tokens: Tensor, steps: int) -> TwoMemories:
    """Compare a memory of the whole text so far with one of only `steps` to 2 `steps` words.

    Every word that counts has at least `steps` words of context in both readings, so whatever
    makes the difference lies further back than that.
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


def perplexity_by_context(
    model: RecurrentLM, tokens: Tensor, lengths: Sequence[int]
) -> dict[int, float]:
    """Return the perplexity of the same words for each length of context.

    The words asked are those that have even the longest of these contexts before them.
    """
    first, found = max(lengths), {}
    for n in lengths:
        contexts, losses = tokens[first - n : -1].unfold(0, n, 1).T, []  # (n, N)
        with quiet(model):
            for part, asked in zip(
                contexts.split(TOGETHER, dim=1), tokens[first:].split(TOGETHER), strict=True
            ):
                states, _ = model.read_states(part)
                logits = model.output(states[-1])  # (B, V)
                losses.append(cross_entropy(logits, asked, reduction="none"))
        found[n] = torch.cat(losses).double().mean().exp().item()
    return found


def gap_perplexity(model: GapLM, tokens: Tensor, steps: int) -> float:
    """Return a model's perplexity over all gaps of all pieces."""
    total, count = torch.zeros((), dtype=torch.float64), 0
    with torch.no_grad():
        for read, _ in Stream(tokens, LANES, steps):
            if len(read) > 2:
                gaps = read[1:-1].numel()
                total, count = total + model.loss(read).double() * gaps, count + gaps
    return (total / count).exp().item()
