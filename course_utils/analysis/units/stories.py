"""Look for the unit whose gate tells a story: chosen on one text, reported on another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.selectivity import area_under_curve
from course_utils.models import RecurrentLM
from course_utils.settings import SEED


class Marked(NamedTuple):
    """A text, the tokens at which something happens, and those that count in a comparison."""

    tokens: Sequence[str]
    marks: Tensor  # (T,) bool
    counted: Tensor  # (T,) bool


class ClosingUnit(NamedTuple):
    """A unit whose keeping gate closes at marked tokens, as unseen text shows it."""

    unit: int
    area: float  # how often the gate is lower at a marked token than at another; chance is 0.5
    at_marks: float  # median of the gate
    elsewhere: float
    marked: int


def closing_unit(model: RecurrentLM, choose_on: Marked, report_on: Marked) -> ClosingUnit:
    """Return the unit whose gate separates best on one text, as another text shows it.

    Among the units that separate as well (within 0.002), it is the one that forgets most at marks.
    """
    gate, lost = forgetting(model, choose_on.tokens)
    area = _area(gate, choose_on)
    lost = lost[choose_on.marks].median(dim=0).values
    lost[area < area.max() - 0.002] = -1
    unit = int(lost.argmax())
    gate = forgetting(model, report_on.tokens).gate[:, [unit]]
    medians = (gate[chosen].median().item() for chosen in _chosen(report_on))
    return ClosingUnit(unit, _area(gate, report_on).item(), *medians, int(report_on.marks.sum()))


class Forgetting(NamedTuple):
    """How much every unit keeps at every token, and how much of its memory that erases."""

    gate: Tensor  # (T, H): an LSTM's f, a GRU's z
    lost: Tensor  # (T, H): (1 - gate) |the memory before|


@torch.no_grad()
def forgetting(model: RecurrentLM, tokens: Sequence[str]) -> Forgetting:
    """Read a text and return what is kept and what is lost."""
    (steps,) = model.trace(model.vocabulary.encode(tokens)[:, None])
    gate, memory = (steps.f, steps.c) if hasattr(steps, "f") else (steps.z, steps.h)
    before = torch.cat([torch.zeros_like(memory[:1]), memory[:-1]])
    return Forgetting(gate[:, 0], ((1 - gate) * before.abs())[:, 0])


def new_paragraphs(tokens: Sequence[str]) -> Marked:
    """Mark the tokens that begin a new paragraph."""
    marks = torch.tensor(["\n" in token for token in tokens])
    return Marked(tokens, marks, torch.ones_like(marks))


def hidden_paragraphs(tokens: Sequence[str]) -> Marked:
    """Take the paragraph marks away, and mark the words that came after them.

    Only first words of sentences count: how does a new paragraph differ from a new sentence?
    """
    pairs = list(zip(tokens, ["", *tokens], strict=False))
    kept = [(now, before) for now, before in pairs if "\n" not in now]
    marks = torch.tensor(["\n" in before for _, before in kept])
    after_stop = torch.tensor([before == "." for _, before in kept])
    return Marked([now for now, _ in kept], marks, marks | after_stop)


def shuffled(text: Marked, seed: int = SEED) -> Marked:
    """Deal the same number of marks out at random: what the best of many units finds there."""
    order = torch.randperm(len(text.marks), generator=torch.Generator().manual_seed(seed))
    return text._replace(marks=text.marks[order])


def _chosen(text: Marked) -> tuple[Tensor, Tensor]:
    """Return which tokens are marked, and which others count."""
    return text.marks & text.counted, ~text.marks & text.counted


def _area(gate: Tensor, text: Marked) -> Tensor:
    return area_under_curve(-gate[text.counted], text.marks[text.counted])
