"""`make test` fails when anything that it guards is broken; its parts, each broken on purpose."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from course_utils.authoring.__main__ import main as check_rules
from course_utils.authoring.solved import write_solved
from tests.__main__ import (
    EVERY_CELL_TWICE,
    NOTEBOOKS,
    ROOT,
    STAGES,
    TWO_DEALT,
    environment,
    main,
)
from tests.authoring.lesson import SOLUTION, write_lesson


def run_notebooks(folder: Path) -> subprocess.CompletedProcess:
    """Execute the solved notebooks of a folder as `make test` does, one at a time."""
    alone = [word for word in NOTEBOOKS if word not in TWO_DEALT]
    return subprocess.run(
        [*alone, "-p", "no:cacheprovider", str(folder)],
        cwd=ROOT,
        env={**environment("solved"), "PYTHONPATH": str(ROOT)},
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
    write_lesson(tmp_path, setup="from course_utils.checks import check, claim")
    write_solved(tmp_path / "notebooks", tmp_path / "solutions", tmp_path / "solved")
    told = run_notebooks(tmp_path / "solved")
    assert told.returncode == 1
    assert "name &#x27;torch&#x27; is not defined" in told.stdout


def test_a_stored_output_fails(tmp_path):
    """Catches outputs that were saved with a lecture."""

    def ran(cell):
        cell.execution_count = 1

    write_lesson(tmp_path, claim=ran)
    assert check_rules(tmp_path / "notebooks") == 1


def test_solved_copies_are_whole(tmp_path):
    """Catches copies of lectures that are gone, and a missing folder taken for no exercises."""
    write_lesson(tmp_path)
    out = tmp_path / "solved"
    out.mkdir()
    (out / "99_gone.ipynb").write_text("{}")
    copies = write_solved(tmp_path / "notebooks", tmp_path / "solutions", out)
    assert [copy.name for copy in copies] == ["00_small.ipynb"]
    assert list(out.glob("*")) == copies
    assert "torch.tanh(u * h_before + x)" in copies[0].read_text()
    with pytest.raises(ValueError, match="came without solutions"):
        write_solved(tmp_path / "notebooks", tmp_path / "nowhere", out)


@pytest.mark.parametrize("failing", range(sum(map(len, STAGES.values()))))
def test_the_first_failing_command_ends_the_run(failing, capsys):
    """Catches a stage whose failure is not the run's failure."""
    ran = []

    def run(command, cwd, env):
        ran.append(command)
        return 3 if len(ran) == failing + 1 else 0

    assert main([], run) == 3
    assert len(ran) == failing + 1
    assert "FAILED" in capsys.readouterr().out


def test_every_stage_runs_in_order_and_tells_its_time(capsys):
    """Catches a stage that is forgotten: a lecture that nobody executes any more."""
    ran = []
    assert main([], lambda command, cwd, env: ran.append(" ".join(command)) or 0) == 0
    for wanted in (
        *("ruff format --check", "ruff check", "-m mypy", "course_utils.authoring"),
        *(
            "--ignore=tests/browser",
            EVERY_CELL_TWICE,
            "loadscope build/solved",
            "pytest -q tests/browser",
        ),
    ):
        assert any(wanted in command for command in ran), wanted
    told = capsys.readouterr().out
    assert all(f"── {name} passed in" in told for name in STAGES)


def test_stages_are_picked_by_name(capsys):
    """Catches a mistyped stage that passes because nothing ran."""
    ran = []
    assert main(["style"], lambda *args, **more: ran.append(args) or 0) == 0
    assert len(ran) == len(STAGES["style"])
    assert main(["stile"], lambda *args, **more: 0) == 2
    assert "there are style, types, rules" in capsys.readouterr().out
