"""An equation has one number: in its lecture, in code that computes it, in words that name it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from course_utils.pages.notebook import Notebook, lectures, read

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = [read(path) for path in lectures(ROOT / "notebooks")]
TAG = re.compile(r"\\tag\{([^}]*)\}")
DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
NAMED = re.compile(r"\(([1-9]\.\d+)\)")
# how a lecture writes what code calls by one letter: PyTorch's n, and its z = 1 - u
WRITTEN = {"n": r"\tilde h", "z": "u"}


def equations() -> dict[str, str]:
    """Return the formula of every number."""
    cells = [cell.source for notebook in NOTEBOOKS for cell in notebook.prose]
    shown = [formula for source in cells for formula in DISPLAYED.findall(source)]
    return {number: formula for formula in shown for number in TAG.findall(formula)}


def comments(source: str) -> list[tuple[str, str]]:
    """Return the (line, comment) pairs of some code that name an equation."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    said = [(t.line, t.string) for t in tokens if t.type == tokenize.COMMENT]
    return [(line, comment) for line, comment in said if NAMED.search(comment)]


def texts_in(tree: ast.AST) -> list[str]:
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


def in_models() -> list[tuple[str, str]]:
    files = sorted((ROOT / "course_utils" / "models").rglob("*.py"))
    return [pair for file in files for pair in comments(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.lecture)
def test_numbers_ascend_in_a_lecture(notebook: Notebook):
    """Catches a number given twice, one left out, and one of another lecture."""
    found = [number for cell in notebook.prose for number in TAG.findall(cell.source)]
    assert found == [f"{int(notebook.lecture)}.{k + 1}" for k in range(len(found))]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.lecture)
def test_a_number_in_a_lecture_names_an_equation_of_the_course(notebook: Notebook):
    """Catches a sentence or a comment that points nowhere, or at what comes later."""
    known, words = equations(), [cell.source for cell in notebook.prose]
    words += [comment for cell in notebook.code for _, comment in comments(cell.source)]
    words += [text for cell in notebook.code for text in texts_in(cell.tree)]
    named = {number for text in words for number in NAMED.findall(text)}
    assert named <= known.keys()
    assert all(int(number[0]) <= int(notebook.lecture) for number in named)


def test_a_message_names_an_equation_of_its_lecture():
    """Catches a hint that sends its reader to a formula that is not there."""
    known = equations()
    for file in sorted((ROOT / "course_utils" / "checks" / "exercises").glob("ex*.py")):
        texts = texts_in(ast.parse(file.read_text(encoding="utf-8")))
        named = {number for text in texts for number in NAMED.findall(text)}
        assert named <= {n for n in known if int(n[0]) == int(file.name[2:4])}, file.name
        assert not any(re.search(r"[Ll]ine \(\d+\)", text) for text in texts), file.name


@pytest.mark.parametrize(("line", "comment"), in_models())
def test_a_line_of_a_model_computes_the_equation_that_it_names(line: str, comment: str):
    """Catches (3.4) behind the line that makes an output gate."""
    known, (target,) = equations(), ast.parse(line.strip()).body[0].targets
    for number in NAMED.findall(comment):
        sides = re.findall(r"([^,$&=]*?)=", known[number])  # what stands left of an equals sign
        letters = [side.replace("\\qquad", "").replace("\\;", "").strip() for side in sides]
        assert WRITTEN.get(target.id, target.id) + "_t" in letters


def test_every_equation_of_a_step_is_named_by_its_line():
    """Catches a step that lost its numbers, and a test that reads none."""
    named = {number for _, comment in in_models() for number in NAMED.findall(comment)}
    assert {f"3.{k}" for k in range(1, 7)} | {f"4.{k}" for k in range(1, 5)} | {"2.1"} <= named
