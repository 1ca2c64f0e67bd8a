"""What students get: no instructor's cell, no reserved reference, a manifest that updates need."""

from __future__ import annotations

import json
import shutil

import pytest

from course_utils.classroom import handout
from course_utils.classroom.cells import NoNotebook, digest, names, read_cells
from course_utils.classroom.handout import read_manifest, write_handout
from course_utils.classroom.student_copy import student_copy
from course_utils.classroom.term import new_term, read_term
from course_utils.own_files import NotOurs, foreign
from tests.classroom.conftest import cells_of
from tests.command_line import course as typed
from tools.__main__ import ROOT


def test_no_note_and_no_answer_goes_out(handed_out):
    """Catches the instructor's notes, our answers to counted questions, and the reference."""
    everything = "\n".join(
        path.read_text(encoding="utf-8") for path in handed_out.rglob("*") if path.is_file()
    )
    assert "For the instructor" in (ROOT / "notebooks/02_vanishing_gradients.ipynb").read_text()
    assert "For the instructor" not in everything
    assert "x / parts" not in everything
    lecture = cells_of(handed_out / "notebooks" / "02_vanishing_gradients.ipynb")
    assert "answers" not in lecture
    assert [name for name in lecture if name.startswith("questions-answer-")] == [
        f"questions-answer-{k}" for k in range(1, 7)
    ]
    assert sorted(path.name for path in (handed_out / "notebooks").iterdir()) == [
        "00_start_here.ipynb",
        "02_vanishing_gradients.ipynb",
    ]


def test_a_lecture_keeps_all_else(course, term):
    """Catches a cell that is lost or changed on the way to the students."""
    (path,) = (course / "notebooks").glob("03_*.ipynb")
    original = json.loads(path.read_text(encoding="utf-8"))
    copied = student_copy(path, term)
    notes = [c for c in original["cells"] if c["metadata"]["slideshow"]["slide_type"] == "notes"]
    assert copied["cells"] == [cell for cell in original["cells"] if cell not in notes]
    assert notes
    assert {k: v for k, v in copied.items() if k != "cells"} == {
        k: v for k, v in original.items() if k != "cells"
    }


def test_an_own_exercise_is_asked_and_checked(handed_out):
    """Catches an own exercise without its stub or its check, and one that follows the summary."""
    lecture = cells_of(handed_out / "notebooks" / "02_vanishing_gradients.ipynb")
    order = list(lecture)
    assert order.index("ex-2-8-check") < order.index("ex-own-1-stub") < order.index("summary")
    assert "def one_part(x, parts):" in lecture["ex-own-1-stub"]
    assert 'check("own.1", one_part)' in lecture["ex-own-1-check"]
    assert "reserved='" in (handed_out / "own" / "own_1_one_part.py").read_text(encoding="utf-8")


def test_the_readme_speaks_of_a_lecture_of_this_term(course, tmp_path):
    """Catches students told to hand in a lecture that their term does not have."""
    term = read_term(new_term(tmp_path / "later", ["05", "07"]).parent)
    write_handout(course, term, tmp_path / "out")
    readme = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "`course handin 05`" in readme
    assert "02" not in readme


def test_the_manifest_knows_every_cell(handed_out):
    """Catches a manifest that updates could not start from."""
    manifest = read_manifest((handed_out / handout.MANIFEST).read_bytes())
    for name, base in manifest.items():
        content = (handed_out / "notebooks" / name).read_bytes()
        _, cells = read_cells(content)
        assert list(base) == [cell["id"] for cell in cells]
        assert names(cells, base) == list(base)
    with pytest.raises(ValueError, match="damaged"):
        read_manifest(b'{"lectures": []}')
    with pytest.raises(ValueError, match="newer version"):
        read_manifest(b'{"format": 2, "lectures": {}}')


def test_the_package_goes_along_and_can_install_itself(course, term, tmp_path, monkeypatch):
    """Catches a hand-out that has no package, one with caches, and one with tests or history."""
    for name in handout.BESIDE:
        (course / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, course / name)
    small = tmp_path / "package" / "course_utils"
    (small / "__pycache__").mkdir(parents=True)
    (small / "__init__.py").write_text("")
    (small / "__pycache__" / "x.pyc").write_text("")
    monkeypatch.setattr(handout, "PACKAGE", small)
    write_handout(course, term, tmp_path / "out")
    top = {path.name for path in (tmp_path / "out").iterdir() if path.name[0] != "."}
    assert top == {name.split("/")[0] for name in handout.BESIDE} | {
        "README.md", "handout.json", "notebooks", "own", "course_utils"
    }  # fmt: skip
    assert not list((tmp_path / "out").rglob("__pycache__"))


def test_a_second_handout_takes_back_only_its_own(course, term, handed_out):
    """Catches a lecture that stays after it left the term, and somebody's file that goes."""
    (handed_out / "notebooks" / "mine.ipynb").write_text("mine")
    term_file = term.folder / "term.toml"
    text = term_file.read_text(encoding="utf-8").split("\n[own]")[0]
    term_file.write_text(text.replace('"02"]', '"03"]'), encoding="utf-8")
    write_handout(course, read_term(term.folder), handed_out)
    assert foreign(handed_out) == ["notebooks/mine.ipynb"]
    assert not list(handed_out.glob("notebooks/02_*"))
    assert not list(handed_out.glob("own/*.py"))
    (handed_out / "notebooks" / "00_start_here.ipynb").write_text("worked on")
    with pytest.raises(NotOurs, match="stays as it is"):
        write_handout(course, read_term(term.folder), handed_out)


def test_a_missing_own_exercise_is_named(course, term, tmp_path):
    """Catches a hand-out that silently lacks what counts for marks."""
    (term.folder / "exercises" / "own_1_one_part.py").unlink()
    with pytest.raises(ValueError, match=r"0 files of .* are exercise own\.1"):
        write_handout(course, term, tmp_path / "out")


def test_the_command_writes_beside_the_term(term, capsys, monkeypatch, tmp_path):
    """Catches a command that finds neither the course nor the term, and lectures in the way."""
    monkeypatch.setattr(handout, "PACKAGE", tmp_path / "no package")
    assert typed("handout", "--term", str(term.folder)) == 0
    assert (term.folder / "handout" / "handout.json").is_file()
    assert typed("handout", "--term", str(tmp_path)) == 1
    assert "course term new NAME" in capsys.readouterr().err


def test_cells_are_known_whatever_an_editor_did():
    """Catches work that is taken for a stranger's cell once an editor has rewritten the file."""
    base = {"a": digest("code", "x = 1"), "b": digest("markdown", "text"), "c": digest("code", "")}
    code, prose = {"cell_type": "code"}, {"cell_type": "markdown"}
    cells = [
        {**code, "source": ["x = 1  \n"]},  # no id, a blank at the end
        {**prose, "source": "text, changed", "metadata": {"id": "b"}},  # Colab's
        {**prose, "source": "my own", "id": "zz"},
        {**code, "source": "x = 1"},  # a copy
    ]
    assert names(cells, base) == ["a", "b", "", ""]
    copies = [{**code, "id": "a", "source": text} for text in ("x = 2", "x = 3", "x = 1")]
    assert names(copies, base) == ["", "a", ""]


@pytest.mark.parametrize("renamed", [False, True])
def test_a_room_without_its_id_is_known_by_its_place(renamed):
    """Catches words that nobody marks, once an editor has taken the ids of all cells."""
    kinds = {
        "s1": "markdown",
        "ex-1-stub": "code",
        "ex-1-check": "code",
        "questions": "markdown",
        "questions-answer-1": "markdown",
        "questions-answer-2": "markdown",
        "next": "markdown",
    }
    base = {name: digest(kind, name) for name, kind in kinds.items()}
    hers = {"ex-1-stub": "def f(", "questions-answer-1": "Because.", "questions-answer-2": "Why?"}
    cells = [
        {"cell_type": kind, "source": hers.get(name, name), **({"id": f"r{k}"} if renamed else {})}
        for k, (name, kind) in enumerate(kinds.items())
    ]
    assert names(cells, base) == list(base)
    beside = {"cell_type": "code", "source": "x = 1"}  # of another kind than the rooms there
    assert names([*cells[:5], beside, *cells[5:]], base) == [*list(base)[:5], "", *list(base)[5:]]
    note = {"cell_type": "markdown", "source": "my own"}  # one more than there are rooms
    found = names([*cells[:5], note, *cells[5:]], base)
    assert found == [*list(base)[:4], "", "", "", "next"]


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"cells": 3}', b'{"cells": [1]}', b"\xff\xfe", b"[" * 100_000, b"<<<<<<< HEAD"],
)
def test_what_is_no_notebook_says_so(content):
    """Catches a damaged file that stops everything after it."""
    with pytest.raises(NoNotebook):
        read_cells(content)
