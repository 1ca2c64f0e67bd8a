"""Look for the unit whose gate tells a story: chosen on one text, reported on another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.choice import (
    SHUFFLES,
    Marked,
    choose_unit,
    chosen_responses,
    score_of,
    unit_scores,
)
from course_utils.analysis.units.responses import responses
from course_utils.models import RecurrentLM
from course_utils.models.steps import GRUStep, LSTMStep, Step

AS_WELL = 0.002  # of the area


class ClosingUnit(NamedTuple):
    """A unit whose keeping gate closes at marked tokens, as unseen text shows it."""

    unit: int
    area: float  # how often the gate is lower at a marked token than at another; chance is 0.5
    at_marks: float  # median of the gate
    elsewhere: float
    marked: int
    luck: Tensor  # (shuffles,) the area that the same search reports where marks are dealt out


def closing_unit(
    model: RecurrentLM, choose_on: Marked, report_on: Marked, shuffles: int = SHUFFLES
) -> ClosingUnit:
    """Return the unit whose gate separates best on one text, as another text shows it.

    Among the units that separate as well (within 0.002), it is the one that forgets most at marks.
    """
    gate = "f" if model.recurrent.mode == "LSTM" else "z"
    luck = choose_unit(model, choose_on, report_on, gate, side="below", shuffles=shuffles).luck
    area = 1 - unit_scores(model, choose_on, gate)
    lost = torch.cat(list(responses(model, choose_on.tokens, forgotten)))
    lost = lost[choose_on.marks].median(dim=0).values
    lost[area < area.max() - AS_WELL] = -1
    unit = int(lost.argmax())
    shown = chosen_responses(model, report_on, torch.tensor([unit]), gate)[:, 0]
    marks = report_on.marks[report_on.counted]
    at_marks, elsewhere = (shown[chosen].median().item() for chosen in (marks, ~marks))
    reached = 1 - score_of(shown, marks).item()
    return ClosingUnit(unit, reached, at_marks, elsewhere, int(marks.sum()), luck)


def forgotten(steps: Step, before: Step) -> Tensor:
    """Return how much every unit erases, (T, B, H): (1 - gate) |previous memory|."""
    if isinstance(steps, LSTMStep) and isinstance(before, LSTMStep):
        return (1 - steps.f) * before.c.abs()
    if isinstance(steps, GRUStep):
        return (1 - steps.z) * before.h.abs()
    raise TypeError("an Elman network has no gate that forgets: pass steps of an LSTM or a GRU")


def new_paragraphs(tokens: Sequence[str]) -> Marked:
    """Mark the tokens that begin a new paragraph."""
    marks = torch.tensor(["\n" in token for token in tokens])
    return Marked(tokens, marks, torch.ones_like(marks))


def hidden_paragraphs(tokens: Sequence[str]) -> Marked:
    """Remove the paragraph marks, and mark the words that came after them.

    Only first words of sentences count: how does a new paragraph differ from a new sentence?
    """
    pairs = list(zip(tokens, ["", *tokens], strict=False))
    kept = [(now, before) for now, before in pairs if "\n" not in now]
    marks = torch.tensor(["\n" in before for _, before in kept])
    after_stop = torch.tensor([before == "." for _, before in kept])
    return Marked([now for now, _ in kept], marks, marks | after_stop)
