"""A small lecture that keeps every notebook rule: tests break it, one rule at a time."""

from __future__ import annotations

import json
from pathlib import Path

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.pages.notebook import Notebook, read
from tools.rules.files import METADATA
from tools.rules.running import GUARD

TITLE = """# 00 A small lecture

It promises little.

1. one goal
2. another goal
3. a third goal"""
PROSE = "One unit listens to itself and to what comes from outside. " * 4
SETUP = f"""# What this lecture uses.
{GUARD}import torch
from course_utils.lectures.start_here import check, claim, explore_echo"""
STUB = 'def one_step(u, h_before, x):\n    """Return the next state."""\n    ...'

ASKED = "**Exercise 0.1.** Return the next state of one unit."

ANSWERS = "\n\n".join(f"**{number}** Because." for number in range(1, 6))
QUESTIONS = (
    "## Questions\n"
    + "\n1. Why?" * 5
    + f"\n\n<details><summary>Answers</summary>{ANSWERS}</details>"
)

CELLS = (
    ("title", "prose", TITLE, "slide", []),
    ("setup", "code", SETUP, "skip", ["setup"]),
    ("section", "prose", f"## A section\n\n{PROSE}\n\n{ASKED}", "slide", []),
    ("claim", "code", 'claim("00.1", 2, low=1, high=3, says="It is {}.")', "fragment", []),
    ("stub", "code", STUB, "fragment", ["exercise"]),
    ("check", "code", 'check("0.1", one_step)', "fragment", []),
    ("summary", "prose", f"## Summary\n\n- {PROSE}", "slide", []),
    ("questions", "prose", QUESTIONS, "slide", []),
    ("sources", "prose", "## Sources\n\n- [this very page](#Summary)", "skip", []),
)  # fmt: skip
SOLUTION = "def one_step(u, h_before, x):\n    return torch.tanh(u * h_before + x)\n"


def write_lesson(root: Path, name: str = "00_small.ipynb", **changes) -> Path:
    """Write the lecture and its solution under a folder.

    A change is `id="new source"` or a function that changes the cell of that id, or with the
    name `file` the whole notebook.
    """
    notebook = new_notebook(metadata=METADATA)
    for cell_id, kind, source, slide, tags in CELLS:
        make = new_code_cell if kind == "code" else new_markdown_cell
        metadata = {"slideshow": {"slide_type": slide}, **({"tags": list(tags)} if tags else {})}
        if "setup" in tags:
            metadata["jupyter"] = {"source_hidden": True}
        cell = make(source, id=cell_id, metadata=metadata)
        change = changes.get(cell_id)
        if isinstance(change, str):
            cell.source = change
        elif change is not None:
            change(cell)
        notebook.cells.append(cell)
    if "file" in changes:
        changes["file"](notebook)
    path = root / "notebooks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    (root / "solutions").mkdir(exist_ok=True)
    (root / "solutions" / "ex00_start.py").write_text(f"import torch\n\n\n{SOLUTION}")
    return path


def lesson(root: Path, **changes) -> Notebook:
    """Return the small lecture as the rules see it."""
    return read(write_lesson(root, **changes))
