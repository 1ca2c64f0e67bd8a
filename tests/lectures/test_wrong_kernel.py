"""Every lecture in a kernel without the course: its first cell says what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbformat.v4 import new_notebook

from course_utils.pages.notebook import lectures

ROOT = Path(__file__).resolve().parents[2]
LECTURES = [pytest.param(path, id=path.stem) for path in lectures(ROOT / "notebooks")]

# any Python with Jupyter that lacks the course: another environment's, as far as a lecture can see
ELSEWHERE = """import sys, pathlib
sys.path = [p for p in sys.path if not pathlib.Path(p, "course_utils").is_dir()]
from ipykernel.kernelapp import launch_new_instance
launch_new_instance()"""


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
    assert error.evalue.startswith("wrong kernel: choose 'Recurrent networks course'")
