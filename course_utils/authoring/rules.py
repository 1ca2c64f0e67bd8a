"""Hold every lecture to the rules that a machine can check; say what to do about each breach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from course_utils.authoring.notebook import Notebook, lectures, read


class Breach(NamedTuple):
    """A rule that a cell breaks. `cell` is 0 when the whole file does."""

    cell: int
    what: str
    do: str


class Complaint(NamedTuple):
    """A breach and the file that it stands in, as it is told."""

    file: str
    breach: Breach

    def __str__(self) -> str:
        where = f"cell {self.breach.cell}: " if self.breach.cell else ""
        return f"{self.file}: {where}{self.breach.what}\n    → {self.breach.do}"


def breaches(notebook: Notebook) -> Iterator[Breach]:
    """Yield every breach of every rule, in the order of the rules."""
    from course_utils.authoring import (
        rules_of_code,
        rules_of_exercises,
        rules_of_files,
        rules_of_lectures,
    )

    for module in (rules_of_files, rules_of_code, rules_of_lectures, rules_of_exercises):
        for rule in module.RULES:
            yield from rule(notebook)


def complaints(folder: Path) -> list[Complaint]:
    """Return what is wrong with the lectures of a folder."""
    found = []
    for path in lectures(folder):
        found += [Complaint(path.name, breach) for breach in breaches(read(path))]
    strangers = sorted(set(folder.glob("*.ipynb")) - set(lectures(folder)))
    for path in strangers:
        breach = Breach(0, "is not named like a lecture", "call it NN_topic.ipynb, or move it away")
        found.append(Complaint(path.name, breach))
    return found
