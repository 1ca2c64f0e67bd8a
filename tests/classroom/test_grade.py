"""A class of twelve, graded by the command: marks, pages, and what happens the second time."""

from __future__ import annotations

import csv
import gc
import hashlib
import html
import importlib
import io
import json
import os
import re
import select
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from course_utils.checks.exercise import Misconception
from course_utils.checks.find_exercise import find
from course_utils.checks.judging.judge import judge
from course_utils.classroom import session
from course_utils.classroom.cells import read_cells
from course_utils.classroom.collect import Found
from course_utils.classroom.grading import KEPT, Lecture, grade, lecture_of_term
from course_utils.classroom.marks import Marks, marks
from course_utils.classroom.report import changed_marks
from course_utils.classroom.submission import Submission
from course_utils.classroom.tables import grades, plain
from course_utils.classroom.term import FILE, new_term, read_term
from course_utils.pages.notebook import lectures
from tests.classroom.school import lecture, mistaken, processes_of, right, worked
from tests.command_line import as_typed, course
from tools.__main__ import ROOT

MARKUP = "<script>alert('x')</script>"
FORMULA = '=HYPERLINK("evil.example";"click")'
LONG = """def clip(gradients, threshold):
    total = 0.0
    for gradient in gradients:
        for entry in gradient.flatten():
            total = total + entry * entry * 2
    norm = total ** 0.5
    {scale} = threshold / norm
    return [gradient * {scale} for gradient in gradients]
"""
ON_TIME, LATE = "2027-03-01T10:00:00+00:00", "2027-03-05T20:00:00+00:00"
RULE = '"02" = 2027-03-04T23:59:00+00:00'


class Graded(NamedTuple):
    """A graded class."""

    term: Path
    out: Path
    handed_in: Path

    @property
    def rows(self) -> dict[str, dict[str, str]]:
        """Return the table by student."""
        text = (self.out / "grades.csv").read_text(encoding="utf-8")
        return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}

    def again(self, *more: str) -> int:
        """Grade once more."""
        roster = str(self.term / "roster.csv")
        words = ("--term", str(self.term), "--roster", roster, "--jobs", "1")
        return course("grade", "02", str(self.handed_in), *words, *more)


def submissions() -> dict[str, bytes]:
    """Return what twelve students hand in; a row of the table for each."""
    term = read_term_of_lecture_02()
    ours = right("02")
    note = {"output_type": "display_data", "metadata": {}, "data": {"text/plain": [MARKUP]}}
    loud = json.loads(worked(term, {"2.1": f"def jacobian_of_a_step(a, U):\n    raise {MARKUP!r}"}))
    guess = f"⚖ Prediction 02.b: you wrote “{MARKUP}”; the result is {MARKUP}."
    loud["cells"][3]["outputs"] = [note, {**note, "data": {"text/plain": guess}}]
    words = json.loads(worked(term, ours))
    for cell in words["cells"]:
        if cell["id"] == "questions-answer-2":
            cell["source"] = f"Inputs of size 0. {MARKUP}"
    mistake = next(text for text, _ in mistaken("2.7"))
    return {
        "anna/02.ipynb": worked(term, ours),
        "bob/02.ipynb": worked(term, {}),
        "carl/02.ipynb": worked(term, {**ours, "2.7": mistake}),
        "dora/02.ipynb": worked(term, {"2.7": LONG.format(scale="scale")}),
        "emil/02.ipynb": worked(term, {"2.7": LONG.format(scale="shrink")}),
        "fay/02.ipynb": worked(
            term, {"2.3": "def largest_allowed(U, s, k):\n    raise SystemExit"}
        ),
        "gus/02.ipynb": b"<<<<<<< HEAD",
        "anna/03.ipynb": json.dumps(lecture("03")).encode(),
        "hal/02.ipynb": json.dumps(loud).encode(),
        "ivy/02.ipynb": json.dumps(words).encode(),
        f"{FORMULA}/02.ipynb": worked(term, {}),
        f"{MARKUP.replace('/', '')}/02.ipynb": worked(term, {}),
    }


def read_term_of_lecture_02() -> dict:
    """Return the lecture as students have it, with room for words."""
    notebook = lecture("02")
    room = {"cell_type": "markdown", "id": "questions-answer-2", "metadata": {}, "source": ""}
    place = [cell["id"] for cell in notebook["cells"]].index("questions")
    notebook["cells"].insert(place + 1, room)
    return notebook


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade them once."""
    home = tmp_path_factory.mktemp("class")
    term = new_term(home / "term", ["02"]).parent
    text = (term / FILE).read_text().replace('# "02" = 2027-03-04T23:59:00+01:00', RULE)
    (term / FILE).write_text(text.replace('# "02" = 4', '"02" = 4').replace('# "2.6"', '"2.6"'))
    (term / "roster.csv").write_text("id,name\nanna,Anna A.\nbob,Bob B.\nzoe,Zoë Z.\n")
    for name, content in submissions().items():
        file = home / "in" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        at = LATE if name.startswith("carl") else ON_TIME
        os.utime(file, (0, datetime.fromisoformat(at).timestamp()))
    made = Graded(term, term / "grades" / "02", home / "in")
    before = content_of(home)
    assert made.again() == 0
    written = {name for name in content_of(home) if name not in before}
    assert all(name.startswith("term/grades/02/") for name in written)
    return made


def content_of(folder: Path) -> dict[str, str]:
    """Return the hash of every file but those that say who writes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(".lock")
    }


def test_everybody_has_a_row_and_the_right_marks(graded):
    """Catches points for nothing, none for a right answer, and a student who is not there."""
    rows = graded.rows
    assert len(rows) == 12
    assert (rows["anna"]["total"], rows["anna"]["name"]) == ("10.0", "Anna A.")
    assert float(rows["anna"]["possible"]) == 14
    assert {rows[who]["total"] for who in ("bob", "gus", "hal", "fay")} == {"0.0"}
    assert rows["zoe"]["problem"] == "nothing was handed in"
    assert rows["gus"]["problem"].startswith("it cannot be read")
    assert "not on the roster" in rows["carl"]["flags"]
    assert "not on the roster" not in rows["anna"]["flags"]


@pytest.mark.parametrize("path", lectures(ROOT / "notebooks"), ids=lambda path: path.stem)
def test_an_answer_is_given_what_its_lecture_brings_in(path):
    """Catches a grader that draws pictures, or does not know `english` and `nn`."""
    names: dict = {}
    given = Lecture(path.stem[:2], read_cells(path.read_bytes())[1], {}, {}).imports
    assert not re.search(r"course_utils\.(explorers|plots|checks|lectures)", "\n".join(given))
    exec("\n".join(given), names)
    brought = vars(importlib.import_module(f"course_utils.lectures.{path.stem[3:]}"))
    shown = {"check", "claim", "hint", "show", "draw_table", "explore_gap"}
    both = {name for name in names.keys() & brought.keys() if not name.startswith("__")}
    assert all(names[name] is brought[name] for name in both)
    assert "setup" in both
    assert "torch" in names
    assert not shown & names.keys()


def test_shares_and_lateness(graded):
    """Catches partial credit in full, and a day that costs nothing."""
    carl = graded.rows["carl"]
    assert (carl["2.6"], carl["2.7"]) == ("3.0", "0.5")
    assert (carl["kept"], carl["late hours"]) == ("0.9", "20.0")
    assert float(carl["total"]) == pytest.approx(9.5 * 0.9)


def test_no_cell_is_a_formula(graded):
    """Catches a student's name or error that a spreadsheet runs."""
    for name in ("grades.csv", "canvas.csv", "moodle.csv"):
        text = (graded.out / name).read_text(encoding="utf-8")
        for row in csv.reader(io.StringIO(text)):
            assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in row), row
    assert f"'{FORMULA}" in graded.rows
    assert [plain(cell) for cell in ("-1+1", " =1", "a\n=1", 3)] == ["'-1+1", "' =1", "a =1", 3]


def test_no_page_runs_a_script_of_theirs(graded):
    """Catches markup in a name, an error, an answer or an output that becomes part of a page."""
    pages = list(graded.out.rglob("*.html"))
    assert len(pages) == 12 + 2
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text, page
        assert "Content-Security-Policy" in text
        assert "default-src 'none'" in text
    assert {page.parent.name for page in pages} == {"02", "feedback", "manual"}


def test_the_class_page_says_what_to_teach(graded):
    """Catches a page without the named mistake, the unnamed one, likeness or the locks."""
    text = (graded.out / "class.html").read_text(encoding="utf-8")
    assert "Teach again first" in text
    assert "dora, emil wrote the same but for names" in text
    assert "2.7: 2 alike" in text
    assert "2.3: one student" in text
    assert "Misconception(" in text
    assert "1 wrote something down. Came out: &lt;script&gt;" in text
    assert "Locked for every answer" in text
    assert "because they are written down: 2.4, 2.5, 2.8" in text


def test_a_student_reads_what_went_wrong(graded):
    """Catches feedback without the sentence, and somebody else's name in it."""
    text = (graded.out / "feedback" / "carl.html").read_text(encoding="utf-8")
    assert next(said for _, said in mistaken("2.7"))[:40].replace("'", "&#x27;") in text
    assert "90% of the points are left" in text
    assert "your answers met others here" in text
    assert "dora" not in text
    fay = (graded.out / "feedback" / "fay.html").read_text(encoding="utf-8")
    assert "in the line `raise SystemExit`" in fay


@pytest.mark.parametrize(("rule", "judged"), [("last", 2), ("best", 11)])
def test_many_versions_of_one_student_keep_nobody_waiting(tmp_path, rule, judged):
    """Catches a hundred hand-ins that are all judged, and the same work judged twice."""
    file = new_term(tmp_path / "term", ["02"])
    text = file.read_text().replace("default = 1", 'default = 0\n"2.3" = 1')
    file.write_text(text.replace('versions = "last"', f'versions = "{rule}"'))
    term, told = read_term(file.parent), []
    asked = lecture_of_term(ROOT, term, "02")
    stubs = {k: f"def largest_allowed(U, slope, lag):\n    return {k}" for k in range(30)}
    works = [("eve", k, {"2.3": text}) for k, text in stubs.items()]
    works += [(who, 0, right("02")) for who in ("ann", "bob")]
    found = [
        Found(who, f"{k}.ipynb", k, None, False, partial(worked, lecture("02"), answers))
        for who, k, answers in works
    ]
    versions = grade(term, asked, found, tmp_path, tell=lambda done, of: told.append(of))
    assert set(told) == {judged}
    broken = Found("zoe", "02.ipynb", 0, None, False, lambda: b"[" + None)
    (version,) = grade(term, asked, [broken], tmp_path)
    assert version.problem == "it cannot be read: TypeError"
    rows = {row.student: row for row in marks(term, asked, versions, {}, {})}
    assert [rows[who].total for who in ("ann", "bob", "eve")] == [1, 1, 0]
    assert rows["eve"].version.found.version == 29


@pytest.mark.parametrize(("rule", "kept"), [("last", 1), ("best", 10)])
def test_many_notebooks_of_one_student_are_read_one_by_one(tmp_path, rule, kept):
    """Catches memory that grows with every notebook that one student handed in."""
    file = new_term(tmp_path / "term", ["02"])
    file.write_text(file.read_text().replace('versions = "last"', f'versions = "{rule}"'))
    term = read_term(file.parent)
    asked = lecture_of_term(ROOT, term, "02")
    there = []

    def read():
        there.append(sum(type(one) is Submission for one in gc.get_objects()))
        return json.dumps({**lecture("02"), "cells": asked.cells}).encode()

    before = sum(type(one) is Submission for one in gc.get_objects())
    found = [Found("eve", f"{k}.ipynb", k, None, False, read) for k in range(14)]
    assert len(grade(term, asked, found, tmp_path)) == kept
    assert max(there) - before <= kept


@pytest.mark.parametrize("first", ["a.ipynb", "z.ipynb"])
def test_at_the_same_time_the_answers_count(tmp_path, first):
    """Catches the untouched lecture that counts for the work beside it, and is not spoken of."""
    term = read_term(new_term(tmp_path / "term", ["02"]).parent)
    asked = lecture_of_term(ROOT, term, "02")
    notebook = {**lecture("02"), "cells": asked.cells}
    works = [(first, {}), ("m.ipynb", {"2.7": right("02")["2.7"]})]
    found = [
        Found("eve", name, 0, None, False, partial(worked, notebook, answers))
        for name, answers in sorted(works)
    ]
    (row,) = marks(term, asked, grade(term, asked, found, tmp_path), {}, {})
    assert (row.version.found.name, row.total) == ("m.ipynb", 1)
    assert f"of the same time: {first}" in row.flags


def test_killed_and_resumed_gives_the_same_bytes(graded, tmp_path):
    """Catches a report that depends on where a run was killed, and a process that outlives it."""
    copy = tmp_path / "term"
    shutil.copytree(graded.term, copy, ignore=shutil.ignore_patterns("grades"))
    for who in ("anna", "dora"):
        shutil.copytree(graded.handed_in / who, tmp_path / "in" / who)
    resumed = Graded(copy, tmp_path / "undisturbed", tmp_path / "in")
    assert resumed.again("--out", str(resumed.out)) == 0
    out = copy / "grades" / "02"
    words = ("grade", "02", str(resumed.handed_in), "--term", str(copy), "--jobs", "1")
    roster = ("--roster", str(copy / "roster.csv"))
    with subprocess.Popen(as_typed(*words, *roster), stdout=subprocess.PIPE) as run:
        while run.poll() is None and len(list(out.glob(f"{KEPT}/*.json"))) < 5:
            select.select([run.stdout], [], [], 0.02)
        run.kill()
    done = {path: path.stat().st_mtime_ns for path in out.glob(f"{KEPT}/*.json")}
    assert 5 <= len(done) < 16
    assert not list(out.glob("*.csv"))
    (min(done)).write_bytes(b"half of")
    assert resumed.again() == 0
    assert content_of(out) == content_of(resumed.out)
    kept = [path for path in done if path.stat().st_mtime_ns == done[path]]
    assert len(kept) == len(done) - 1
    assert processes_of(run.pid) == []


def test_a_changed_report_is_not_overwritten(graded, tmp_path, capsys):
    """Catches an instructor's correction in grades.csv that the next run takes away."""
    copy = tmp_path / "term"
    shutil.copytree(graded.term, copy)
    file = copy / "grades" / "02" / "grades.csv"
    file.write_text(file.read_text() + "corrected by hand\n")
    assert Graded(copy, file.parent, graded.handed_in).again() == 1
    assert "stays as it is" in capsys.readouterr().err
    assert "corrected by hand" in file.read_text()


def test_marks_by_hand_and_a_new_judging(graded, tmp_path, capsys):
    """Catches words that never count, and a regrade that changes marks without saying so."""
    copy = tmp_path / "term"
    shutil.copytree(graded.term, copy)
    text = (copy / "grades" / "02" / "manual" / "question-2.html").read_text(encoding="utf-8")
    assert "Inputs of size 0." in text
    assert "anna" not in text
    marks = tmp_path / "question-2.csv"
    marks.write_text("student,question,share\nivy,2,0.25\n")  # of 4 points for 6 questions
    resumed = Graded(copy, copy / "grades" / "02", graded.handed_in)
    capsys.readouterr()
    assert resumed.again("--manual", str(marks), "--regrade", "2.4") == 0
    said = capsys.readouterr().out
    assert "marks changed: 1" in said
    assert "ivy: 10 -> 10.1667 (written: 0 -> 0.1667)\n" in said
    assert "nothing came from: zoe" in said
    assert "not on the roster: " in said
    assert "carl" in said.partition("not on the roster: ")[2]
    assert "class.html. Answers in words wait in manual/." in said
    told = (resumed.out / "feedback" / "ivy.html").read_text(encoding="utf-8")
    assert "Questions in words: 0.1667 of 4 points" in told
    assert resumed.again("--regrade", "3.1") == 1
    marks.write_text("student,question,share\nivy,2,7\n")
    assert resumed.again("--manual", str(marks)) == 1


def test_what_is_the_same_but_for_its_last_digits_is_no_change(tmp_path):
    """Catches a sixth of a point that is told as changed, since the table has four digits of it."""
    asked = Lecture("02", [], {}, {})
    before = Marks("ivy", "", None, {"2.1": 1.0}, 1 / 6, 1.0, 1.1667)
    (tmp_path / "grades.csv").write_bytes(grades(replace(asked, asked={"2.1": None}), [before], 2))
    after = replace(before, points={"2.1": 0.0}, total=0.1667)
    said = ["ivy: 1.1667 -> 0.1667 (2.1: 1 -> 0)"]
    assert changed_marks(tmp_path, [after], ["2.1"]) == said


def test_a_cell_that_a_hand_wrote_words_into_is_passed_over(tmp_path):
    """Catches a grading that ends in a ValueError since somebody noted "ill" in one exercise."""
    (tmp_path / "grades.csv").write_text("student,2.1,2.2,total\nivy,ill,1,1\nann,1,1,ill\n")
    now = [Marks(who, "", None, {"2.1": 1.0, "2.2": 0.5}, 0.0, 1.0, 1.5) for who in ("ivy", "ann")]
    assert changed_marks(tmp_path, now, ["2.1", "2.2"]) == ["ivy: 1 -> 1.5 (2.2: 1 -> 0.5)"]


def test_marks_by_hand_stay(graded, tmp_path, capsys):
    """Catches marks by hand that are gone after a run without them, or that nobody gets."""
    copy = tmp_path / "term"
    shutil.copytree(graded.term, copy)
    marks = tmp_path / "question-2.csv"
    marks.write_text("student,question,share\nivy,2,0.75\nanna,2,1\n")
    resumed = Graded(copy, copy / "grades" / "02", graded.handed_in)
    assert resumed.again("--manual", str(marks)) == 0
    said = capsys.readouterr().out
    assert "earlier run" not in said
    first = resumed.rows["ivy"]["written"]
    assert resumed.again() == 0
    assert "marks by hand kept from an earlier run: 2" in capsys.readouterr().out
    assert resumed.rows["ivy"]["written"] == first == "0.5"
    marks.write_text("student,question,share\nivy,2,0\n")
    assert resumed.again("--manual", str(marks)) == 0
    assert resumed.rows["ivy"]["written"] == "0.0"


@pytest.mark.parametrize(
    ("wrong", "says", "there"),
    [("Ivi,2,1", "nobody here is 'Ivi'", "anna"), ("ivy,9,1", "no question 9 but 1, 2", "")],
)
def test_a_mark_for_nobody_is_refused(graded, tmp_path, capsys, wrong, says, there):
    """Catches a slip of the pen in a file of marks that is kept, and reported for ever."""
    copy = tmp_path / "term"
    shutil.copytree(graded.term, copy)
    marks = tmp_path / "question-2.csv"
    marks.write_text(f"student,question,share\nivy,2,0.75\n{wrong}\n")
    resumed = Graded(copy, copy / "grades" / "02", graded.handed_in)
    before = content_of(copy)
    assert resumed.again("--manual", str(marks)) == 1
    said = capsys.readouterr().err
    assert says in said
    assert there in said
    assert content_of(copy) == before


def test_late_files_alone_do_not_take_all_points_in_silence(graded, tmp_path, capsys):
    """Catches a class that has nothing any more since only the late files were graded."""
    copy = tmp_path / "term"
    shutil.copytree(graded.term, copy)
    (copy / "roster.csv").write_text("id,name\nanna,Anna A.\nbob,Bob B.\n")
    shutil.copytree(graded.handed_in / "dora", tmp_path / "late" / "dora")
    late = Graded(copy, copy / "grades" / "02", tmp_path / "late")
    assert late.again() == 0
    said = capsys.readouterr().out
    assert "had points before, nothing now: anna, carl, ivy. Each run" in said
    assert "bob" in said.partition("nothing came from: ")[2]
    assert late.again() == 0
    assert "had points" not in capsys.readouterr().out


def test_a_mark_for_a_text_that_has_changed(graded, tmp_path, capsys):
    """Catches points for words that nobody has marked, and a mark that is gone with the text."""
    copy = tmp_path / "term"
    shutil.copytree(graded.term, copy)
    shutil.copytree(graded.handed_in / "ivy", tmp_path / "in" / "ivy")
    marks = tmp_path / "question-2.csv"
    marks.write_text("student,question,share\nivy,2,0.75\n")
    resumed = Graded(copy, copy / "grades" / "02", tmp_path / "in")
    assert resumed.again("--manual", str(marks)) == 0
    assert "text changed" not in capsys.readouterr().out
    file = tmp_path / "in" / "ivy" / "02.ipynb"
    file.write_text(file.read_text().replace("Inputs of size 0.", "No words of mine."))
    for again in ((), ("--manual", str(marks)), ()):
        assert resumed.again(*again) == 0
        said = capsys.readouterr().out
        assert "text changed since it was marked: ivy, question 2" in said
        assert resumed.rows["ivy"]["written"] == "0.5"
        page = (resumed.out / "class.html").read_text(encoding="utf-8")
        assert "text changed since it was marked: question 2" in page
    marks.write_text("student,question,share\nivy,2,0.25\n")
    assert resumed.again("--manual", str(marks)) == 0
    assert "text changed" not in capsys.readouterr().out + resumed.rows["ivy"]["flags"]


def test_without_locks_it_can_be_refused(graded, capsys, monkeypatch):
    """Catches --require-sandbox that lets hostile work run, and a report that is silent."""
    monkeypatch.setattr(session, "held", lambda hidden: {"network": False, "time": True})
    assert graded.again("--require-sandbox") == 1
    assert "does not lock network" in capsys.readouterr().err


def test_the_offered_mistake_tells_the_next_student(graded, tmp_path):
    """Catches a skeleton that is no Python, or that does not know the answers it was made from."""
    text = html.unescape((graded.out / "class.html").read_text(encoding="utf-8"))
    offered = text[text.index("def a_mistake():") :].partition("</pre>")[0]
    above, _, entry = offered.partition("Misconception(")
    _, exercise = find("2.7")
    space: dict = {"Misconception": Misconception}
    exec(above, space)
    (mistake,) = eval(f"(Misconception({entry})", space)
    named = replace(exercise, misconceptions=(*exercise.misconceptions, mistake))
    exec(LONG.format(scale="another_name"), space)
    verdict = judge(named, space["clip"])
    assert (verdict.kind, verdict.message) == ("misconception", mistake.message)


def test_a_mended_exercise_changes_no_marks_without_a_word(term, tmp_path):
    """Catches marks that differ from the last grading's since the exercise does."""
    rule = (term.folder / FILE).read_text(encoding="utf-8")
    (term.folder / FILE).write_text(
        rule.replace("default = 1", 'default = 0\n"own.1" = 2'), encoding="utf-8"
    )
    asked = lecture_of_term(ROOT, read_term(term.folder), "02")
    answers = {"own.1": "def one_part(x, parts=2):\n    return x / parts + 1"}
    (tmp_path / "in" / "bob").mkdir(parents=True)
    notebook = {**lecture("02"), "cells": asked.cells}
    (tmp_path / "in" / "bob" / "02.ipynb").write_bytes(worked(notebook, answers))
    grade_again = partial(session.grade_class, term.folder, "02", tmp_path / "in", tmp_path / "out")
    assert "marks changed" not in grade_again() + grade_again()
    file = term.folder / "exercises" / "own_1_one_part.py"
    file.write_text(file.read_text().replace("x / parts", "x / parts + 1"))
    said = grade_again()
    assert "not as when this was graded before, so judged anew: own.1\nmarks changed: 1\n" in said
    assert "bob: 0 -> 2 (own.1: 0 -> 2)" in said
    assert "marks changed" not in grade_again()
