"""Choose a unit on one text, report it on another, and compare it with what luck would find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.responses import Response, responses
from course_utils.analysis.units.selectivity import (
    Areas,
    Correlations,
    area_under_curve,
    correlation,
)
from course_utils.models import RecurrentLM
from course_utils.settings import SEED

SIDES = {"above": 1, "below": -1, "either": 0}
SHUFFLES = 20


class Marked(NamedTuple):
    """A text, its label at every token, and the tokens that count in a comparison."""

    tokens: Sequence[str] | Tensor
    marks: Tensor  # (T,) bool, where something happens; or numbers that a unit may follow
    counted: Tensor  # (T,) bool


class Choice(NamedTuple):
    """The unit that follows a label best, its score on unseen text, and what luck finds.

    Scores are areas (chance 0.5) for marks and correlations (chance 0) for numbers, signed so
    that more is better on the side that was asked for.
    """

    unit: int
    side: int  # 1: above the others at marks, or with the numbers; -1: below, or against them
    score: float  # on the text that did not choose it
    chosen_at: float  # on the text that did: too good, like any best of many
    luck: Tensor  # (shuffles,) `score` of the same search, labels shuffled on both texts
    luck_chosen_at: Tensor  # (shuffles,) what made luck choose: the best of all units


def choose_unit(
    model: RecurrentLM,
    choose_on: Marked,
    report_on: Marked,
    of: Response = "h",
    layer: int = 0,
    side: str = "either",
    shuffles: int = SHUFFLES,
    dealt: str = "shuffled",
    seed: int = SEED,
) -> Choice:
    """Search all units of a layer for the one whose gate or state follows the label best.

    `side` is where it should be at marks: above the other tokens, below them, or either; numbers
    are followed upwards, downwards or either. The same search runs `shuffles` times on labels that
    are "shuffled", or "shifted" round the text as a whole, which keeps neighbours together.
    """
    at_random = [dealt_out(text, shuffles, dealt, seed) for text in (choose_on, report_on)]
    scores, chance = _scores(model, choose_on, at_random[0], of, layer)  # (1 + shuffles, H)
    units, sides, chosen_at = best_of_each(scores - chance, SIDES[side])
    labels = _with_their_own(report_on, at_random[1])
    shown = chosen_responses(model, report_on, units, of, layer)
    found = torch.stack([score_of(*pair) for pair in zip(shown.T, labels, strict=True)])
    reported = chance + sides * (found - chance)
    chosen_at = chance + chosen_at
    return Choice(
        int(units[0]),
        int(sides[0]),
        reported[0].item(),
        chosen_at[0].item(),
        reported[1:],
        chosen_at[1:],
    )


def unit_scores(model: RecurrentLM, text: Marked, of: Response = "h", layer: int = 0) -> Tensor:
    """Return how well each unit follows the label, (H,): areas for marks, else correlations."""
    none = dealt_out(text, 0, "shuffled", SEED)
    return _scores(model, text, none, of, layer)[0][0]


def chosen_responses(
    model: RecurrentLM, text: Marked, units: Tensor, of: Response, layer: int = 0
) -> Tensor:
    """Return what some units show at the tokens that count, (counted, len(units))."""
    pieces = responses(model, text.tokens, of, layer)
    return torch.cat([piece[:, units] for piece in pieces])[text.counted]


def score_of(shown: Tensor, labels: Tensor) -> Tensor:
    """Return how well one unit's numbers (T,) follow a label (T,)."""
    measure = area_under_curve if labels.dtype == torch.bool else correlation
    return measure(shown[:, None], labels)[0]


def dealt_out(text: Marked, times: int, how: str, seed: int) -> Tensor:
    """Return the labels of the counted tokens, shuffled among them, (times, counted)."""
    return dealt_labels(text.marks, text.counted, times, how, seed)[1:]


def dealt_labels(marks: Tensor, counted: Tensor | None, times: int, how: str, seed: int) -> Tensor:
    """Return the counted tokens' labels, followed by shuffles of them, (1 + times, counted)."""
    labels = marks if counted is None else marks[counted]
    generator = torch.Generator().manual_seed(seed)
    if how == "shuffled":
        orders = [torch.randperm(len(labels), generator=generator) for _ in range(times)]
    elif how == "shifted":  # by a tenth of the text or more, to either side
        least = len(labels) // 10 + 1
        far = torch.randint(least, len(labels) - least + 1, (times,), generator=generator)
        orders = [(torch.arange(len(labels)) + by) % len(labels) for by in far]
    else:
        raise ValueError(f"labels are dealt out 'shuffled' or 'shifted', not {how!r}")
    return torch.stack([labels, *(labels[order] for order in orders)])


def _scores(
    model: RecurrentLM, text: Marked, at_random: Tensor, of: Response, layer: int
) -> tuple[Tensor, float]:
    """Return all units' scores under the text's own labels and those dealt out, and chance."""
    found = Areas() if text.marks.dtype == torch.bool else Correlations()
    labels, used, first = _with_their_own(text, at_random), 0, 0
    for shown in responses(model, text.tokens, of, layer):
        counted = text.counted[first : first + len(shown)]
        here = int(counted.sum())
        if here:
            found.add(shown[counted], labels[:, used : used + here])
        first, used = first + len(shown), used + here
    return found.values(), found.chance


def _with_their_own(text: Marked, at_random: Tensor) -> Tensor:
    return torch.cat([text.marks[text.counted][None], at_random])


def best_of_each(above_chance: Tensor, side: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the best unit of each row, its side, and its distance from chance."""
    strength = side * above_chance if side else above_chance.abs()
    units = strength.argmax(dim=1)
    own = above_chance.gather(1, units[:, None])[:, 0]
    sides = torch.full_like(own, side) if side else torch.where(own < 0, -1.0, 1.0)
    return units, sides, sides * own
