"""A topic of `analysis` has one door, for its lectures; the house goes to the room itself."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import course_utils.analysis
from course_utils.pages.notebook import read
from tools.claims.worlds import read_worlds
from tools.layers import parsed

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "course_utils.analysis"
TOPICS = [m.name for m in pkgutil.iter_modules(course_utils.analysis.__path__) if m.ispkg]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def brought(path: Path) -> Path:
    """Return the module that says where the names of a lecture's setup cell come from."""
    return ROOT / "course_utils" / "lectures" / f"{path.stem.partition('_')[2]}.py"


def whole(path: Path) -> ast.Module:
    """Return what a lecture brings in and all its cells, as one tree."""
    cells = [cell.source for cell in read(path).code]
    return ast.parse("\n".join([brought(path).read_text("utf-8"), *cells]))


LECTURES = [whole(path) for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_setup_cell_names_what_its_module_brings_in(path):
    """Catches a name that a lecture no longer uses, and a setup cell that leans on another's."""
    module = f"course_utils.lectures.{path.stem.partition('_')[2]}"
    (setup,) = [cell for cell in read(path).code if "setup" in cell.tags]
    (node,) = [n for n in setup.tree.body if getattr(n, "module", "") == module]
    there = ast.walk(ast.parse(brought(path).read_text("utf-8")))
    bound = {
        alias.asname or alias.name
        for n in there
        if isinstance(n, ast.ImportFrom)
        for alias in n.names
    }
    assert {alias.name for alias in node.names} == bound
    others = [cell.source for cell in read(path).code if cell is not setup]
    used = {n.id for n in ast.walk(ast.parse("\n".join(others))) if isinstance(n, ast.Name)}
    assert bound - used <= {"setup", "hint", "show_solution"}


def imports(tree: ast.AST) -> Iterator[ast.ImportFrom]:
    """Yield what a lecture or module imports from `analysis` and from beneath it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            yield node


def used(topic: str, lecture: ast.AST) -> set[str]:
    """Return the names that a lecture takes from a topic, under whatever name it imports it."""
    called = {
        alias.asname or alias.name
        for node in imports(lecture)
        for alias in node.names
        if alias.name == topic
    }
    return {
        node.attr
        for node in ast.walk(lecture)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in called
    }


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_offers_what_its_lectures_use(topic):
    """Catches a topic without a door, and one that still offers what no lecture asks for."""
    facade = importlib.import_module(f"{PACKAGE}.{topic}")
    assert set(facade.__all__) == set().union(*(used(topic, lecture) for lecture in LECTURES))


@pytest.mark.parametrize("topic", TOPICS)
def test_what_a_topic_offers_is_its_own(topic):
    """Catches a name with two doors: one topic that offers another's functions as well."""
    folder = ROOT / "course_utils" / "analysis" / topic
    for node in imports(ast.parse((folder / "__init__.py").read_text("utf-8"))):
        assert node.module.startswith(f"{PACKAGE}.{topic}."), ast.unparse(node)


def test_a_lecture_imports_a_topic_whole_and_by_one_name():
    """Catches a setup cell that reaches into a topic, and two lectures' words for one topic."""
    names: dict[str, str] = {}
    for lecture in LECTURES:
        for node in imports(lecture):
            assert node.module == PACKAGE, ast.unparse(node)
            for alias in node.names:
                name = alias.asname or alias.name
                assert names.setdefault(alias.name, name) == name, ast.unparse(node)
    assert len(set(names.values())) == len(names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_false_world_asks_a_topic_for_what_it_offers(path):
    """Catches a world that would die of a name no lecture uses any more, minutes later."""
    topics = {a.asname or a.name: a.name for node in imports(whole(path)) for a in node.names}
    news = [(w.name, change.new) for w in read_worlds(path.stem).worlds for change in w.changes]
    for world, new in news:
        for name, attribute in re.findall(r"(?<![\w.])(\w+)\.(\w+)", new):
            if topics.get(name) in TOPICS:
                facade = importlib.import_module(f"{PACKAGE}.{topics[name]}")
                assert attribute in facade.__all__, f"{world}: {name}.{attribute}"


def test_the_house_imports_from_the_module_that_defines():
    """Catches an explorer that needs a name of the lectures' door, which may be taken away."""
    for path in (ROOT / "course_utils").rglob("*.py"):
        for node in imports(parsed(path.read_text("utf-8"))):
            topic = node.module.removeprefix(f"{PACKAGE}.")
            modules = {p.stem for p in (ROOT / "course_utils/analysis" / topic).glob("*.py")}
            if topic in TOPICS:
                assert {alias.name for alias in node.names} <= modules, f"{path}: {node.lineno}"
