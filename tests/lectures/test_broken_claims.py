"""A broken claim in a real kernel: one line for a person, who may go on; an error for CI."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

CELLS = (
    "from course_utils.checks import claim, holds, same",
    'claim("00.1", 4, low=1, high=3, says="two")\nprint("went on")',
    'same("one is two", 1, 2)\nprint("went on")',
    'holds("two is less than one", 2 < 1)\nprint("went on")',
)
RESULT = (
    "claim 00.1: this is your result: measured 4, the lecture promises between 1 and 3 (two). "
    "If you changed nothing, please report it."
)


@pytest.fixture(scope="module", params=[True, False], ids=["a person", "nobody"])
def told(request) -> tuple[bool, list[list[nbformat.NotebookNode]]]:
    """Run the cells as a page does, which could answer input(), or as nbval does."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS])
    client = NotebookClient(notebook, allow_errors=True, kernel_name="python3")
    with client.setup_kernel():
        client.kc.allow_stdin = request.param
        for place, cell in enumerate(notebook.cells):
            client.execute_cell(cell, place)
    return request.param, [cell.outputs for cell in notebook.cells]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (1, RESULT),
        (2, "this is your result: one is two: they differ by 1, the lecture promises at most 0"),
        (
            3,
            "this is your result: it does not hold here: two is less than one. If you",
        ),
    ],
)
def test_a_broken_promise(told, place, words):
    """Catches red frames before a student who tried something, and a CI that is told in amber."""
    person, outputs = told
    if person:
        note, after = outputs[place]
        assert note.output_type == "display_data"
        assert words in note.data["text/plain"]
        assert words in note.data["text/html"]
        assert after.text == "went on\n"
    else:
        (error,) = outputs[place]
        assert error.output_type == "error"
        assert error.ename in ("ClaimBroken", "FactBroken")
        (line,) = error.traceback
        assert words in line
        assert "\n" not in line
