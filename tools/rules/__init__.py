"""Hold every lecture to the rules that a machine can check; say what to do about each breach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from course_utils.pages.notebook import Notebook, lectures, read
from tools.rules import code, exercises, files, page, reading, running, whole_lecture
from tools.rules.breach import Breach, Complaint


def breaches(notebook: Notebook) -> Iterator[Breach]:
    """Yield every breach of every rule, in the order of the rules."""
    for module in (files, code, running, reading, whole_lecture, exercises, page):
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
