"""nbval as the stage `notebooks` calls it: each cell twice; and as anybody's CI does: once."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tests.__main__ import NBVAL, ROOT, TWICE, TWO_DEALT

CELLS = [
    "x = 4",
    "x = 8 // x\nassert x == 2",
    'y = {"ran": 0}',
    'y["ran"] += 1',
    'assert y["ran"] == 2, y',
    'from course_utils.checks import claim\nclaim("00.1", 4, low=1, high=3, says="two")',
]
EXCUSED = {"raises-exception": "1 / 0", "nbval-skip": "2 / 0"}


def run_nbval(folder: Path, *options: str) -> tuple[dict[str, int], str]:
    """Run nbval on the small lectures of a folder; return its counts and its words."""
    tell = folder / "told.json"
    ours = [f"-ptests.{plugin}" for plugin in ("dealing", "kernels", "telling")]
    command = [*NBVAL, str(folder), f"--tell={tell}", "-pno:cacheprovider", *ours, *options]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return json.loads(tell.read_text(encoding="utf-8")), told.stdout


def write(path: Path, cells: list[nbformat.NotebookNode]) -> None:
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": spec}), path)


def test_every_cell_runs_twice(tmp_path):
    """Catches a second run that is not one, a broken claim passed over, and a tag that excuses."""
    cells = [new_code_cell(source) for source in CELLS]
    cells += [new_code_cell(source, metadata={"tags": [tag]}) for tag, source in EXCUSED.items()]
    write(tmp_path / "a.ipynb", cells)
    counts, told = run_nbval(tmp_path, *TWICE)
    assert (counts["passed"], counts["failed"], counts["skipped"]) == (4, 4, 0), told
    assert "Cell 1: the second time: Cell execution caused an exception" in told
    assert "Cell 5: Cell execution caused an exception" in told
    assert "ClaimBroken" in told
    assert "Cell 6: Cell execution" in told
    assert "Cell 7: Cell execution" in told


def test_nbval_by_itself_keeps_a_lecture_in_one_process(tmp_path):
    """Catches cells of one lecture dealt to two kernels, where whoever calls us says -n 2 only."""
    sources = ("ran = [0]", "ran += [1]", "ran += [2]", "assert ran == [0, 1, 2]")
    for name in "ab":
        write(tmp_path / f"{name}.ipynb", [new_code_cell(source) for source in sources])
    counts, told = run_nbval(tmp_path, *TWO_DEALT)
    assert (counts["passed"], counts["failed"], counts["files"]) == (8, 0, 2), told
