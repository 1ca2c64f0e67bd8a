"""Which cells others need: what may be left out of a run, and what never."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell

from course_utils.pages.notebook import Cell
from tools.needs import Needs

CELLS = """import math
---
x = 4
---
y = []
---
y.append(x)
---
def twice(n):
    x = 2
    return x * n * scale
---
scale = math.pi
---
z = twice(3)
---
def alone(x, y):
    return [z for z in (x, y)]
---
%timeit 1
print(y)"""


@pytest.fixture
def needs() -> Needs:
    """Return who needs whom among the cells above."""
    sources = CELLS.split("---\n")
    return Needs([Cell(number, new_code_cell(source)) for number, source in enumerate(sources, 1)])


@pytest.mark.parametrize(
    ("wanted", "needed"),
    [
        (5, {0, 4, 5}),  # an import, and a function that could have bound it
        (8, {1, 2, 3, 8}),  # a list that another cell has changed, with what it put there
        (6, {0, 4, 5, 6}),  # what a function reads when it is called, bound below it
        (7, {7}),  # names of a function's own, and of a loop within
        (2, {2}),  # nothing that only comes later
    ],
)
def test_a_cell_needs(needs, wanted, needed):
    """Catches a cell left out of a run in which another reads what it made."""
    assert needs.of({wanted}) == needed


@pytest.mark.parametrize(
    ("changed", "touched"),
    [(1, {1, 3, 8}), (4, {4, 6}), (7, {7}), (8, {8}), (5, {5, 6})],
)
def test_a_change_touches(needs, changed, touched):
    """Catches a cell that is thought to do as before, below one that does something else."""
    assert touched <= needs.touched_by({changed})
    assert min(needs.touched_by({changed})) == changed


def test_what_nobody_shares_touches_nobody(needs):
    """Catches a lecture that is run whole whatever was changed in it."""
    assert needs.touched_by({7}) == {7}
    assert needs.of(set()) == set()
