"""One network in numbers: how well it agrees, whether one unit decides, and which one knows."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.agreement.ablation import Hold, margins_with
from course_utils.analysis.agreement.patching import counterparts, patch_into
from course_utils.analysis.agreement.questions import ask, rights_of
from course_utils.analysis.agreement.story import number_text, subject_text
from course_utils.analysis.units.choice import choose_unit
from course_utils.analysis.units.responses import Response
from course_utils.data.agreement.balanced import agreement_items, discourse_pairs
from course_utils.data.agreement.corpus import whole_items
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.sentences import PATTERNS
from course_utils.models import RecurrentLM

ATTRACTED = ("noun-PP", "noun-PP-adverb", "relative clause")  # what chooses the unit
READ = 400  # whole sentences from which units are read


class Kind(NamedTuple):
    """One kind of sentence in all its conditions, and where all other nouns mislead."""

    right: float
    hard: float
    margin: float  # the mean, in nats
    without: float  # right without the unit that was chosen


class Portrait(NamedTuple):
    """What one network does on the test part; its units were chosen on the validation part."""

    kinds: dict[str, Kind]
    unit: int  # whose silence costs most margin
    lost: float  # nats of mean margin that it costs, on the test part
    wrong: float  # share of right answers that it costs
    second: float  # the same of the unit that costs most after it
    moved: float  # share of verbs that follow it when it is moved between sentences
    reads: int  # the unit from which the number is read best
    reads_area: float
    waits_area: float  # of the unit that tells best at nouns whether a verb is still to come
    places: dict[str, float]  # what is built where: right over all other places


def portrait_of(model: RecurrentLM) -> Portrait:
    """Measure one network."""
    choose, report = (agreement_items(part, ATTRACTED) for part in ("validation", "test"))
    costs = costs_of_each(model, choose)  # (H, N) nats
    order = costs.mean(dim=1).argsort(descending=True).tolist()
    unit, second = order[:2]
    every = agreement_items("test")
    own = ask(model, every).margins
    without = margins_with(model, every, [Hold([unit])])[0]
    own_report = ask(model, report).margins
    silenced = margins_with(model, report, [Hold([unit]), Hold([second])])
    rights = rights_of(own_report).mean() - rights_of(silenced).mean(dim=1)
    pairs = counterparts([item for item in report if item.construction == "noun-PP"])
    learn, test = (whole_items(part, READ) for part in ("validation", "test"))
    of: Response = "c" if model.recurrent.mode == "LSTM" else "h"
    reads = choose_unit(model, number_text(learn), number_text(test), of=of, shuffles=0)
    waits = choose_unit(model, subject_text(learn), subject_text(test), of=of, shuffles=0)
    built = discourse_pairs()
    return Portrait(
        _by_kind(every, own, without),
        unit,
        (own_report - silenced[0]).mean().item(),
        rights[0].item(),
        rights[1].item(),
        patch_into(model, *pairs, [unit]).flipped.mean().item(),
        reads.unit,
        reads.score,
        waits.score,
        _by_place(built, rights_of(ask(model, built).margins)),
    )


def costs_of_each(model: RecurrentLM, items: Sequence[AgreementItem]) -> Tensor:
    """Return how many nats of each item's margin the silence of every unit costs, (H, N)."""
    holds = [Hold([unit]) for unit in range(model.recurrent.hidden_size)]
    return ask(model, items).margins - margins_with(model, items, holds)


def _by_kind(items: Sequence[AgreementItem], own: Tensor, without: Tensor) -> dict[str, Kind]:
    found = {}
    hard = torch.tensor([item.attractors == len(item.condition) - 1 for item in items])
    of = list(map(attrgetter("construction"), items))
    for kind in PATTERNS:
        here = torch.tensor([name == kind for name in of])
        found[kind] = Kind(
            rights_of(own[here]).mean().item(),
            rights_of(own[here & hard]).mean().item(),
            own[here].mean().item(),
            rights_of(without[here]).mean().item(),
        )
    return found


def _by_place(items: Sequence[AgreementItem], rights: Tensor) -> dict[str, float]:
    places = [item.construction.partition(" ")[0] for item in items]
    return {
        place: rights[torch.tensor([p == place for p in places])].mean().item()
        for place in dict.fromkeys(places)
    }
