"""Silence every unit of a network in one pass, against a run of all sentences for each unit."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.analysis.agreement.ablation import ablate_each
from course_utils.analysis.agreement.questions import ask, texts_of, words_of
from course_utils.data.agreement.balanced import agreement_items
from course_utils.data.agreement.item import AgreementItem
from course_utils.models import RecurrentLM
from course_utils.models.steps import LSTMStep
from course_utils.shipped import load_trained
from tests.benchmarks.measure import Row, speedup


def rows() -> list[Row]:
    """Compare on the sentences of lecture 06 with two ways that a reader would write first.

    The second is the harder one: it too reads all sentences of one length together.
    """
    model = load_trained("agreement_lstm")
    assert isinstance(model, RecurrentLM)
    items = agreement_items("validation", ("noun-PP", "noun-PP-adverb", "relative clause"))
    return [
        speedup(
            "all 64 units silenced at once, against a run a unit, sentence by sentence",
            lambda: ablate_each(model, items[::12]),
            lambda: unit_by_unit(model, items[::12], together=False),
            ">= 20",
            repeats=3,
            warmup=1,
        ),
        speedup(
            "the same against a run a unit, sentences of one length together",
            lambda: ablate_each(model, items),
            lambda: unit_by_unit(model, items, together=True),
            ">= 20",
            repeats=3,
            warmup=1,
        ),
    ]


def unit_by_unit(model: RecurrentLM, items: list[AgreementItem], together: bool) -> Tensor:
    """Return the same rights (H, N), reading everything again for every unit."""
    groups: dict[int, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item.position if together else place, []).append(place)
    words, H = words_of(model), model.recurrent.hidden_size
    rights = torch.zeros(H, len(items), dtype=torch.float64)
    for unit in range(H):

        def silence(t: int, step: LSTMStep, unit=unit) -> LSTMStep:
            step.h[:, unit] = 0
            return step

        for places in groups.values():
            some = [items[place] for place in places]
            with torch.no_grad():
                x = model.embedding(texts_of(words, some))
                scores = model.output(model.recurrent.rollout(x, edit=silence)[0].h[-1])
            for row, place in zip(scores, places, strict=True):
                right, wrong = words.encode([items[place].right, items[place].wrong])
                rights[unit, place] = float(row[right] > row[wrong])
    assert len(ask(model, items).items) == len(items)
    return rights
