"""A lecture in nbgrader's form: stubs to write in, checks that give points, rooms marked by hand.

nbgrader runs a student's whole notebook in one process with the tests: it locks nothing. Its
`submitted/` folder can be graded by `course grade` as well, which does.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course_utils.checks.find_exercise import find
from course_utils.checks.judging.apart import judge_safely
from course_utils.checks.own_exercise import read_own
from course_utils.classroom.cells import Cell, text_of
from course_utils.classroom.handin import stub_id
from course_utils.classroom.handout import lectures_of
from course_utils.classroom.runner.questions import questions
from course_utils.classroom.student_copy import ANSWER, as_file, own_file, student_copy
from course_utils.classroom.term import Term
from course_utils.own_files import publish

CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = {name}
c.ClearSolutions.code_stub = {{"python": "..."}}
c.ExecutePreprocessor.timeout = 300
"""
ROOM = "    ...\n"
REGION = "    ### BEGIN SOLUTION\n    ...\n    ### END SOLUTION\n"


def write_nbgrader(course: Path, term: Term, out: Path) -> list[Path]:
    """Write nbgrader's source/ and its configuration; replace only what an earlier call wrote."""
    files = {"nbgrader_config.py": CONFIG.format(name=json.dumps(term.name)).encode()}
    for path in lectures_of(course, term):
        if path.name[:2] in term.lectures:
            name = f"lecture{path.name[:2]}"
            source = nbgrader_source(student_copy(path, term), term, path.name[:2])
            files[f"source/{name}/{name}.ipynb"] = as_file(source)
    return publish(out, files, tidy=True)


def nbgrader_source(notebook: Mapping[str, Any], term: Term, lecture: str) -> dict[str, Any]:
    """Return a student's copy with nbgrader's marks in it."""
    made = copy.deepcopy(dict(notebook))
    cells = {str(cell["id"]): cell for cell in made["cells"]}
    for number in graded_elsewhere(term, lecture):
        stub = cells[stub_id(number)]
        tested = cells[stub_id(number).replace("-stub", "-check")]
        _write(stub, _with_region(text_of(stub)))
        _mark(stub, solution=True)
        _write(tested, f"{text_of(tested).rstrip()}\n{_hidden(term, number, text_of(tested))}")
        _mark(tested, grade=True, locked=True, points=term.worth(number))
    rooms = [name for name in cells if ANSWER.fullmatch(name)]
    for name in rooms:
        points = term.free_text[lecture] / len(rooms)
        _mark(cells[name], grade=True, solution=True, points=points)
    return made


def graded_elsewhere(term: Term, lecture: str) -> list[str]:
    """Return what another grader can judge: it does not know whose numbers to take."""
    own = {number: read_own(own_file(term, number)) for number in term.own}
    return [n for n in term.counted(lecture) if n not in own or not own[n].variants]


def earned(
    number: str,
    answer: object,
    worth: float,
    shares: Mapping[str, float],
    seed: int,
    file: str = "",
) -> float:
    """Return an answer's points, for the hidden part of a check; `file` holds a reserved one."""
    exercise = read_own(Path(file)) if file else find(number)[1]
    verdict = judge_safely(questions(exercise, seed).exercise, answer, lambda text: None)
    return worth * shares.get(verdict.kind, 0.0)


def call_of_earned(term: Term, number: str, function: str) -> str:
    """Return the call that gives the points of an answer."""
    file = str(own_file(term, number).resolve()) if number in term.own else ""
    shares = {kind: share for kind, share in term.shares.items() if share}
    said = f"{number!r}, {function}, {term.worth(number)}, {shares}, {term.seed}, {file!r}"
    return f"earned({said})"


def function_in(tested: str) -> str:
    """Return the name of the function that a check cell hands to the check."""
    return tested.rstrip().rpartition(", ")[2].rstrip(")")


def _hidden(term: Term, number: str, tested: str) -> str:
    """Return what nbgrader puts into a check cell when it grades, and nobody sees before."""
    lines = [
        "### BEGIN HIDDEN TESTS",
        "from course_utils.classroom.nbgrader_form import earned",
        call_of_earned(term, number, function_in(tested)),
        "### END HIDDEN TESTS",
    ]
    return "\n".join(lines)


def _with_region(stub: str) -> str:
    """Return a stub in which nbgrader finds the place for the answer."""
    text = f"{stub.rstrip()}\n"
    if not text.endswith(ROOM):
        raise ValueError(f"this stub has no room for an answer: {stub}")
    return text.removesuffix(ROOM) + REGION


def _write(cell: Cell, text: str) -> None:
    cell["source"] = text.splitlines(keepends=True)


def _mark(
    cell: Cell,
    grade: bool = False,
    solution: bool = False,
    locked: bool = False,
    points: float | None = None,
) -> None:
    """Write nbgrader's metadata into a cell."""
    own: dict[str, object] = {"grade": grade, "solution": solution, "locked": locked, "task": False}
    own |= {"schema_version": 3, "grade_id": cell["id"], "cell_type": cell["cell_type"]}
    if points is not None:
        own["points"] = points
    cell["metadata"]["nbgrader"] = own
