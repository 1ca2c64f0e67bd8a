"""docs/teaching.md is true: a term from its first day to its last, each command as it stands."""

from __future__ import annotations

import csv
import re
import shlex
import shutil
from pathlib import Path

import pytest

from course_utils.classroom import handout
from course_utils.classroom.locks.held import held, missing
from tests.classroom.conftest import cells_of, write_into
from tests.command_line import course
from tools.__main__ import ROOT

GUIDE = ROOT / "docs" / "teaching.md"
STEP = re.compile(r"<!-- (.+?) -->\n```\w*\n(.*?)```", re.DOTALL)
LECTURE = "notebooks/02_vanishing_gradients.ipynb"


def written_in_the_guide(name: str) -> str:
    """Return a file that the guide has somebody write."""
    steps = STEP.findall(GUIDE.read_text(encoding="utf-8"))
    (text,) = [block for what, block in steps if what.endswith(f" writes {name}")]
    return text


class Walk:
    """A course, an instructor's folder and a student's, and who stands where."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch):
        self.home, self.patch = home, monkeypatch
        self.place = home

    @property
    def anna(self) -> Path:
        """Return the student's folder; she unpacks what was handed out when she first looks."""
        folder = self.home / "anna"
        if not folder.exists():
            shutil.copytree(self.home / "rnn-2027" / "handout", folder)
        return folder

    def follow(self, what: str, block: str) -> None:
        """Do one step of the guide."""
        who, _, task = what.partition(" ")
        if not task:
            for line in block.strip().splitlines():
                self.run(who, line)
        elif task.startswith("edits "):
            file = self.place / task.removeprefix("edits ")
            for line in block.strip().splitlines():
                old, new = (part.strip() for part in line.split("->"))
                text = file.read_text(encoding="utf-8")
                assert text.count(old) == 1, old
                file.write_text(text.replace(old, new), encoding="utf-8")
        elif task.startswith("replaces "):
            old, _, name = task.removeprefix("replaces ").partition(" in ")
            text = cells_of(self.anna / LECTURE)[name]
            assert old.strip('"') in text
            write_into(self.anna / LECTURE, {name: text.replace(old.strip('"'), block.strip())})
        elif who == "anna":
            write_into(self.anna / LECTURE, {task.removeprefix("writes "): block})
        else:
            name = task.split()[-1]
            (self.place / name).write_text(block, encoding="utf-8")

    def run(self, who: str, line: str) -> None:
        """Run one line as it is typed."""
        words = shlex.split(line)
        if words[0] == "cd":
            self.place = self.place / words[1]
            return
        assert words[0] == "course", line
        self.patch.chdir(self.place if who == "instructor" else self.anna)
        assert course(*words[1:]) == 0, line


@pytest.fixture
def walk(tmp_path, monkeypatch):
    """Return a course whose lectures may change, without the package, which is large."""
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    monkeypatch.setattr(handout, "PACKAGE", tmp_path / "no package")
    return Walk(tmp_path, monkeypatch)


@pytest.mark.slow
def test_a_term_from_the_first_day_to_the_last(walk, capsys):
    """Catches a command of the guide that is renamed, refused, or does not do what it says."""
    if missing(held()):
        pytest.skip("the guide asks for every lock")
    text = GUIDE.read_text(encoding="utf-8")
    steps = STEP.findall(text)
    assert len(steps) == text.count("```") // 2  # no block is for reading only
    for what, block in steps:
        if "--out corrected" in block:
            stub = "def product_of_jacobians(jacobians):\n    'In better words.'\n    ..."
            corrected = {"ex-2-2-stub": stub, "s1": "## 1 A better heading\n"}
            write_into(walk.home / LECTURE, corrected)
        if "--require-sandbox" in block:
            collected = walk.home / "rnn-2027" / "collected" / "anna"
            collected.mkdir(parents=True)
            shutil.copy(walk.anna / "handin" / "02.json", collected)
            (walk.place / "roster.csv").write_text("id,name\nanna,Anna\nbob,Bob\n")
        if "--regrade own.1" in block:
            assert (walk.place / "exercises" / "own_1_half_life.py").is_file()  # where to mend it
        walk.follow(what, block)
    said = capsys.readouterr().out
    assert "own.1  handed in" in said
    assert "new text below yours: ex-2-2-stub" in said
    assert "marks changed: 0" in said
    assert "nothing came from: bob" in said
    assert "Begin with grades/02/class.html. Answers in words wait in manual/." in said
    lecture = cells_of(walk.anna / LECTURE)
    assert "jacobian @ product" in lecture["ex-2-2-stub"]
    assert lecture["s1"] == "## 1 A better heading\n"
    with (walk.place / "grades" / "02" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert [rows["anna"][number] for number in ("2.2", "own.1", "own.2")] == ["1.0"] * 3
    assert float(rows["anna"]["total"]) == 3.5
    assert rows["bob"]["problem"] == "nothing was handed in"
