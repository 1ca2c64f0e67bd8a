"""CONTRIBUTING is true: the steps to a new exercise, followed to the letter, lead to one."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(r"<!-- (.+?) -->\n```\w*\n(.*?)```", re.DOTALL)
NEEDED = ("course_utils", "tools", "solutions", "notebooks", "docs", "tests", "pyproject.toml")


@pytest.fixture
def checkout(tmp_path):
    """Return a copy of all that the steps touch or run."""
    for name in NEEDED:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
            shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("heading", "file", "found"),
    [
        ("A new exercise", "docs/crosswalk.md", "0.2"),
        ("A new race", "course_utils/results/formats_race.json", '"steps": 150'),
        ("A new data set", "tests/data/sets/small_sets.py", "proverbs"),
    ],
)
def test_the_steps_lead_to_what_they_promise(heading, file, found, checkout):
    """Catches a step that is left out, renamed or out of date, and a proof that proves nothing."""
    section = text_of(heading)
    steps = STEP.findall(section)
    assert len(steps) == section.count("```") // 2  # no step is for reading only
    for what, block in steps:
        if what == "run":
            for line in block.strip().splitlines():
                told = run(line, checkout)
                assert told.returncode == 0, f"{line}\n{told.stdout}{told.stderr}"
        else:
            follow(what, block, checkout)
    assert found in (checkout / file).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_step_that_is_left_out_is_told(checkout):
    """Catches proofs that pass without the exercise: here nobody has solved it."""
    steps = [step for step in STEP.findall(text_of("A new exercise")) if step[0] != "run"]
    for what, block in steps:
        if "solutions/" not in what:
            follow(what, block, checkout)
    told = run(".venv/bin/python -m tests rules", checkout)
    assert told.returncode == 1
    assert "exercise 0.2" in told.stdout
    assert "solution" in told.stdout


def text_of(heading: str) -> str:
    """Return a section of CONTRIBUTING."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return section


def follow(what: str, block: str, root: Path) -> None:
    """Do one step: write a file, put text into one, replace some, or add a cell."""
    if found := re.fullmatch(r'put: (\S+) (before|after) "(.+)"', what):
        file, where, mark = found.groups()
        mark = mark.replace("\\n", "\n")
        both = block + mark if where == "before" else mark + block
        _change(root / file, lambda text: _once(text, mark, both))
    elif found := re.fullmatch(r"put: (\S+) at the end", what):
        _change(root / found[1], lambda text: text + block)
    elif found := re.fullmatch(r"new file: (\S+)", what):
        with (root / found[1]).open("x", encoding="utf-8") as file:
            file.write(block)
    elif found := re.fullmatch(r"replace: (\S+) (.+)", what):
        _change(root / found[1], lambda text: _once(text, found[2], block.strip()))
    elif found := re.fullmatch(r'cell: (\S+) after "(.+)" as (\S+) (\w+) (\w+) ?(\w*)', what):
        _add_cell(root / found[1], block.rstrip("\n"), *found.groups()[1:])
    else:
        raise AssertionError(f"nobody would know how to follow: {what}")


def _once(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} stands there {text.count(old)} times"
    return text.replace(old, new)


def _change(file: Path, change) -> None:
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")


def _add_cell(file: Path, source: str, after: str, name: str, kind: str, slide: str, tag: str):
    notebook = nbformat.read(file, as_version=4)
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    metadata = {"slideshow": {"slide_type": slide}} | ({"tags": [tag]} if tag else {})
    (place,) = [n for n, cell in enumerate(notebook.cells, 1) if cell.id == after]
    notebook.cells.insert(place, make(source, id=name, metadata=metadata))
    nbformat.write(notebook, file)


def run(line: str, root: Path) -> subprocess.CompletedProcess:
    """Run a line of the text with this environment's own programs."""
    words = shlex.split(line)
    here = {"python": [sys.executable], "course": [sys.executable, "-m", "course_utils.cli"]}
    words[:1] = here[words[0].removeprefix(".venv/bin/")]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True)
