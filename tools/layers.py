"""The layers of the package: who may import whom. The one table that the tests and docs follow."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "course_utils"

ARRAYS = {"torch", "numpy"}
# layer -> other layers it may import, outside packages it may import
LAYERS: dict[str, tuple[set[str], set[str]]] = {
    "settings": (set(), ARRAYS),
    "numbers": (set(), set()),  # as people write them
    "files": (set(), {"filelock"}),
    "own_files": ({"files"}, set()),
    "results": (set(), {"numpy"}),  # what races found: looked up, never run
    # h5py: official ELMo files; safetensors: trained models
    "models": ({"settings", "files"}, {"torch", "h5py", "safetensors"}),
    "data": ({"settings", "files", "own_files"}, ARRAYS | {"tqdm", "conllu", "platformdirs"}),
    "shipped": ({"models", "data"}, {"torch"}),
    "training": (
        {"settings", "files", "results", "models", "data", "shipped", "analysis"},
        ARRAYS | {"tqdm", "safetensors"},
    ),
    # a whole corpus: its file, its progress, its one writer
    "embedding": ({"files", "models", "data"}, ARRAYS | {"h5py", "safetensors", "tqdm"}),
    "analysis": ({"settings", "files", "results", "models", "data"}, ARRAYS),
    "plots": ({"numbers"}, {"numpy", "matplotlib"}),
    "explorers": (
        {"settings", "numbers", "results", "models", "data", "shipped", "analysis", "plots"},
        ARRAYS | {"matplotlib", "ipywidgets", "IPython", "anywidget", "traitlets"},
    ),
    "lectures": (  # what each setup cell brings in: below nothing
        {"settings", "numbers", "results", "models", "data", "shipped", "training", "analysis"}
        | {"plots", "explorers", "checks", "crosswalk", "doctor"},
        {"torch"},
    ),
    "checks": (
        {"numbers", "files", "room"},
        ARRAYS | {"IPython", "ipywidgets", "platformdirs"},
    ),
    "pages": (
        {"own_files"},
        {"nbformat", "nbconvert", "jinja2", "latex2mathml"},
    ),
    # pages that live without a kernel
    "site": (
        {"files", "own_files", "pages", "plots", "crosswalk"},
        {"nbformat", "nbclient", "platformdirs"},
    ),
    "classroom": (
        {"files", "numbers", "own_files", "checks", "lab"},
        ARRAYS | {"psutil"},
    ),  # a class, graded
    "crosswalk": (set(), {"IPython"}),
    "doctor": ({"settings"}, {"torch", "psutil"}),
    "lab": ({"files", "presenting"}, {"jupyterlab"}),
    # phones reach it: a process of its own, which knows no Jupyter
    "room": ({"numbers", "files"}, {"platformdirs", "psutil", "tornado"}),
    "presenting": (set(), {"jupyter_server", "tornado"}),  # named in lab_settings
    "room_door": ({"room"}, {"jupyter_server", "tornado"}),  # named in lab_settings
    "prompt_connection": (set(), {"jupyter_server"}),  # named in lab_settings
    "kernel_names": (set(), {"jupyter_client"}),  # named in lab_settings
    "fresh_kernel": (set(), set()),  # named in kernel_settings
    "cli": (
        {"files", "numbers", "models", "data", "training", "embedding"}
        | {"checks", "pages", "classroom", "doctor", "lab", "room", "site"},
        {"typer", "torch"},
    ),
    "__init__": (set(), set()),
}


def breaches(root: Path) -> Iterator[str]:
    """Yield every import under a package's folder that its layer does not allow.

    What `python -m` starts is a command, wherever it lies.
    """
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        layer = _layer_of(place)
        if layer not in LAYERS:
            yield f"{place}: no layer is called {layer!r}: give it a row in LAYERS"
            continue
        for module, line in imports(path):
            if problem := _problem(layer, module):
                yield f"{place}:{line}: {problem}"


def _layer_of(place: Path) -> str:
    return "cli" if place.name == "__main__.py" else place.parts[0].removesuffix(".py")


@cache  # the house is read by several tests in a row
def parsed(source: str) -> ast.Module:
    """Return a module as a tree; change nothing in it."""
    return ast.parse(source)


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every module that a file imports, wherever it does so; a star stays a star."""
    for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                bare = module == "course_utils" or alias.name == "*"
                yield f"{module}.{alias.name}" if bare else module, node.lineno


def unused(root: Path) -> Iterator[str]:
    """Yield every allowance of the table that no module needs: the next shortcut's open door."""
    taken: dict[str, set[str]] = {layer: set() for layer in LAYERS}
    for path in root.rglob("*.py"):
        layer = _layer_of(path.relative_to(root))
        for module, _ in imports(path):
            top, _, rest = module.partition(".")
            taken[layer].add(rest.partition(".")[0] if top == root.name else top)
    for layer, allowed in LAYERS.items():
        for name in sorted(set().union(*allowed) - taken[layer]):
            yield f"{layer} may import {name}, but never does"


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


def modules(root: Path) -> dict[str, Path]:
    """Return every module of a package by its dotted name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = (root.name, *path.relative_to(root).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def import_graph(root: Path) -> dict[str, set[str]]:
    """Return which modules of a package each of them imports, wherever in it."""
    there = modules(root)
    graph: dict[str, set[str]] = {name: set() for name in there}
    for name, path in there.items():
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names} & there.keys()
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:  # a module of a folder, or a name in a module
                    inner = f"{node.module}.{alias.name}"
                    graph[name] |= {inner if inner in there else node.module} & there.keys()
    return graph


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return a cycle for every group of modules that import one another."""
    found, done = [], set()
    for start in sorted(graph):
        if start not in done and (way := _way_back(graph, start)):
            found.append(way)
            done |= set(way)
    return found


def _way_back(graph: dict[str, set[str]], start: str) -> list[str]:
    """Return the shortest path from a module through its imports back to it, empty if none."""
    ways = [[start]]
    seen = set()
    while ways:
        way = ways.pop(0)
        for other in sorted(graph[way[-1]]):
            if other == start:
                return [*way, start]
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return []


def longest_chain(graph: dict[str, set[str]]) -> list[str]:
    """Return the longest chain of imports; the graph must have no cycle."""
    longest: dict[str, list[str]] = {}

    def chain(name: str) -> list[str]:
        if name not in longest:
            longest[name] = [name, *max(map(chain, graph[name]), key=len, default=[])]
        return longest[name]

    return max(map(chain, graph), key=len)
