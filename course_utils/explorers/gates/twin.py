"""What the walk's twin on a page needs beside the models: places, colours, symbols, sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from course_utils.explorers.machinery.tours import Twin
from course_utils.plots.gates import cell_layout as places
from course_utils.plots.gates.equations import BACK, SYMBOLS
from course_utils.plots.gates.walk import ROWS
from course_utils.plots.style import look

AT = ("WIDTH", "HEIGHT", "TOP", "SHOWN", "RAIL", "KEEP", "PROPOSE", "BRANCH", "BOX_TOP")
PARTS = ("boxes", "valves", "belts", "joints")
NAMES = "ifgochzrn"


def twin_of_walk(
    kinds: Sequence[str],
    sentences: Sequence[str],
    ways: Sequence[tuple[str, str]],
    story_units: Mapping[str, int],
    twins: Mapping[str, str],
) -> Twin:
    """Return the twin of a walk through these models."""
    data = {
        "layouts": {kind: _layout(layout) for kind, layout in places.LAYOUTS.items()},
        "looks": {name: {"colour": look(name).colour, "ink": look(name).ink} for name in NAMES},
        "at": {name: getattr(places, name) for name in AT},
        "house": places.HOUSE,
        "box": places.BOX,
        "rows": ROWS,
        "symbols": {" ".join(key): symbols for key, symbols in SYMBOLS.items()},
        "back": {" ".join(key): asked for key, asked in BACK.items()},
        "kinds": kinds,
        "sentences": sentences,
        "ways": ways,
        "storyUnits": story_units,
        "twins": twins,
    }
    return Twin("gate_walk", tuple(f"word_{kind}" for kind in kinds), data)


def _layout(layout: places.Layout) -> dict[str, object]:
    parts = {name: [one._asdict() for one in getattr(layout, name)] for name in PARTS}
    return {"stops": layout.stops, "memory": layout.memory, "taps": layout.taps, **parts}
