"""A lecture as students get it: without the instructor's cells, with room for their answers."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course_utils.checks.exercise import Exercise
from course_utils.checks.own_exercise import read_own
from course_utils.checks.reserved import as_code
from course_utils.classroom.cells import Cell, digest_of, read_cells, text_of
from course_utils.classroom.term import EXERCISES, Term

QUESTION = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
ANSWER = re.compile(r"questions-answer-(\d+)")  # ids of the cells for free text
ROOM = "*Your answer to question {}: write it here.*"
WHO = "your login"  # what a student replaces by her own
ENDS_EXERCISES = ("summary", "questions")  # an own exercise comes before the first of these


def student_copy(lecture: Path, term: Term) -> dict[str, Any]:
    """Return the notebook that students get of a lecture."""
    notebook, cells = read_cells(lecture.read_bytes())
    number, copied = lecture.name[:2], copy.deepcopy(notebook)
    cells = [cell for cell in copied["cells"] if not _is_the_instructors(cell)]
    if number in term.free_text:
        cells = _with_room(cells)
    for own, one in term.own.items():
        if one.lecture == number:
            cells = _with_exercise(cells, own, read_own(own_file(term, own)))
    copied["cells"] = cells
    return copied


def as_file(notebook: dict[str, object]) -> bytes:
    """Return the bytes of a notebook as the lectures are stored.

    Half a letter, as an editor may leave it behind, stays what JSON writes for it.
    """
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def base_of(notebook: dict[str, Any]) -> dict[str, str]:
    """Return the hash of every cell by its id, in their order: what updates start from."""
    return {str(cell.get("id", "")): digest_of(cell) for cell in notebook["cells"]}


def own_file(term: Term, number: str) -> Path:
    """Return the file of an instructor's own exercise, with its reference."""
    folder = term.folder / EXERCISES
    found = sorted(folder.glob(f"own_{number.partition('.')[2]}_*.py"))
    if len(found) != 1:
        raise ValueError(
            f"{len(found)} files of {folder} are exercise {number}: `course add-exercise FILE` "
            "puts one there"
        )
    return found[0]


def _is_the_instructors(cell: Cell) -> bool:
    slides = cell.get("metadata", {}).get("slideshow", {})
    return bool(slides.get("slide_type") == "notes")


def _with_room(cells: Sequence[Cell]) -> list[Cell]:
    """Put a cell for the answer to every question, and leave ours out."""
    found: list[Cell] = []
    for cell in cells:
        if cell.get("id") != "answers":
            found.append(cell)
        if cell.get("id") == "questions":
            count = len(QUESTION.findall(text_of(cell)))
            found += [
                new_cell("markdown", f"questions-answer-{k}", ROOM.format(k), "skip")
                for k in range(1, count + 1)
            ]
    return found


def _with_exercise(cells: list[Cell], number: str, exercise: Exercise) -> list[Cell]:
    """Put an own exercise behind the lecture's: its text, its stub and its check."""
    ids = [cell.get("id") for cell in cells]
    place = next((ids.index(name) for name in ENDS_EXERCISES if name in ids), len(ids))
    said = [f"### Exercise {number}: {exercise.task}"]
    said += [f"In: {exercise.takes}."] if exercise.takes else []
    said += [f"Out: {exercise.gives}."] if exercise.gives else []
    if exercise.variants:
        said += [f"Your own numbers: put your login in place of `{WHO}`."]
    name, function = number.replace(".", "-"), exercise.function
    left = [parameter for parameter in exercise.parameters if parameter not in exercise.variants]
    head = f"def {function}({', '.join(left)}):"
    doc = f'    """Return {exercise.gives or "the answer"}."""'
    call = f'from course_utils.checks import check, task\n\ntask("{number}")\n'
    new = [
        new_cell("markdown", f"ex-{name}", "\n\n".join(said), "subslide"),
        *([_own_numbers(number, exercise)] if exercise.variants else []),
        new_cell("code", f"ex-{name}-stub", f"{head}\n{doc}\n    ...", "fragment", ["exercise"]),
        new_cell("code", f"ex-{name}-check", f'{call}check("{number}", {function})', "fragment"),
    ]
    return [*cells[:place], *new, *cells[place:]]


def _own_numbers(number: str, exercise: Exercise) -> Cell:
    """Return the cell in which a student draws her numbers by saying who she is."""
    choices = "".join(f", {name}={as_code(v)}" for name, v in exercise.variants.items())
    lines = [
        "from course_utils.checks.yours import yours",
        "",
        f'mine = yours("{number}", "{WHO}"{choices})',
        "mine",
    ]
    name = f"ex-{number.replace('.', '-')}-yours"
    return new_cell("code", name, "\n".join(lines), "fragment")


def new_cell(kind: str, name: str, text: str, slide: str, tags: Sequence[str] = ()) -> Cell:
    """Return a cell as the lectures store them."""
    metadata: dict[str, object] = {"slideshow": {"slide_type": slide}}
    if tags:
        metadata["tags"] = list(tags)
    code: Cell = {"execution_count": None, "outputs": []} if kind == "code" else {}
    source = text.splitlines(keepends=True)
    return {"cell_type": kind, "id": name, "metadata": metadata, **code, "source": source}
