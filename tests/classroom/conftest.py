"""A term with one own, reserved exercise, and its hand-out without the package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from course_utils.classroom.handout import write_handout
from course_utils.classroom.term import FILE, new_term, read_term
from tests.checks.test_own_exercises import HALF
from tools.__main__ import ROOT

PART = HALF.replace("clip", "one_part")  # lecture 02 has a clip of its own
OWN = '\n[own]\n"own.1" = {lecture = "02", reserved = true}\n'


@pytest.fixture
def term(tmp_path):
    """Return a term of lecture 02 with questions to answer and a reserved exercise."""
    folder = new_term(tmp_path / "term", ["02"]).parent
    text = (folder / FILE).read_text(encoding="utf-8").replace('# "02" = 4', '"02" = 4')
    (folder / FILE).write_text(text + OWN, encoding="utf-8")
    (folder / "exercises").mkdir()
    (folder / "exercises" / "own_1_one_part.py").write_text(PART, encoding="utf-8")
    return read_term(folder)


@pytest.fixture
def course(tmp_path):
    """Return a course of notebooks alone: without the package, which is large."""
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "notebooks").symlink_to(ROOT / "notebooks")
    return tmp_path / "course"


@pytest.fixture
def handed_out(course, term, tmp_path):
    """Return the folder that a student has."""
    write_handout(course, term, tmp_path / "student")
    return tmp_path / "student"


def cells_of(notebook: Path) -> dict[str, str]:
    """Return the text of every cell by its id."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


def write_into(notebook: Path, texts: Mapping[str, str]) -> None:
    """Do a student's work: put texts into cells."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        cell["source"] = texts.get(cell["id"], cell["source"])
    notebook.write_text(json.dumps(content), encoding="utf-8")
