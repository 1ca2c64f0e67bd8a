"""For each mark a ladder: an untrained network, the last characters, one cell, all cells together.

A mark that the last rung reads and the best cell does not is there, in no cell alone. A mark that
the first rungs read as well needs no training, or no memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.sample import Sample, sample_responses
from course_utils.analysis.units.search import Label, Labelled, counted_rows
from course_utils.analysis.units.selectivity import area_under_curve, correlation
from course_utils.models import RecurrentLM

SAMPLED = 8192
LAST = 3  # characters that are looked up
SHRINK = 1e-3  # of the readout's weights: ridge regression, on cells of unit variance


class Rungs(NamedTuple):
    """The best cell for a label and the readout of all cells, on new text."""

    unit: int
    cell: float
    readout: float


class Ladder(NamedTuple):
    """How well a label is read, as an area (marks) or a correlation (counts), on new text."""

    untrained: float  # the best cell of a network whose recurrent weights are as PyTorch draws them
    last: float  # a table of the last three characters
    cell: float  # the best cell
    untrained_readout: float  # the control of the next: all cells of the untrained network
    readout: float  # all cells, weighted
    is_mark: bool


def cells_at(model: RecurrentLM, text: Labelled, most: int = SAMPLED) -> tuple[Tensor, Sample]:
    """Return the cells (P, H) of the lowest layer at characters spread over a text."""
    sample = sample_responses(model, text.tokens, most)
    return sample.shown[sample.sources.index((0, "c"))].double(), sample


def untrained_of(model: RecurrentLM, fresh: RecurrentLM, seed: int) -> RecurrentLM:
    """Return a network with the model's characters and recurrent weights that nobody trained."""
    fresh.load_state_dict(model.state_dict())
    torch.manual_seed(seed)
    fresh.recurrent.reset_parameters()
    return fresh


def rungs(model: RecurrentLM, choose: Labelled, report: Labelled) -> dict[str, Rungs]:
    """Return for every label the best cell and the readout of all, chosen on one text each."""
    (own, sample), (new, other) = cells_at(model, choose), cells_at(model, report)
    found = {}
    for name in report.labels:
        rows, y = _counted(own, sample, choose.labels[name])
        new_rows, new_y = _counted(new, other, report.labels[name])
        chance = 0.5 if y.dtype == torch.bool else 0.0
        chosen = score(rows, y) - chance
        cell = int(chosen.abs().argmax())
        side = chosen[cell].sign()
        alone = chance + side * (score(new_rows[:, cell : cell + 1], new_y)[0] - chance)
        weights, _ = read_out(rows, y)
        together = score((new_rows @ weights)[:, None], new_y)[0]
        found[name] = Rungs(cell, alone.item(), together.item())
    return found


def ladders(
    model: RecurrentLM,
    choose: Labelled,
    report: Labelled,
    untrained: Mapping[str, Rungs],
) -> dict[str, Ladder]:
    """Return every label's ladder; the last characters are counted in `choose`, too."""
    own = rungs(model, choose, report)
    found = {}
    for name, label in report.labels.items():
        last, none = after_last(model, choose, report, name), untrained[name]
        marks = label.values.dtype == torch.bool
        found[name] = Ladder(
            none.cell, last, own[name].cell, none.readout, own[name].readout, marks
        )
    return found


def read_out(cells: Tensor, labels: Tensor, shrink: float = SHRINK) -> tuple[Tensor, Tensor]:
    """Return weights (H,) and a constant of the linear readout that fits a label best."""
    middle, width = cells.mean(dim=0), cells.std(dim=0) + 1e-6
    Z, y = (cells - middle) / width, labels.double() - labels.double().mean()
    gram = Z.T @ Z + shrink * len(Z) * torch.eye(Z.shape[1], dtype=Z.dtype)
    weights = torch.linalg.solve(gram, Z.T @ y) / width
    return weights, labels.double().mean() - middle @ weights


def score(shown: Tensor, label: Tensor) -> Tensor:
    """Return how well each column (P, N) follows a label: the area, of counts the correlation."""
    if label.dtype == torch.bool:
        return area_under_curve(shown, label)
    return correlation(shown, label)


def _counted(cells: Tensor, sample: Sample, label: Label) -> tuple[Tensor, Tensor]:
    there, values = counted_rows(sample, label), label.values[sample.places]
    return (cells, values) if there is None else (cells[there], values[there])


def after_last(model: RecurrentLM, counted: Labelled, report: Labelled, name: str) -> float:
    """Return the score of the label's mean after the same last characters in `counted`."""
    V = model.V
    keys = [_last_of(model.numbers(text.tokens), V) for text in (counted, report)]
    kept = [_keeps(text.labels[name]) for text in (counted, report)]
    seen, place = torch.unique(keys[0][kept[0]], return_inverse=True)
    values = counted.labels[name].values[kept[0]].double()
    mean = values.mean()
    means = (torch.bincount(place, weights=values) + mean) / (torch.bincount(place) + 1)
    asked = keys[1][kept[1]]
    at = torch.searchsorted(seen, asked).clamp(max=len(seen) - 1)
    guess = torch.where(seen[at] == asked, means[at], mean)
    return score(guess[:, None], report.labels[name].values[kept[1]])[0].item()


def _last_of(numbers: Tensor, V: int) -> Tensor:
    """Return one number for the last characters at every place."""
    padded = torch.cat([numbers.new_zeros(LAST - 1), numbers])
    key = torch.zeros_like(numbers)
    for back in range(LAST):
        key = key * V + padded[back : back + len(numbers)]
    return key


def _keeps(label: Label) -> Tensor:
    counted = label.counted
    return torch.ones(len(label.values), dtype=torch.bool) if counted is None else counted
