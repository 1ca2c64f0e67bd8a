"""A lecture in otter's form: a master notebook for `otter assign`, with hidden tests by our judge.

otter-grader runs a student's whole notebook in one process with the tests, in a container or
without. What it collects can be graded by `course grade` as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from course_utils.classroom.cells import Cell, text_of
from course_utils.classroom.handin import stub_id
from course_utils.classroom.handout import lectures_of
from course_utils.classroom.nbgrader_form import call_of_earned, function_in, graded_elsewhere
from course_utils.classroom.student_copy import ANSWER, as_file, new_cell, student_copy
from course_utils.classroom.term import Term
from course_utils.own_files import publish

CONFIG = """\
# ASSIGNMENT CONFIG
name: lecture{lecture}
init_cell: false
export_cell: false
check_all_cell: false
run_tests: false
save_environment: false"""


def write_otter(course: Path, term: Term, out: Path) -> list[Path]:
    """Write a master notebook for every lecture; replace only what an earlier call wrote."""
    files = {}
    for path in lectures_of(course, term):
        if path.name[:2] in term.lectures:
            name = f"lecture{path.name[:2]}"
            master = otter_master(student_copy(path, term), term, path.name[:2])
            files[f"{name}/{name}.ipynb"] = as_file(master)
    return publish(out, files, tidy=True)


def otter_master(notebook: Mapping[str, Any], term: Term, lecture: str) -> dict[str, Any]:
    """Return a student's copy with otter's marks around what is graded."""
    stubs = {stub_id(number): number for number in graded_elsewhere(term, lecture)}
    tested = {name.replace("-stub", "-check"): number for name, number in stubs.items()}
    functions = {
        number: function_in(text_of(cell))
        for cell in notebook["cells"]
        if (number := tested.get(str(cell["id"])))
    }
    rooms = [str(cell["id"]) for cell in notebook["cells"] if ANSWER.fullmatch(str(cell["id"]))]
    cells = [_raw("config", CONFIG.format(lecture=lecture))]
    for cell in notebook["cells"]:
        name = str(cell["id"])
        if name in stubs:
            cells += _coded(cell, stubs[name], functions[stubs[name]], term)
        elif name in rooms:
            cells += _written(cell, term.free_text[lecture] / len(rooms))
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def _coded(cell: Cell, number: str, function: str, term: Term) -> Iterator[Cell]:
    """Yield a stub as a question: a test for each share that a verdict may earn."""
    name = f"q{number.replace('.', '_')}"
    shares = sorted({share for share in term.shares.values() if share})
    steps = [b - a for a, b in zip([0.0, *shares], shares, strict=False)]
    points = [round(term.worth(number) * step, 6) for step in steps]
    yield _raw(name, f"# BEGIN QUESTION\nname: {name}\npoints: {points}\ncheck_cell: false")
    yield _raw(f"{name}-begin", "# BEGIN SOLUTION")
    yield cell
    yield _raw(f"{name}-end", "# END SOLUTION")
    yield _raw(f"{name}-tests", "# BEGIN TESTS")
    for k, share in enumerate(shares):
        least = term.worth(number) * share - 1e-9
        lines = ["# HIDDEN", "from course_utils.classroom.nbgrader_form import earned",
                 f"assert {call_of_earned(term, number, function)} >= {least}"]  # fmt: skip
        yield new_cell("code", f"{name}-test-{k}", "\n".join(lines), "skip")
    yield _raw(f"{name}-tested", "# END TESTS")
    yield _raw(f"{name}-over", "# END QUESTION")


def _written(cell: Cell, points: float) -> Iterator[Cell]:
    """Yield a room for words as a question that is marked by hand."""
    name = str(cell["id"]).replace("-", "_")
    yield _raw(name, f"# BEGIN QUESTION\nname: {name}\npoints: {points:g}\nmanual: true")
    yield _raw(f"{name}-begin", "# BEGIN SOLUTION")
    yield cell
    yield _raw(f"{name}-end", "# END SOLUTION")
    yield _raw(f"{name}-over", "# END QUESTION")


def _raw(name: str, text: str) -> Cell:
    return new_cell("raw", f"otter-{name}", text, "skip")
