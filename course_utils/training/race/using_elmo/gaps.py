"""Two one-sided views of a gap, put together afterwards, against one model that sees both sides."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor
from torch.nn.functional import nll_loss

from course_utils.data.english import english, token_stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.language.gap import SIDES, GapLM
from course_utils.training.loop import fit
from course_utils.training.losses import Loss
from course_utils.training.schedules import warmup_cosine

WORDS, WIDTH, HIDDEN = 1000, 48, 96
PIECE, BATCH, STEPS, RATE = 22, 32, 250, 5e-3
TESTED = 300  # pieces


class Pieces:
    """Pieces of text (T, B) from random places."""

    def __init__(self, tokens: Tensor, seed: int):
        self.tokens, self.seed = tokens, seed

    def __call__(self, number: int, count: int = BATCH) -> Tensor:
        """Return batch `number` of the endless run."""
        generator = torch.Generator().manual_seed(100_000 * self.seed + number)
        first = torch.randint(len(self.tokens) - PIECE, (count,), generator=generator)
        return self.tokens[first + torch.arange(PIECE)[:, None]]


@lru_cache(maxsize=1)
def texts() -> tuple[Tensor, Tensor, int]:
    """Return the speeches to learn from and those to report on as numbers, and how many words."""
    parts = english()
    train, test = token_stream(parts.train), token_stream(parts.test)
    words = Vocabulary.of(train, WORDS)
    return words.encode(train), words.encode(test), len(words)


def run_gaps(seed: int, steps: int | None = None) -> list[dict[str, object]]:
    """Train a model for each side; return everybody's perplexity in the same gaps."""
    train, test, size = texts()
    asked = Pieces(test, 999)(0, TESTED)
    logs: dict[str, Tensor] = {}
    for side in SIDES:
        torch.manual_seed(seed)
        model = GapLM(size, side, WIDTH, HIDDEN)
        budget = steps or STEPS
        fit(
            model,
            Pieces(train, seed),
            lambda model, tokens: Loss(model.loss(tokens), tokens[1:-1].numel()),
            steps=budget,
            optimizer=torch.optim.Adam(model.parameters(), lr=RATE),
            schedule=warmup_cosine(budget),
            device="cpu",
            progress=False,
            label=f"gap {side} {seed}",
        )
        with torch.no_grad():
            logs[side] = model.eval()(asked).log_softmax(dim=-1).flatten(0, 1)
    counts = train.bincount(minlength=size).float().clamp(min=0.5)
    logs["left and right"] = both_views(logs["left"], logs["right"], (counts / counts.sum()).log())
    gold = asked[1:-1].flatten()
    return [
        {"task": "gap", "size": TESTED * (PIECE - 2), "variant": name, "seed": seed,
         "score": round(nll_loss(log, gold).exp().item(), 1)}
        for name, log in logs.items()
    ]  # fmt: skip


def both_views(ahead: Tensor, back: Tensor, alone: Tensor) -> Tensor:
    """Return log p(w | left, right) ~ p(w | left) p(w | right) / p(w), as if the sides met in w.

    This is Bayes' rule for two views that are independent given the word.
    """
    return (ahead + back - alone).log_softmax(dim=-1)
