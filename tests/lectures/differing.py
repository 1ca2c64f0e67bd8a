"""Let nbval run of a solved copy what differs from the lecture: `-p tests.lectures.differing`.

Of a copy run the solutions, their checks, every cell that could notice a solution by a name which
it binds, and all that these need. The others are, word for word, cells of the lecture as shipped,
below the same cells: the stage `notebooks` runs them, twice.
"""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

from nbval.plugin import IPyNbCell

from course_utils.pages.notebook import Notebook, read
from tools.needs import Needs

SHIPPED = Path(__file__).resolve().parents[2] / "notebooks"


def pytest_addoption(parser):
    """Let the lectures lie elsewhere."""
    parser.addoption("--shipped", type=Path, default=SHIPPED, help="the lectures without solutions")


def pytest_configure():
    """Let no check say that it takes long: on a busy machine one that trains a network would."""
    os.environ["COURSE_PATIENCE"] = "30"


def pytest_collection_modifyitems(config, items):
    """Deselect the cells that would only do again what they did in the lecture."""
    copies = defaultdict(list)
    for item in items:
        if isinstance(item, IPyNbCell):
            copies[item.path].append(item)
    left_out = set()
    for path, cells in copies.items():
        run = differing(read(config.getoption("shipped") / path.name), read(path))
        left_out |= {item for item in cells if item.cell_num not in run}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def differing(shipped: Notebook, copy: Notebook) -> set[int]:
    """Return which code cells of a copy must run, by their places among the code cells."""
    known = {cell.node.id: cell.source for cell in shipped.code}
    if [cell.node.id for cell in copy.code] != list(known):
        raise ValueError(f"{copy.path} is no copy of {shipped.path}: it has other cells")
    changed = {
        place
        for place, cell in enumerate(copy.code)
        if cell.source != known[cell.node.id] or cell.node.outputs
    }
    needs = Needs(copy.code)
    return needs.of(needs.touched_by(changed))
