"""Rules for what lies in the file: nothing stored, nothing of one machine, every cell a slide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from course_utils.pages.notebook import Notebook
from tools.rules.breach import Breach

SLIDE_TYPES = ("slide", "subslide", "fragment", "-", "skip", "notes")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = {"slideshow", "tags", "jupyter", "editable"}
TAGS = {"setup", "exercise", "by-hand", "optional"}
EXCUSES = re.compile(r"#\s*(NBVAL_\w+|PYTEST_VALIDATE_\w+)", re.IGNORECASE)


def nothing_is_stored(notebook: Notebook) -> Iterator[Breach]:
    """Outputs and execution counts belong to a session, not to the source."""
    for cell in notebook.code:
        if cell.node.get("outputs"):
            yield Breach(cell.number, "an output is stored", "clear all outputs and save")
        if cell.node.get("execution_count") is not None:
            yield Breach(cell.number, "an execution count is stored", "clear all outputs and save")


def cells_have_ids(notebook: Notebook) -> Iterator[Breach]:
    """Ids keep the diff of two versions readable."""
    if (notebook.node.nbformat, notebook.node.nbformat_minor) != (4, 5):
        yield Breach(0, "is not in format 4.5", "save it with a current JupyterLab")
    ids = Counter(cell.node.get("id") for cell in notebook.cells)
    for cell in notebook.cells:
        if not cell.node.get("id"):
            yield Breach(cell.number, "has no id", "give it one that says what it is")
        elif ids[cell.node.id] > 1:
            yield Breach(cell.number, f"shares the id {cell.node.id!r}", "give it one of its own")


def metadata_is_plain(notebook: Notebook) -> Iterator[Breach]:
    """The file says python3 and nothing about the machine that it was written on."""
    if notebook.node.metadata != METADATA:
        yield Breach(0, "has metadata of one machine", f"leave only {METADATA}")
    for cell in notebook.cells:
        if strangers := sorted(set(cell.node.metadata) - CELL_METADATA):
            what = f"has metadata {', '.join(strangers)}"
            yield Breach(cell.number, what, f"leave only {', '.join(sorted(CELL_METADATA))}")


def no_cell_is_excused(notebook: Notebook) -> Iterator[Breach]:
    """A tag or a comment that lets a cell fail or be left out would let a claim break unseen."""
    for cell in notebook.cells:
        if strangers := sorted(set(cell.tags) - TAGS):
            what = f"is tagged {', '.join(strangers)}"
            yield Breach(cell.number, what, f"choose from {', '.join(sorted(TAGS))}")
        if cell.is_code and (match := EXCUSES.search(cell.source)):
            yield Breach(cell.number, f"says {match[0]!r}", "let the cell run and be judged")


def every_cell_has_a_slide_type(notebook: Notebook) -> Iterator[Breach]:
    """The deck takes silence as "-", with the cell before; a lecture says what it means."""
    for cell in notebook.cells:
        if cell.slide not in SLIDE_TYPES:
            what = f"has the slide type {cell.slide!r}"
            yield Breach(cell.number, what, f"choose one of {', '.join(SLIDE_TYPES)}")


def only_prose_and_code(notebook: Notebook) -> Iterator[Breach]:
    """A raw cell shows nothing to anybody."""
    for cell in notebook.cells:
        if not (cell.is_code or cell.is_prose):
            yield Breach(cell.number, f"is a {cell.node.cell_type} cell", "make it prose or code")
        elif not cell.source.strip():
            yield Breach(cell.number, "is empty", "delete it")


RULES = (
    nothing_is_stored,
    cells_have_ids,
    metadata_is_plain,
    no_cell_is_excused,
    every_cell_has_a_slide_type,
    only_prose_and_code,
)
