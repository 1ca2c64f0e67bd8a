"""`make test` fails when anything that it guards is broken; its parts, each broken on purpose."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.__main__ import NBVAL, PYTEST, ROOT, SOLVED, STAGES, TWO_DEALT, main
from tests.tools.lesson import SOLUTION, write_lesson
from tools.check import check
from tools.solved import write_solved

COUNTED = """import pytest
@pytest.mark.parametrize("n", [2, 3])
def test_noted(n, record_property):
    record_property("claims", n)
    record_property("words", "not summed")
@pytest.fixture
def breaks_after():
    yield
    assert 0
def test_breaks_after(breaks_after):
    pass
def test_breaks(record_property):
    record_property("claims", 100)
    assert 0
def test_skipped():
    pytest.skip("here")
"""


def run_notebooks(folder: Path) -> subprocess.CompletedProcess:
    """Execute the solved notebooks of a folder as `make test` does, one at a time."""
    return subprocess.run(
        [*NBVAL, "--nbval-current-env", "-p", "no:cacheprovider", str(folder)],
        cwd=ROOT,
        env={**os.environ, "COURSE_PROGRESS": "off", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def test_a_lecture_that_holds_passes(tmp_path):
    """Catches a run that fails whatever it is given."""
    write_lesson(tmp_path)
    write_solved(tmp_path / "notebooks", tmp_path / "solutions", tmp_path / "solved")
    told = run_notebooks(tmp_path / "solved")
    assert told.returncode == 0, told.stdout
    assert "4 passed" in told.stdout


def test_a_broken_claim_fails(tmp_path):
    """Catches a claim that is printed in red and passed over."""
    write_lesson(tmp_path, claim='claim("00.1", 4, low=1, high=3, says="two")')
    write_solved(tmp_path / "notebooks", tmp_path / "solutions", tmp_path / "solved")
    told = run_notebooks(tmp_path / "solved")
    assert told.returncode == 1
    assert "1 failed, 3 passed" in told.stdout
    assert "ClaimBroken" in told.stdout


def test_a_broken_solution_fails(tmp_path):
    """Catches a check that says "wrong" to a solution while the run goes on: checks never raise."""
    write_lesson(tmp_path)
    solution = tmp_path / "solutions" / "ex00_start.py"
    solution.write_text(f"import torch\n\n\n{SOLUTION.replace('+ x', '- x')}")
    write_solved(tmp_path / "notebooks", tmp_path / "solutions", tmp_path / "solved")
    told = run_notebooks(tmp_path / "solved")
    assert told.returncode == 1
    assert "1 failed, 3 passed" in told.stdout
    assert "Cell outputs differ" in told.stdout


def test_a_solution_that_needs_what_the_lecture_lacks_fails(tmp_path):
    """Catches a solution that leans on an import of its own module."""
    write_lesson(tmp_path, setup="from course_utils.lectures.start_here import check, claim")
    write_solved(tmp_path / "notebooks", tmp_path / "solutions", tmp_path / "solved")
    told = run_notebooks(tmp_path / "solved")
    assert told.returncode == 1
    assert "name &#x27;torch&#x27; is not defined" in told.stdout


def test_a_stored_output_fails(tmp_path):
    """Catches outputs that were saved with a lecture."""

    def ran(cell):
        cell.execution_count = 1

    write_lesson(tmp_path, claim=ran)
    assert check(ROOT, tmp_path / "notebooks") == 1


def test_solved_copies_are_whole(tmp_path):
    """Catches copies of lectures that are gone, and a missing folder taken for no exercises."""
    write_lesson(tmp_path)
    out = tmp_path / "solved"
    lesson = tmp_path / "notebooks" / "00_small.ipynb"
    gone = shutil.copy(lesson, lesson.with_name("99_gone.ipynb"))
    assert len(write_solved(tmp_path / "notebooks", tmp_path / "solutions", out)) == 2
    gone.unlink()
    copies = write_solved(tmp_path / "notebooks", tmp_path / "solutions", out)
    assert [copy.name for copy in copies] == ["00_small.ipynb"]
    assert list(out.glob("*.ipynb")) == copies
    assert "torch.tanh(u * h_before + x)" in copies[0].read_text()
    with pytest.raises(ValueError, match="came without solutions"):
        write_solved(tmp_path / "notebooks", tmp_path / "nowhere", out)


def test_solved_copies_replace_no_lecture(tmp_path):
    """Catches `solved --out notebooks`, which left a reader without the lectures."""
    write_lesson(tmp_path)
    notebooks = tmp_path / "notebooks"
    (notebooks / "mine.ipynb").write_text("mine")
    before = {path: path.read_bytes() for path in notebooks.iterdir()}
    with pytest.raises(FileExistsError, match="choose another folder"):
        write_solved(notebooks, tmp_path / "solutions", notebooks)
    assert {path: path.read_bytes() for path in notebooks.iterdir()} == before


@pytest.mark.parametrize("failing", range(sum(map(len, STAGES.values()))))
def test_the_first_failing_command_ends_the_run(failing, capsys):
    """Catches a stage whose failure is not the run's failure."""
    ran = []

    def run(command, cwd):
        ran.append(command)
        return 3 if len(ran) == failing + 1 else 0

    assert main([], run) == 3
    assert len(ran) == failing + 1
    assert "FAILED" in capsys.readouterr().out


def test_every_stage_runs_in_order_and_tells_its_time(capsys):
    """Catches a stage that is forgotten: a lecture that nobody executes any more."""
    ran = []
    assert main([], lambda command, cwd: ran.append(" ".join(command)) or 0) == 0
    for wanted in (
        *("ruff format --check", "ruff check", "-m mypy", "-m tools rules"),
        "pytest -q tests/house/test_layers.py",
        *("--ignore=tests/browser", "--nbval-lax notebooks -p tests.lectures.twice", SOLVED),
        "pytest -q tests/browser",
    ):
        assert any(wanted in command for command in ran), wanted
    told = capsys.readouterr().out
    assert all(f"── {name} passed in" in told for name in STAGES)


def tells(**counts: int) -> Callable[..., int]:
    """Return a run in which each pytest counts the same."""

    def run(command, cwd):
        for word in command:
            if word.startswith("--tell="):
                Path(word.removeprefix("--tell=")).write_text(json.dumps(counts))
        return int("pytest" in command and counts.get("failed", 0) > 0)

    return run


def test_the_last_lines_say_what_was_checked(capsys):
    """Catches a green log that does not say how much stands behind it, or counts a stage twice."""
    assert main([], tells(passed=1200, failed=0, skipped=1, files=11, claims=7, worlds=9)) == 0
    *_, all_passed, last = capsys.readouterr().out.splitlines()
    assert all_passed.endswith(
        " s: 1,200 rules of the house, 1,200 units, 7 claims in 9 false worlds, "
        "11 lectures and 1,200 cells twice, 0 exercises solved, 1,200 browser tests, 5 skipped"
    )
    assert last == "6000 passed, 0 failed"


def test_a_red_log_ends_in_numbers_too(capsys):
    """Catches a last line that says 0 failed when the run's code says otherwise."""
    assert main(["style", "units", "browser"], tells(passed=4, failed=2, skipped=0)) == 1
    told = capsys.readouterr().out
    assert "── units FAILED: " in told
    assert told.splitlines()[-1] == "4 passed, 2 failed"
    assert main(["style"], lambda command, cwd: 7) == 7
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 1 failed"


def test_what_a_run_of_pytest_counts(tmp_path):
    """Catches numbers that no test has made: what two processes found, and a file unread."""
    (tmp_path / "test_counted.py").write_text(COUNTED)
    (tmp_path / "test_unread.py").write_text("import atlantis\n")
    tell = tmp_path / "told.json"
    ours = ("-p", "tests.dealing", "-p", "tests.telling", "-p", "no:cacheprovider")
    command = [*PYTEST, *ours, *TWO_DEALT, "--continue-on-collection-errors", f"--tell={tell}"]
    told = subprocess.run([*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    counts = json.loads(tell.read_text())
    wanted = {"passed": 3, "failed": 3, "skipped": 1, "files": 1, "claims": 5}
    assert counts == wanted, told.stdout


def test_stages_are_picked_by_name(capsys):
    """Catches a mistyped stage that passes because nothing ran."""
    ran = []
    assert main(["style"], lambda *args, **more: ran.append(args) or 0) == 0
    assert len(ran) == len(STAGES["style"])
    assert main(["stile"], lambda *args, **more: 0) == 2
    assert "there are style, types, rules" in capsys.readouterr().out


def test_a_run_that_weighs_asks_each_stage_to():
    """Catches a flag that is taken for a stage, or that ruff is given."""
    ran = []
    assert main(["--weigh"], lambda command, cwd: ran.append(command) or 0) == 0
    assert all(("--weigh" in command) == ("pytest" in command) for command in ran)
