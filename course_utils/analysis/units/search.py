"""Search every gate and state of every layer for the unit that follows a label best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.choice import SHUFFLES, SIDES, best_of_each, dealt_labels
from course_utils.analysis.units.sample import Sample, Source, sample_responses
from course_utils.analysis.units.selectivity import Correlations, areas_of, chance_of, ranks_of
from course_utils.models import RecurrentLM
from course_utils.settings import SEED

Texts = Sequence[str] | Tensor


class Unit(NamedTuple):
    """One number of a network: a gate or a state of one unit of one layer."""

    layer: int  # from 0, the lowest
    of: str  # h c i f g o of an LSTM
    unit: int

    def __str__(self) -> str:
        return f"{self.of}[{self.unit}] of layer {self.layer}"


class Label(NamedTuple):
    """What is true of every token of a text: a mark (bool) or a number that a unit may follow."""

    values: Tensor  # (T,) bool, or numbers
    counted: Tensor | None = None  # (T,) bool: the tokens that count; None: all


class Labelled(NamedTuple):
    """A text and its labels by name."""

    tokens: Texts
    labels: Mapping[str, Label]


class Found(NamedTuple):
    """The unit that follows a label best, its score on unseen text, and what luck finds.

    Scores are areas (chance 0.5) for marks and correlations (chance 0) for numbers, signed so
    that more is better.
    """

    unit: Unit
    side: int  # 1: high at marks, or with the numbers; -1: low, or against them
    score: float  # on the text that did not choose it
    chosen_at: float  # on the text that did: too good, like any best of many
    luck: Tensor  # (shuffles,) `score` of the same search where the labels are shifted
    luck_chosen_at: Tensor  # (shuffles,) what made luck choose: the best of all units
    marked: int  # tokens with a mark that were counted on the reporting text; 0 for numbers


class Search(NamedTuple):
    """What a search of all units for all labels found."""

    sources: list[Source]  # (layer, gate or state), in the order of the rows of `scores`
    found: dict[str, Found]
    scores: dict[str, Tensor]  # (sources, H) every unit's on the reporting text, not turned
    chosen: dict[str, Tensor]  # the same on the text that chooses


def search_units(
    model: RecurrentLM,
    choose_on: Labelled,
    report_on: Labelled,
    most: int = 16_384,
    shuffles: int = SHUFFLES,
    seed: int = SEED,
    of: str = "",
) -> Search:
    """Choose the best unit for each label on one text, report it on another, and ask luck.

    Each text is read once, whole; `most` of its tokens, spread over all of it, are counted. So
    the memory is bounded however long the text is: `most` numbers for every unit. For luck, the
    labels are shifted round the text as a whole, which keeps neighbours together. `of` names the
    gates and states to search, such as "c"; without it, all are.
    """
    samples = [
        sample_responses(model, text.tokens, most, seed).only(of) for text in (choose_on, report_on)
    ]
    sources = samples[0].sources
    tables = [
        label_scores(sample, text.labels, shuffles, seed)
        for sample, text in zip(samples, (choose_on, report_on), strict=True)
    ]
    found = {}
    for name, label in report_on.labels.items():
        pair = (tables[0][name], tables[1][name])
        found[name] = _found(sources, *pair, chance_of(label.values), _marked(samples[1], label))
    chosen, scores = (
        {name: rows[0].view(len(sources), -1) for name, rows in table.items()} for table in tables
    )
    return Search(sources, found, scores, chosen)


def label_scores(
    sample: Sample, labels: Mapping[str, Label], shuffles: int = 0, seed: int = SEED
) -> dict[str, Tensor]:
    """Return how every unit follows each label, and luck, (1 + shuffles, sources H) each.

    Labels that count at the same tokens share the ranks of every unit: ranking is what costs.
    """
    found: dict[str, list[Tensor]] = {name: [] for name in labels}
    groups: dict[tuple[bool, int], list[str]] = defaultdict(list)
    for name, label in labels.items():
        groups[label.values.dtype == torch.bool, id(label.counted)].append(name)
    for (marks, _), names in groups.items():
        rows = counted_rows(sample, labels[names[0]])
        dealt = torch.cat([_dealt(sample, labels[name], shuffles, seed) for name in names])
        for shown in sample.shown:
            scores = _all_scores(shown if rows is None else shown[rows], dealt, marks)
            for name, part in zip(names, scores.split(1 + shuffles), strict=True):
                found[name].append(part)
    return {name: torch.cat(parts, dim=1) for name, parts in found.items()}


def counted_rows(sample: Sample, label: Label) -> Tensor | None:
    """Return which of the sampled tokens count, (P,) bool; None: all."""
    return None if label.counted is None else label.counted[sample.places]


def _dealt(sample: Sample, label: Label, shuffles: int, seed: int) -> Tensor:
    """Return the label at the sampled tokens that count, and shifted, (1 + shuffles, N)."""
    dealt = dealt_labels(label.values, label.counted, shuffles, "shifted", seed)
    if label.counted is None:
        return dealt[:, sample.places]
    at = label.counted.long().cumsum(0) - 1  # the place of a token among those that count
    return dealt[:, at[sample.places[label.counted[sample.places]]]]


def _all_scores(shown: Tensor, labels: Tensor, marks: bool) -> Tensor:
    if marks:
        return areas_of(ranks_of(shown), labels)
    found = Correlations()
    found.add(shown, labels)
    return found.values()


def _found(
    sources: list[Source], chosen: Tensor, reported: Tensor, chance: float, marked: int
) -> Found:
    units, sides, chosen_at = best_of_each(chosen - chance, SIDES["either"])
    score = chance + sides * (reported.gather(1, units[:, None])[:, 0] - chance)
    source, unit = divmod(int(units[0]), chosen.shape[1] // len(sources))
    chosen_at = chance + chosen_at
    return Found(
        Unit(*sources[source], unit),
        int(sides[0]),
        score[0].item(),
        chosen_at[0].item(),
        score[1:],
        chosen_at[1:],
        marked,
    )


def _marked(sample: Sample, label: Label) -> int:
    if label.values.dtype != torch.bool:
        return 0
    return int(_dealt(sample, label, 0, SEED).sum())
