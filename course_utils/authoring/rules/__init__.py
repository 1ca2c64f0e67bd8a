"""Hold every lecture to the rules that a machine can check; say what to do about each breach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from course_utils.authoring.notebook import Notebook, lectures, read
from course_utils.authoring.rules import code, exercises, files, reading, running, whole_lecture
from course_utils.authoring.rules.breach import Breach, Complaint

# Lectures in their first edition, and the rules that they need not keep yet.
NOT_YET: set[str] = set()
LATER = (*reading.RULES, running.a_name_means_one_thing)


def breaches(notebook: Notebook) -> Iterator[Breach]:
    """Yield every breach of every rule, in the order of the rules."""
    for module in (files, code, running, reading, whole_lecture, exercises):
        for rule in module.RULES:
            if not (notebook.lecture in NOT_YET and rule in LATER):
                yield from rule(notebook)
    if notebook.lecture in NOT_YET and not any(list(rule(notebook)) for rule in LATER):
        do = f"take {notebook.lecture} out of NOT_YET in authoring/rules/__init__.py"
        yield Breach(0, "keeps the rules that it need not keep yet", do)


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
