"""Find what the crosswalk points to that is missing, and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from course_utils.crosswalk import Row
from course_utils.pages.notebook import Cell, lectures, literal, read


def dead_ends(crosswalk: Iterable[Row], folder: Path) -> list[str]:
    """Return what points nowhere, and which claims and exercises nothing points to."""
    crosswalk = list(crosswalk)
    found = []
    taught = {path.name[:2]: read(path) for path in lectures(folder)}
    for row in crosswalk:
        sections = taught[row.lecture].sections() if row.lecture in taught else {}
        here = f"{row.lecture}, {row.topic!r}"
        if row.section not in sections:
            found.append(f"{here}: there is no section {row.section!r}; {', '.join(sections)}")
            continue
        claims, exercises = (numbers(sections[row.section], kind) for kind in ("claim", "check"))
        found += [
            f"{here}: {row.section!r} has no claim {n}" for n in row.claims if n not in claims
        ]
        for number in row.exercises:
            if number not in exercises:
                found.append(f"{here}: {row.section!r} has no exercise {number}")
    for lecture, notebook in taught.items():
        mine = [row for row in crosswalk if row.lecture == lecture]
        for kind, told in (("claim", "claims"), ("check", "exercises")):
            pointed = {number for row in mine for number in getattr(row, told)}
            for number in sorted(numbers(notebook.cells, kind) - pointed):
                found.append(f"{lecture}: no row of crosswalk.toml leads to {told[:-1]} {number}")
    return found


def numbers(cells: list[Cell], function: str) -> set[str]:
    """Return the numbers that calls of a function such as `claim` begin with."""
    calls = (call for cell in cells for call in cell.calls(function) if call.args)
    return {str(literal(call.args[0])) for call in calls}
