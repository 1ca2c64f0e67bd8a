"""What a student hands in: one small file, looked through before it is written."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from course_utils.checks.find_exercise import every_place, lecture_of
from course_utils.checks.guesses import Guesses
from course_utils.classroom.cells import read_cells
from course_utils.classroom.extract import Answer, Page
from course_utils.classroom.handout import MANIFEST, read_manifest
from course_utils.classroom.student_copy import WHO
from course_utils.classroom.submission import Submission, as_handin, submission_of
from course_utils.lab import FIRST
from course_utils.own_files import publish

WORDS = {
    "there": "handed in",
    "untouched": "not attempted",
    "missing": "not attempted, and its stub is gone",
    "broken": "no Python, so nobody can judge it",
}


class Handin(NamedTuple):
    """The file, and what is in it."""

    file: Path
    answers: dict[str, Answer]
    questions: list[int]
    flags: list[str]
    others: list[str]  # notebooks of the same lecture that were not taken
    without_login: list[str]  # answered exercises whose numbers are nobody's

    def __str__(self) -> str:
        lines = [f"{number:>6}  {self._said(answer)}" for number, answer in self.answers.items()]
        if self.questions:
            lines.append(f"{'':>6}  answers to questions {', '.join(map(str, self.questions))}")
        notes = [f"your notebook {flag}." for flag in self.flags]
        notes += [f"{name} lies there, too; `{_command(name)}` takes that one."
                  for name in self.others]  # fmt: skip
        notes += [f"exercise {number} has no numbers of yours: put your login in place of `{WHO}`, "
                  "run it again and hand in again." for number in self.without_login]  # fmt: skip
        if self.is_empty:
            notes.append("nothing in it is yours. Did you save the notebook, and is it this one?")
        lines += [f"{'':>6}  Note: {note}" for note in notes]
        size = self.file.stat().st_size / 1000
        return "\n".join([*lines, f"Upload {self.file} ({size:.0f} kB)."])

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to judge or to read."""
        return not self.questions and all(a.status == "untouched" for a in self.answers.values())

    def _said(self, answer: Answer) -> str:
        return WORDS[answer.status] + (f": {answer.said}" if answer.said else "")


def write_handin(course: Path, number: str, out: Path) -> Handin:
    """Write what a student wrote into a lecture; raise where the lecture cannot be read.

    A notebook that she saved under a name of her own is taken by that name.
    """
    known = _handed_out(course)
    notebook, lecture = _chosen(course, known, number)
    _, cells = read_cells(notebook.read_bytes())
    base = known[lecture]
    found = submission_of(cells, base)
    found = replace(found, predictions=_guessed(lecture[:2]) | dict(found.predictions))
    page = Page(found.pieces)
    asked = _asked(lecture[:2], set(base))
    answers = {n: page.answer(n, f, stub, ()) for n, (f, stub) in asked.items()}
    (file,) = publish(out, {f"{lecture[:2]}.json": as_handin(found, lecture[:2])})
    others = [
        p.stem for p in sorted(notebook.parent.glob(f"{lecture[:2]}*.ipynb")) if p != notebook
    ]
    given = [n for n in answers if answers[n].status == "there"]
    without = [n for n in given if _no_login_in(found, stub_id(n).removesuffix("stub") + "yours")]
    return Handin(file, answers, sorted(found.free_texts), page.flags(), others, without)


def _no_login_in(found: Submission, cell: str) -> bool:
    return any(piece.name == cell and WHO in piece.text for piece in found.pieces)


def _command(notebook: str) -> str:
    return f"course handin {shlex.quote(notebook)}"


def _guessed(lecture: str) -> dict[str, str]:
    """Return what was written for a lecture's predictions, its outputs cleared or not."""
    written = Guesses().written
    return {name: said for name, said in written.items() if name.startswith(f"{lecture}.")}


def _handed_out(course: Path) -> dict[str, dict[str, str]]:
    """Return the cells of every lecture as they were handed out, by the lecture's file name."""
    manifest = course / MANIFEST
    if not manifest.is_file():
        raise FileNotFoundError(
            f"there is no {MANIFEST} in {course}: hand in from the folder that you were given"
        )
    return read_manifest(manifest.read_bytes())


def _chosen(course: Path, known: Mapping[str, Mapping[str, str]], number: str) -> tuple[Path, str]:
    """Return the notebook that is meant, and the name that its lecture was handed out by."""
    folder, stem = course / FIRST.parent, Path(number).name.removesuffix(".ipynb")
    own = folder / f"{stem}.ipynb"
    wanted = stem[:2] if own.is_file() else stem.zfill(2)
    lecture = next((name for name in known if name[:2] == wanted), None)
    if lecture is None:
        raise ValueError(f"{number} was not handed out: there are {', '.join(known)}")
    notebook = own if own.is_file() else folder / lecture
    if not notebook.is_file():
        there = [path.stem for path in sorted(folder.glob(f"{wanted}*.ipynb"))]
        name = there[0] if there else f"{wanted}_mine"
        raise FileNotFoundError(
            f"{lecture} is gone from {folder}: take it from the hand-out again, or name the "
            f"notebook that you worked in, as in `{_command(name)}`"
        )
    return notebook, lecture


def _asked(lecture: str, cells: set[str]) -> dict[str, tuple[str, str]]:
    """Return function and stub of every exercise that a lecture asks."""
    found = {}
    for number, place in every_place().items():
        stub = stub_id(number)
        if stub in cells and lecture_of(number) in (lecture, "own"):
            found[number] = (place.function, stub)
    return found


def stub_id(number: str) -> str:
    """Return the id of an exercise's stub."""
    return f"ex-{number.replace('.', '-')}-stub"
