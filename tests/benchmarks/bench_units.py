"""Search all units for the one that follows marks, and ask what luck finds, against a loop."""

from __future__ import annotations

import time

import torch
from torch import Tensor

from course_utils.analysis.characters.labels import SAYS, source_part
from course_utils.analysis.units.sample import sample_responses
from course_utils.analysis.units.search import Labelled, label_scores, search_units
from course_utils.analysis.units.selectivity import Areas, area_under_curve
from course_utils.shipped import load_recurrent_lm
from tests.benchmarks.measure import Row, high_water, speedup

MILLION = 1_000_000
T, H, SETS = 20_000, 128, 21  # tokens, units, the marks themselves and 20 times dealt out


def rows() -> list[Row]:
    """Compare areas of all units under all sets of marks with one unit and set at a time."""
    scores = torch.rand(T, H)
    marks = torch.stack([torch.randperm(T) < T // 50 for _ in range(SETS)])
    return [
        speedup(
            "areas of 128 units, 21 sets of marks against a loop",
            lambda: together(scores, marks),
            lambda: one_by_one(scores, marks),
            ">= 20",
            repeats=3,
            warmup=1,
        ),
        *search_of_a_million(),
        every_number_against_a_loop(),
    ]


def search_of_a_million() -> list[Row]:
    """Search all 1,920 numbers of the shipped network over a million characters of source."""
    model, whole = load_recurrent_lm("source_lstm"), source_part("train", MILLION)
    short = source_part("valid", 50_000)
    search_units(model, short, short, most=2048, shuffles=1)  # what is made once
    before, start = high_water(), time.process_time()
    search_units(model, short, whole)
    seconds, grown = time.process_time() - start, high_water() - before
    detail = f"{seconds:.1f} s of processor time, {len(SAYS)} labels, 20 times shifted"
    memory = f"{grown / 1e6:.0f} MB more than before"
    return [
        Row("search of a million characters, of 60 s", seconds / 60, "<= 1", detail),
        Row("its memory, of 1.5 GB", grown / 1.5e9, "<= 1", memory),
    ]


def every_number_against_a_loop() -> Row:
    """Score all numbers for one label on a sample, together and a number at a time."""
    model, text = load_recurrent_lm("source_lstm"), source_part("test", 60_000)
    sample = sample_responses(model, text.tokens, most=2048)
    label = Labelled(text.tokens, {"string": text.labels["string"]}).labels
    marks = text.labels["string"].values[sample.places]

    def loop() -> list[Tensor]:
        return [
            torch.cat([area_under_curve(shown[:, [n]], row) for n in range(shown.shape[1])])
            for row in [marks.roll(by) for by in range(SETS)]
            for shown in sample.shown
        ]

    return speedup(
        f"{6 * sample.shown[0].shape[1]:,} numbers, {SETS} sets of marks, against a loop",
        lambda: label_scores(sample, label, SETS - 1),
        loop,
        ">= 20",
        repeats=1,
        warmup=0,
    )


def together(scores: Tensor, marks: Tensor) -> Tensor:
    """Return areas (SETS, H) from pieces."""
    found = Areas()
    for rows, marked in zip(scores.split(4096), marks.split(4096, dim=1), strict=True):
        found.add(rows, marked)
    return found.values()


def one_by_one(scores: Tensor, marks: Tensor) -> Tensor:
    """Return areas (SETS, H) as a reader would ask for them first."""
    units = [scores[:, [unit]] for unit in range(scores.shape[1])]
    return torch.stack([torch.cat([area_under_curve(u, one) for u in units]) for one in marks])
