"""Write copies of the lectures with the solutions put in, which fail when a solution does."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import nbformat
from nbformat.v4 import new_output

from course_utils.checks.exercise import Exercise
from course_utils.checks.find_exercise import find
from course_utils.checks.judging.judge import right
from course_utils.checks.lecture_calls import note_on, source_of
from course_utils.own_files import publish
from course_utils.pages.notebook import Notebook, lectures, literal, read
from tools.rules.exercises import check_of, stub_of

COMPARED = "nbval-check-output"  # nbval compares this cell's output with the stored one


def write_solved(notebooks: Path, solutions: Path, out: Path) -> list[Path]:
    """Write a solved copy of every lecture to a folder of its own; return the copies."""
    if not solutions.is_dir():
        raise ValueError(f"there is no {solutions}: this copy of the course came without solutions")
    copies = {
        path.name: nbformat.writes(solved(read(path), solutions)).encode() + b"\n"
        for path in lectures(notebooks)
    }
    return publish(out, copies, alone=True)


def solved(notebook: Notebook, solutions: Path) -> nbformat.NotebookNode:
    """Put each exercise's solution where its stub is, and the praise where its check is."""
    code = notebook.code
    for cell, following in pairwise(code):
        if "exercise" not in cell.tags or stub_of(cell) is None:
            continue
        call = check_of(following)
        if call is None:
            raise ValueError(f"{notebook.path.name}, cell {cell.number}: a stub without its check")
        module, exercise = find(str(literal(call.args[0])))
        cell.node.source = source_of(solutions / f"{module}.py", exercise.function)
        following.node.metadata.setdefault("tags", []).append(COMPARED)
        following.node.outputs, following.node.execution_count = [praise(exercise)], 1
    return notebook.node


def praise(exercise: Exercise) -> nbformat.NotebookNode:
    """Return the output of a check that finds the answer right."""
    note = note_on(right(exercise))
    data = {"text/plain": repr(note), "text/html": note._repr_html_()}
    output: nbformat.NotebookNode = new_output("display_data", data=data)
    return output
