"""docs/decisions.md lists every private part of other projects that the course uses."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import course_utils
from tools.layers import parsed

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "course_utils"
PAGE = ROOT / "docs" / "decisions.md"
PUBLIC = {  # named tuples and IPython document theirs, and so does os
    *("_asdict", "_fields", "_make", "_replace", "_exit"),
    *("_repr_html_", "_repr_mimebundle_"),
}
OF_LAB = re.compile(
    r"\.(?:jp|lm|cm)-\w|isPlaceholder|insertWidget|windowedListIndex|lmSuppress|_JUPYTERLAB"
    "|_handle_comm_msg"
)


def rows(part: str) -> dict[str, list[str]]:
    """Return the rows of one of the page's tables: the cells after the file, by the file."""
    table = PAGE.read_text().split(f"<!-- begin: {part} -->")[1].split(f"<!-- end: {part} -->")[0]
    lines = [line.strip("|").split(" | ") for line in table.strip().splitlines()[2:]]
    return {file.strip(" `"): cells for file, *cells in lines}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


@cache
def own_names(source: str) -> set[str]:
    """Return the names that a module gives to functions, classes and attributes."""
    nodes = [*ast.walk(parsed(source))]
    functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    stored = [n for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    return {n.name for n in nodes if isinstance(n, functions)} | {n.attr for n in stored}


def private_parts(source: str, of_bases: set[str]) -> set[str]:
    """Return the private names that a module uses and that are not ours.

    Names in `of_bases` may stand in a class of ours elsewhere: on `self` they count as ours.
    """
    used, own = set(), own_names(source)
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Attribute):
            inherited = ast.unparse(node.value) in ("self", "cls", "super()")
            used |= {node.attr} - (of_bases if inherited else set())
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", "") or ""
            if not module.startswith("course_utils"):
                used |= {*module.split("."), *(n for a in node.names for n in a.name.split("."))}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            asks = node.func.id in ("getattr", "hasattr", "setattr")
            used |= {a.value for a in node.args[1:2] if asks and isinstance(a, ast.Constant)}
    return {name for name in used - own if is_private(name)} - PUBLIC


def overridden() -> Iterator[tuple[str, str]]:
    """Yield file and name of each private method of another project that ours replaces."""
    for found in pkgutil.walk_packages(course_utils.__path__, "course_utils."):
        if found.name.endswith("__main__"):
            continue
        for ours in vars(importlib.import_module(found.name)).values():
            if not inspect.isclass(ours) or ours.__module__ != found.name:
                continue
            others = [b for b in ours.__mro__[1:] if not b.__module__.startswith("course_utils")]
            for name, method in vars(ours).items():
                written = inspect.isfunction(method) and method.__module__ == found.name
                replaces = written and is_private(name) and any(name in vars(b) for b in others)
                if replaces and name not in PUBLIC | {"_new_member_", "_generate_next_value_"}:
                    file = Path(inspect.getfile(ours)).relative_to(PACKAGE).as_posix()
                    yield file, name


def test_the_page_names_every_private_part_and_no_other():
    """Catches: a use that nobody knows of when another project changes, and a row of one gone."""
    named = {
        file: set(re.findall(r"`(\w+)`", names)) for file, (names, *_) in rows("python").items()
    }
    used: dict[str, set[str]] = {file: set() for file in named}
    sources = {path: path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
    ours = set().union(*map(own_names, sources.values()))
    for path, source in sources.items():
        if parts := private_parts(source, ours):
            used.setdefault(path.relative_to(PACKAGE).as_posix(), set()).update(parts)
    for file, name in overridden():
        used.setdefault(file, set()).add(name)
    for file, parts in used.items():
        unknown = parts - named.get(file, set())
        assert not unknown, f"add {sorted(unknown)} of {file} to docs/decisions.md, with a guard"
    for file, names in named.items():
        text = (PACKAGE / file).read_text()
        gone = {name for name in names if name not in text}
        assert not gone, f"{file} no longer uses {sorted(gone)}: take it from docs/decisions.md"


def test_the_page_names_every_script_that_leans_on_jupyterlab():
    """Catches: a script that stops working with another JupyterLab, and that nobody looks for."""
    paths = [path for kind in ("*.js", "*.css") for path in PACKAGE.rglob(kind)]
    leaning = {path.relative_to(PACKAGE).as_posix() for path in paths
               if OF_LAB.search(path.read_text())}  # fmt: skip
    assert leaning == {*rows("javascript")}, "the table of scripts in docs/decisions.md"


def test_every_guard_is_there():
    """Catches: a test that was renamed while the page still counts on it."""
    for part in ("python", "javascript"):
        for file, (*_, guard) in rows(part).items():
            tests = re.findall(r"`(tests/[\w/]+\.py)`", guard)
            assert tests, f"{file} has no guard"
            assert all((ROOT / test).exists() for test in tests), file


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import torch\ntorch._VF.lstm()", {"_VF"}),
        ("from torch._C import thing as other", {"_C"}),
        ("from torch import _thing", {"_thing"}),
        ("hasattr(torch.ops, '_product')", {"_product"}),
        ("class A(B):\n    def go(self): return self._theirs", {"_theirs"}),
        ("class A(B):\n    def _own(self): return self._own()", set()),
        ("other._base()", {"_base"}),
        ("self._base()", set()),
        ("self._mine = 3\nprint(self._mine, step._replace(), self.__dict__)", set()),
    ],
)
def test_what_counts_as_private(source, found):
    """Catches: a reader of source that overlooks a way to reach into another project."""
    assert private_parts(source, {"_base"}) == found
