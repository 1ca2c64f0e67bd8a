"""Of a solved copy runs what a solution could change, and that is found when it fails."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from course_utils.pages.notebook import lectures, read
from tests.__main__ import DIFFERING, NBVAL, ROOT
from tests.lectures.differing import differing
from tests.tools.lesson import SOLUTION, write_lesson
from tools.rules.exercises import stub_of
from tools.solved import solved, write_solved

LECTURES = [pytest.param(path, id=path.stem) for path in lectures(ROOT / "notebooks")]


@pytest.mark.parametrize("path", LECTURES)
def test_every_solution_and_its_check_are_run(path):
    """Catches an exercise of a lecture whose solution nobody tries any more."""
    copy = read(path)
    solved(copy, ROOT / "solutions")
    run = differing(read(path), copy)
    code = read(path).code
    stubs = [place for place, cell in enumerate(code) if "exercise" in cell.tags and stub_of(cell)]
    assert stubs
    assert run >= {*stubs, *(place + 1 for place in stubs)}
    assert all(place in run for place, cell in enumerate(code) if "setup" in cell.tags)


def run_copy(root: Path, solution: str, claim: str) -> tuple[dict[str, int], str]:
    """Run a solved copy of the small lecture as `make test` does; return its counts and words."""
    write_lesson(root, claim=claim)
    lesson = root / "notebooks" / "00_small.ipynb"
    cells = json.loads(lesson.read_text())
    cells["cells"].append(cells["cells"].pop(3))  # the claim, below the exercise
    lesson.write_text(json.dumps(cells))
    (root / "solutions" / "ex00_start.py").write_text(f"import torch\n\n\n{solution}")
    write_solved(root / "notebooks", root / "solutions", root / "solved")
    tell = root / "told.json"
    ours = ("-p", "tests.telling", "-p", "no:cacheprovider", f"--tell={tell}")
    command = [*NBVAL, *ours, *DIFFERING, f"--shipped={root / 'notebooks'}", str(root / "solved")]
    alone = {**os.environ, "COURSE_PROGRESS": "off"}
    told = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True)
    return json.loads(tell.read_text()), told.stdout


@pytest.mark.parametrize(
    ("solution", "claim", "passed", "failed"),
    [
        (SOLUTION, "1 / 0", 3, 0),  # as in the lecture, where the other stage meets it
        (SOLUTION, "one_step()", 3, 1),  # reads what the solution made
        (SOLUTION.replace("+ x", "- x"), "2", 2, 1),
    ],
)
def test_what_a_solution_could_break_is_run(tmp_path, solution, claim, passed, failed):
    """Catches a wrong solution, one that breaks a cell below it, and a copy that is run whole."""
    counts, told = run_copy(tmp_path, solution, claim)
    assert (counts["passed"], counts["failed"]) == (passed, failed), told
