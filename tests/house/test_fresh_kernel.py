"""A name that a new kernel does not have: the error says which cell makes it."""

from __future__ import annotations

import os
import re
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.fresh_kernel import Advice, line_that_makes

CELLS = [
    new_markdown_cell("# A lecture", id="title"),
    new_code_cell("import course_utils\nfrom statistics import (\n    mean,\n)", id="setup"),
    new_markdown_cell("## 3 Training\n\nWords.", id="section"),
    new_code_cell("with open('/dev/null') as file:\n    net = [1, 2, 3]", id="makes"),
    new_code_cell("mean(net)", id="uses"),
    new_code_cell("late = 1", id="late"),
]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """Start a kernel of this environment beside a notebook, as JupyterLab does."""
    from jupyter_client.manager import start_new_kernel

    folder = tmp_path_factory.mktemp("notebooks")
    nbformat.write(new_notebook(cells=CELLS), folder / "mine.ipynb")
    said = {**os.environ, "JPY_SESSION_NAME": "notebooks/mine.ipynb"}
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(folder), env=said)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(client, code: str, cell: str) -> str:
    """Run code as one of the notebook's cells; return the error that it shows, if any."""
    content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
    message = client.session.msg("execute_request", content, metadata={"cellId": cell})
    client.shell_channel.send(message)
    shown = ""
    while True:
        answer = client.get_iopub_msg(timeout=60)
        if answer["parent_header"].get("msg_id") != message["header"]["msg_id"]:
            continue
        if answer["msg_type"] == "error":
            shown = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(answer["content"]["traceback"]))
        if answer["content"].get("execution_state") == "idle":
            return shown


def test_a_new_kernel_names_the_cell(kernel):
    """Catches advice that comes with the lecture's first cell only, which has not run yet.

    And one that cannot find the notebook once somebody has left its folder, says the same of a cell
    that has run, or stands in for the traceback.
    """
    said = run(kernel, "mean(net)", "uses")
    assert "NameError: name 'mean' is not defined" in said
    assert "`mean` is defined in the cell at the top that says `from statistics import (`" in said
    assert "Run > Run All Above Selected Cell" in said
    assert not run(kernel, CELLS[1].source + "\nimport os\nos.chdir('/')", "setup")
    said = run(kernel, "mean(net)", "uses")
    assert "in mean" not in said
    assert "the cell below “3 Training” that says `with open" in said
    assert not run(kernel, CELLS[3].source, "makes")
    assert not run(kernel, "mean(net)", "uses")
    said = run(kernel, "del net\nnet", "uses")
    assert said.rstrip().endswith("NameError: name 'net' is not defined")


def test_what_no_cell_above_makes_gets_no_advice(kernel):
    """Catches a slip of the pen that is sent to run cells, and a name that comes further down."""
    assert run(kernel, "nett", "uses").rstrip().endswith("name 'nett' is not defined")
    assert run(kernel, "late", "uses").rstrip().endswith("name 'late' is not defined")
    assert "local" in run(kernel, "def f():\n    x += 1\nf()", "uses")


def test_other_peoples_notebooks_are_left_alone():
    """Catches our words in every notebook of the environment."""
    cells = [cell for cell in CELLS if cell.id != "setup"]
    assert Advice().about("net", CELLS, "uses")
    assert not Advice().about("net", cells, "uses")


def test_vs_code_says_itself_which_notebook_it_is(tmp_path, monkeypatch):
    """Catches advice for JupyterLab only."""
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    file = tmp_path / "x.ipynb"
    nbformat.write(new_notebook(cells=CELLS), file)
    shown = []
    shell = SimpleNamespace(
        user_ns={"__vsc_ipynb_file__": str(file)},
        kernel=SimpleNamespace(get_parent=lambda: {"metadata": {"cellId": "uses"}}),
        showtraceback=lambda told, **_: shown.append(told[1].__notes__),
    )
    error = NameError("name 'net' is not defined", name="net")
    Advice().on_error(shell, NameError, error, None)
    assert "Execute Above Cells" in shown[0][0]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a = x = 1", "a = x = 1"),
        ("def x(): ...", "def x(): ..."),
        ("class x: ...", "class x: ..."),
        ("import x.y", "import x.y"),
        ("from y import z as x", "from y import z as x"),
        ("b = 1\nfor x in range(3):\n    pass", "for x in range(3):"),
        ("if (x := 3) > 2:\n    pass", "if (x := 3) > 2:"),
        ("x += 1", "x += 1"),
        ("print(x)", ""),
        ("[x for x in range(3)]", ""),
        ("def f():\n    x = 1", ""),
        ("y.x = 1; y['x'] = 2", ""),
        ("%matplotlib inline\nx = 1", ""),
    ],
)
def test_what_makes_a_name(source, line):
    """Catches names made inside functions, uses taken for makers, imports not seen."""
    assert line_that_makes("x", source) == line
