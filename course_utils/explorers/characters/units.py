"""Colour a text by any gate or state of any recurrent model, the shipped one or the reader's."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from torch import nn

from course_utils.analysis.units.any_model import Run, Shown, read_units
from course_utils.explorers.characters.shared import (
    MOST,
    OWN_LINES,
    STRING_UNIT,
    held_out_text,
    network,
    typed_text,
)
from course_utils.explorers.characters.twin import twin_of_text
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.controls import text as line_of_text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.characters.text import (
    ROWS,
    ColouredText,
    TextDrawing,
    rows_of,
    sign_of,
)

LEAST_ROWS = 5  # that are drawn, however short the text is
BOUNDED = "hifgorzn"  # always between -1 and 1, whatever the weights are


def explore_units(
    model: nn.Module | None = None,
    text: str | None = None,
    run: Run | None = None,
    of: str = "c",
    unit: int | None = None,
) -> Explorer:
    """Show what the units of any recurrent PyTorch model do over a text.

    Without a model, it shows the shipped one. `run(text)` must let the model read the text, one
    character a step; models of this course, and all with a `vocabulary`, need none.
    """
    shipped = model is None and text is None and run is None
    model = network() if model is None else model
    unit = STRING_UNIT if unit is None else unit
    given = (held_out_text() if text is None else text)[:MOST]

    @lru_cache(maxsize=4)
    def read(words: str) -> list[Shown]:
        return read_units(model, words, run)

    shown = read(given)
    names = [f"{each.of} of {each.where}" for each in shown]
    start = next((n for n, each in enumerate(shown) if each.of == of), 0)
    units = max(each.values.shape[1] for each in shown)

    def compute(own: str, source: int, unit: int, at: int) -> ColouredText:
        words = typed_text(own) or given
        return coloured(read(words)[source], words, unit, at)

    rows = min(ROWS, max(LEAST_ROWS, len(rows_of(given))))
    sources = [(each.of, each.where) for each in shown]
    return Explorer(
        "What does this unit do?",
        {
            "source": choice("gate or state", [(name, n) for n, name in enumerate(names)], start),
            "unit": slider("unit", 0, units - 1, min(unit, units - 1), 1),
            "at": slider("character", 0, len(given) - 1, 0, 1),
            "own": line_of_text(
                "or your own line", "", "x = f('a string', 1)  # \\n begins a line", OWN_LINES
            ),
        },
        compute,
        TextDrawing(rows=rows),
        tabulate_text,
        twin=twin_of_text(given, sources, rows, BOUNDED) if shipped else None,
    )


def coloured(shown: Shown, text: str, unit: int, at: int) -> ColouredText:
    """Return a text coloured by one unit."""
    count = shown.values.shape[1]
    note = "" if unit < count else f"There is no unit {unit} here: this is the last, {count - 1}."
    unit, at = min(unit, count - 1), min(at, len(text) - 1)
    values = shown.values[:, unit].float().numpy()
    return ColouredText(
        f"{shown.of}[{unit}]",
        text,
        values,
        scale_of(values, shown.of),
        at,
        headline=f"{shown.of}[{unit}], {shown.where}",
        note=note,
    )


def scale_of(values: np.ndarray, of: str) -> float:
    """Return the size that gets full colour: 1, or nearly the largest where there is no bound."""
    if of in BOUNDED:
        return 1.0
    return max(1e-3, float(np.quantile(np.abs(values), 0.99)))


def tabulate_text(seen: ColouredText) -> Table:
    """Return the characters around the mark with their values."""
    first = max(0, seen.at - 20)
    rows = [
        (place, sign_of(seen.text[place]), float(seen.values[place]))
        for place in range(first, min(len(seen.text), first + 60))
    ]
    return Table(("place", "character", seen.name), rows)
