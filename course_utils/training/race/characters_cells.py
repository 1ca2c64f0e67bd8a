"""What lecture 07 compares its cells with: untrained networks, and every cell held alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from course_utils.analysis.characters.causes import endings_of, fewer_closed, levels, opened_strings
from course_utils.analysis.characters.labels import source_part
from course_utils.analysis.characters.ladder import rungs, untrained_of
from course_utils.analysis.characters.writing import Writer
from course_utils.analysis.units.search import Labelled
from course_utils.data.source_code import source_labels, source_text
from course_utils.models import RecurrentLM
from course_utils.results.files import Row
from course_utils.shipped import load_recurrent_lm
from course_utils.training.race.race import Lap, Race, register

SHIPPED, SEEDS = "source_lstm", (20, 21, 22, 23, 24)
CHARACTERS = 120_000  # of each part
STRINGS, BLOCK = 200, 80  # strings that are written on; cells that are held in one lap


@cache
def shipped() -> RecurrentLM:
    """Return the network whose cells are held."""
    return load_recurrent_lm(SHIPPED)


@cache
def part(name: str) -> Labelled:
    """Return a stretch of a part with its labels."""
    return source_part(name, CHARACTERS)


def forgotten(seed: int) -> list[Row]:
    """Return what the cells of a network follow whose recurrent weights nobody trained."""
    fresh = untrained_of(shipped(), load_recurrent_lm(SHIPPED), seed)
    found = rungs(fresh, part("valid"), part("test"))
    return [
        {"label": name, "cell": round(own.cell, 4), "readout": round(own.readout, 4)}
        for name, own in found.items()
    ]


def held(first: int) -> list[Row]:
    """Return how many fewer strings are closed when each of some cells is held outside quotes."""
    opened = opened_strings(source_text("test"), source_labels("test"), STRINGS)
    outside = levels(shipped(), part("valid"), "quoted")[1]
    cells = range(first, min(first + BLOCK, len(outside)))
    free, *ends = endings_of(
        Writer(shipped()), opened, [{}, *({cell: outside[cell].item()} for cell in cells)]
    )
    return [
        {"held": cell, "fewer": round(fewer_closed(free, own).value, 4)}
        for cell, own in zip(cells, ends, strict=True)
    ]


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield the untrained networks, then the cells; nothing is trained: `steps` has no effect."""
    for seed in SEEDS:
        yield Lap({"kind": "untrained", "seed": seed}, partial(forgotten, seed))
    for first in range(0, shipped().recurrent.hidden_size, BLOCK):
        yield Lap({"kind": "held", "from": first}, partial(held, first))


def said(row: Row) -> str:
    """Say what one row holds."""
    if row["kind"] == "held":
        return f"cell {row['held']} held: {row['fewer']:.0%} fewer closed"
    return f"untrained, seed {row['seed']}, {row['label']}: cell {row['cell']:.2f}"


RACE = register(
    Race(
        "characters_cells",
        "untrained networks, and every cell held alone: lecture 07",
        laps,
        said,
    )
)
