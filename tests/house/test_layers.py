"""The package keeps its layers, has no import cycle, and its door is light."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools.layers import (
    PACKAGE,
    breaches,
    cycles,
    import_graph,
    longest_chain,
    unused,
)


def test_the_package_keeps_its_layers():
    """Catches a picture that knows torch, a model that knows a widget, and every other shortcut."""
    found = list(breaches(PACKAGE))
    assert not found, "\n".join(found)


def test_every_allowance_is_used():
    """Catches a permission that nobody needs any more: a shortcut that would pass unseen."""
    found = list(unused(PACKAGE))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("plots/gates.py", "import torch"),
        ("models/gru.py", "from course_utils.analysis import gradients"),
        ("models/gru.py", "def f():\n    import matplotlib.pyplot"),
        ("analysis/gates.py", "from course_utils import explorers"),
        ("analysis/gates.py", "from course_utils.models import *"),
        ("checks/ex03_lstm.py", "from solutions.ex03_lstm import lstm_step"),
        ("checks/ex03_lstm.py", "import solutions.ex03_lstm"),
        ("checks/ex03_lstm.py", "import course_utils.plots.style"),
        ("training/loop.py", "import ipywidgets"),
        ("training/loop.py", "from ..plots import style"),
        ("data/words.py", "from course_utils.training.loop import train"),
        ("helpers/words.py", ""),
    ],
)
def test_a_forbidden_import_is_found(tmp_path, file, line):
    """Catches a rule that never fires."""
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(line)
    assert len(list(breaches(tmp_path))) == 1


def test_no_module_imports_itself_on_a_way_round():
    """Catches a cycle, also one hidden in a function or behind TYPE_CHECKING."""
    found = cycles(import_graph(PACKAGE))
    assert not found, "\n".join(" -> ".join(way) for way in found)


def test_a_cycle_is_found(tmp_path):
    """Catches a search that sees only eager imports, or only modules imported by their own name."""
    files = {
        "__init__": "",
        "a": "from made_up import b",
        "b": "def f():\n    from made_up.c import g",
        "c": "import made_up.a",
        "d": "import made_up.a",
    }
    root = tmp_path / "made_up"
    root.mkdir()
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    graph = import_graph(root)
    assert cycles(graph) == [["made_up.a", "made_up.b", "made_up.c", "made_up.a"]]
    graph["made_up.c"].clear()
    assert cycles(graph) == []
    assert longest_chain(graph) == ["made_up.d", "made_up.a", "made_up.b", "made_up.c"]


def test_the_door_is_light():
    """Catches an import that creeps into course_utils/__init__.py: it would slow every start."""
    heavy = ("torch", "numpy", "matplotlib", "IPython", "ipywidgets", "typer")
    code = f"import sys, course_utils; print([m for m in {heavy} if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    assert told.stdout.strip() == "[]"
    assert not told.stderr
