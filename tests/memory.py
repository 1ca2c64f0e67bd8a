"""Run `python -m tests.memory [LECTURE ...]`: how much memory each lecture needs, all cells run.

It writes course_utils/memory.json, which the doctor reads, and fails when a lecture needs a fifth
more or less than what stood there. One lecture at a time, each in a kernel of its own; the number
is the most that this kernel held at any moment, in MB.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from course_utils.doctor import MEMORY, lectures_need
from course_utils.pages.notebook import lectures

ROOT = Path(__file__).resolve().parents[1]
ASK = "from tests.benchmarks.measure import high_water\nprint(high_water())"


def main(wanted: list[str]) -> int:
    """Measure the wanted lectures, all by default; return 1 when the table was not true."""
    os.environ |= {"COURSE_PROGRESS": "off", "PYTHONPATH": str(ROOT)}
    needs, changed = lectures_need(), 0
    for path in lectures(ROOT / "notebooks"):
        number = path.stem[:2]
        if not wanted or number in wanted:
            before, needs[number] = needs.get(number, 0), peak(path)
            changed += abs(needs[number] - before) > before / 5
            print(f"{number} {needs[number]:5} MB, {before} before", flush=True)
            table = json.dumps(needs, indent=1, sort_keys=True) + "\n"
            MEMORY.write_text(table, encoding="utf-8")
    return 1 if changed else 0


def peak(path: Path) -> int:
    """Return the most MB that a kernel held while it executed a notebook, in tens."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(ASK))
    NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": path.parent}}).execute()
    return round(int(notebook.cells[-1].outputs[0].text) / 1e7) * 10


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
