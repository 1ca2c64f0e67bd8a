"""Hold a cell while the model writes on from inside a string: does it still close it?"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch

from course_utils.analysis.characters.causes import Opened, how_it_ends, opened_strings
from course_utils.data.source_code import source_labels, source_text
from course_utils.explorers.characters.shared import STRING_UNIT, writer
from course_utils.explorers.characters.units import tabulate_text
from course_utils.explorers.machinery.controls import slider, switch
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.models.steps import LSTMState
from course_utils.plots.characters.text import ColouredText, TextDrawing

PROMPTS, LENGTH = 10, 60
ENDS = {
    "closed": "The string is closed.",
    "broken": "The line ends and the string is still open.",
    "open": "It is still open after 60 characters.",
}


def explore_held(unit: int | None = None) -> Explorer:
    """Let the reader hold one cell at a value while the model goes on."""
    return Explorer(
        "Hold one cell: is the string closed?",
        {
            "which": slider("beginning", 1, PROMPTS, 1, 1),
            "hold": switch("hold the cell", True),
            "value": slider("at the value", -3.0, 3.0, 0.0, 0.25),
            "unit": slider("unit", 0, writer().H - 1, STRING_UNIT if unit is None else unit, 1),
            "seed": slider("draw number", 1, 20, 1, 1),
        },
        held_story,
        TextDrawing(),
        tabulate_text,
    )


def held_story(which: int, hold: bool, value: float, unit: int, seed: int) -> ColouredText:
    """Return a beginning and what the model writes, coloured by the cell at each character."""
    opened = beginnings()[which - 1]
    held = {unit: value} if hold else None
    before, state = _read(opened.text)
    (text,) = writer().write(state, LENGTH, held, 0.7, seed=seed)
    end = how_it_ends(text, opened.quote)
    whole = opened.text + text
    cells = np.concatenate([before[:, unit], _read_on(text, state, held)[0][:, unit]])
    first = opened.text.find("\n") + 1  # whole lines are easier to read
    done = f"held at {value:g}" if hold else "left alone"
    return ColouredText(
        f"c[{unit}]",
        whole[first:],
        cells[first:],
        max(1e-3, float(abs(cells).max())),
        len(opened.text) - first,
        ((len(opened.text) - first, len(whole) - first - 1),),
        f"c[{unit}] {done}: {ENDS[end].lower()}",
        f"{ENDS[end]} What the model writes is outlined.",
    )


@lru_cache(maxsize=PROMPTS)
def _read(text: str) -> tuple[np.ndarray, LSTMState]:
    """Return every cell at every character of a beginning, (T, H), and the state after it."""
    return _read_on(text, writer().start(1))


def _read_on(
    text: str, state: LSTMState, held: dict[int, float] | None = None
) -> tuple[np.ndarray, LSTMState]:
    """Return every cell at every character of what comes next, (T, H), and the state after it."""
    fixed, found = writer().held_cells([held]) if held else None, []
    for number in writer().words.encode(text):
        state = writer().step(number[None], state, fixed)
        found.append(state.c[0])
    return torch.stack(found).numpy(), state


@lru_cache(maxsize=1)
def beginnings() -> list[Opened]:
    """Return texts from modules that the model has not read, each ending inside a string."""
    return opened_strings(source_text("test"), source_labels("test"), PROMPTS)
