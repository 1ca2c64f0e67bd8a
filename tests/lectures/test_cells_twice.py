"""Every lecture in a real kernel, each cell twice in a row; and in a kernel without the course.

A stage of `make test`, its first half being the lecture as it is shipped, run from top to bottom.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.authoring.notebook import lectures

ROOT = Path(__file__).resolve().parents[2]
LECTURES = [pytest.param(path, id=path.stem) for path in lectures(ROOT / "notebooks")]

# any Python with Jupyter that lacks the course: another environment's, as far as a lecture can see
ELSEWHERE = """import sys, pathlib
sys.path = [p for p in sys.path if not pathlib.Path(p, "course_utils").is_dir()]
from ipykernel.kernelapp import launch_new_instance
launch_new_instance()"""


def run_twice(notebook) -> list[str]:
    """Run each code cell twice in a row; return the errors, one line each."""
    client, wrong = NotebookClient(notebook, allow_errors=True, kernel_name="python3"), []
    client.resources = {"metadata": {"path": str(ROOT / "notebooks")}}
    with client.setup_kernel():
        for place, cell in enumerate(notebook.cells):
            for time in ("first", "second") if cell.cell_type == "code" else ():
                client.execute_cell(cell, place)
                wrong += [
                    f"{cell.id}, the {time} time: {output.ename}: {output.evalue}"
                    for output in cell.outputs
                    if output.output_type == "error"
                ]
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("path", LECTURES)
def test_every_cell_runs_twice(path):
    """Catches a cell that spoils what it reads: Ctrl+Enter twice, and a claim breaks."""
    assert run_twice(nbformat.read(path, 4)) == []


def test_a_cell_that_spoils_what_it_reads_is_found():
    """Catches a second run that is not one."""
    cells = [new_code_cell("x = 4", id="a"), new_code_cell("x = 8 // x\nassert x == 2", id="b")]
    (told,) = run_twice(new_notebook(cells=cells))
    assert told.startswith("b, the second time: AssertionError")


def test_a_broken_claim_is_an_error():
    """Catches a claim that is printed in red and passed over."""
    claim = 'from course_utils.checks import claim\nclaim("00.1", 4, low=1, high=3, says="two")'
    told = run_twice(new_notebook(cells=[new_code_cell(claim, id="a")]))
    assert [line.split(":")[:2] for line in told] == [
        [f"a, the {time} time", " ClaimBroken"] for time in ("first", "second")
    ]


@pytest.fixture(scope="module")
def elsewhere():
    """Start a kernel in a Python without the course."""
    manager = KernelManager()
    command = [sys.executable, "-c", ELSEWHERE, "-f", "{connection_file}"]
    manager._kernel_spec = KernelSpec(argv=command, display_name="elsewhere", language="python")
    client = NotebookClient(new_notebook(), km=manager, allow_errors=True)
    client.resources = {"metadata": {"path": str(ROOT / "notebooks")}}
    with client.setup_kernel(cleanup_kc=True):
        yield client


@pytest.mark.parametrize("path", LECTURES)
def test_a_wrong_kernel_says_so_in_words(elsewhere, path):
    """Catches "No module named course_utils", which tells a beginner nothing."""
    cell = next(c for c in nbformat.read(path, 4).cells if c.cell_type == "code")
    elsewhere.nb.cells = [cell]
    elsewhere.execute_cell(cell, 0)
    (error,) = cell.outputs
    assert error.evalue.startswith("wrong kernel: choose the one of the course's .venv")
