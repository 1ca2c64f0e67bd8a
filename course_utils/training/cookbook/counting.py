"""Tiny networks that learn to count: which symbols may come next in a^n b^n and a^n b^n c^n."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from course_utils.data.counting import CountingBatch, Powers, members
from course_utils.models import RecurrentLM
from course_utils.models.language.recognition import longest_run, right_after_powers
from course_utils.models.starts import set_keep_bias
from course_utils.training.losses import Loss
from course_utils.training.recipes.recipe import Config, Plan, Recipe, register
from course_utils.training.schedules import warmup_cosine


@dataclass(frozen=True)
class CountingConfig(Config):
    """What is counted, how far, and by what."""

    letters: str = "ab"  # each n times, one after the other
    largest: int = 100  # the largest n in training
    growing: float = 0.6  # the share of the steps in which n grows up to there
    cell: str = "lstm"
    width: int = 4
    hidden: int = 10
    layers: int = 1
    dropout: float = 0.0
    tied: bool = False
    batch: int = 16
    keep_bias: float = 20.0  # the keeping gate's bias at the start
    spread: float = 1.0  # of the letters' embeddings at the start
    judged_to: int = 1000  # the largest n that the card asks for


class AllowedLoss:
    """Binary cross-entropy of "may this symbol come next?", for all symbols of all real steps."""

    def __call__(self, model: nn.Module, batch: CountingBatch) -> Loss:
        logits, _ = model(batch.tokens)  # (T, B, V)
        asked = batch.allowed.to(logits.dtype)
        each = binary_cross_entropy_with_logits(logits, asked, reduction="none").sum(-1)
        texts = batch.real.shape[1]
        # a mean over texts: over steps, the one at which a text ends would weigh less and less
        return Loss((each * batch.real).sum() / texts, texts)


def drawn_counts(
    largest: int, batch: int, seed: int, growing_steps: int = 0
) -> Callable[[int], Tensor]:
    """Return the n of every text of a batch, by its number; the limit grows to `largest`."""

    def draw(number: int) -> Tensor:
        generator = torch.Generator().manual_seed(seed * 1_000_003 + number)
        limit = largest
        if number < growing_steps:
            limit = min(largest, 4 + (largest - 4) * number // growing_steps)
        return torch.randint(1, limit + 1, (batch,), generator=generator)

    return draw


def counting_batches(
    letters: str, largest: int, batch: int, seed: int, growing_steps: int = 0
) -> Callable[[int], CountingBatch]:
    """Return batches by their number: texts of the counts that are drawn for it."""
    language, draw = Powers(letters), drawn_counts(largest, batch, seed, growing_steps)
    return lambda number: members(language, draw(number).tolist())


def new_counter(
    letters: str,
    cell: str,
    keep_bias: float | None,
    spread: float = 1.0,
    hidden: int = 10,
    width: int = 4,
) -> RecurrentLM:
    """Return an untrained network; without `keep_bias`, its gates start as PyTorch starts them.

    Letters far apart saturate gates and candidates, so that they add the same amount every time: a
    counter needs that, and it would take long to learn from letters near 0.
    """
    model = RecurrentLM(1 + len(letters), cell, width, hidden)
    nn.init.normal_(model.embedding.weight, std=spread)
    if keep_bias is not None:
        set_keep_bias(model.recurrent, keep_bias)
    return model


def counting_plan(config: CountingConfig) -> Plan:
    """Learn on texts up to `largest`; the card tells up to which n every prediction is right."""
    language, loss = Powers(config.letters), AllowedLoss()
    start, sizes = (config.keep_bias, config.spread), (config.hidden, config.width)
    model = new_counter(config.letters, config.cell, *start, *sizes)
    growing_steps = round(config.growing * config.steps)
    every_n = members(language, range(1, config.largest + 1))

    def measure(model: RecurrentLM) -> dict[str, float]:
        right = right_after_powers(model, len(config.letters), config.judged_to)
        return {
            "longest": longest_run(right),  # right from n = 1 up to here
            "furthest": int(right.nonzero().max()) + 1 if right.any() else 0,  # right here at all
            "right_in_training": right[: config.largest].float().mean().item(),
        }

    def evaluate(model: RecurrentLM) -> float:
        with torch.no_grad():
            return loss(model, every_n).mean.item()

    return Plan(
        model,
        counting_batches(config.letters, config.largest, config.batch, config.seed, growing_steps),
        loss=loss,
        evaluate=evaluate,
        measure=measure,
        schedule=warmup_cosine(config.steps, floor=0.1),
        keep={"V": len(language.symbols)},
    )


_COUNTED = {
    "": ("ab", 100, "a^n b^n, n up to 100 in training"),
    "_three": ("abc", 50, "a^n b^n c^n, n up to 50 in training"),
}
_STARTS = (  # for each cell, the best of a few that were tried
    CountingConfig(cell="lstm", steps=4000, lr=4e-2, keep_bias=20.0, evaluate_every=250),
    CountingConfig(cell="gru", steps=2500, lr=2e-2, keep_bias=3.0, evaluate_every=250),
)
for _start in _STARTS:
    for _ending, (_letters, _largest, _what) in _COUNTED.items():
        register(
            Recipe(
                f"counting{_ending}_{_start.cell}",
                f"a tiny {_start.cell.upper()} that says what may come next in {_what}",
                "generated from the seed",
                replace(_start, letters=_letters, largest=_largest),
                counting_plan,
                "recurrent_lm",
                half=False,
            )
        )
