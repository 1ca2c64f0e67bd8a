"""Made-up students: right ones, ones with a mistake that has a name, empty ones, hostile ones."""

from __future__ import annotations

import ast
import copy
import inspect
import json
import os
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from course_utils.checks.find_exercise import find, places
from course_utils.checks.lecture_calls import source_of
from course_utils.classroom.handin import stub_id
from tools.__main__ import ROOT


def lecture(number: str) -> dict[str, Any]:
    """Return a lecture as it is stored."""
    (path,) = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))


def worked(notebook: Mapping[str, Any], answers: Mapping[str, str]) -> bytes:
    """Return a notebook with answers in the stubs of some exercises."""
    copied = copy.deepcopy(dict(notebook))
    texts = {stub_id(number): text for number, text in answers.items()}
    for cell in copied["cells"]:
        cell["source"] = texts.get(cell["id"], cell["source"])
    return json.dumps(copied).encode()


@cache
def right(number: str) -> dict[str, str]:
    """Return our solution to every exercise of a lecture."""
    return {n: _solution(n) for n, place in places().items() if place.lecture == number}


def _solution(number: str) -> str:
    place = places()[number]
    return source_of(ROOT / "solutions" / f"{place.module}.py", place.function)


def mistaken(number: str) -> Iterator[tuple[str, str]]:
    """Yield an exercise's mistakes as students would have written them, and what they are told."""
    _, exercise = find(number)
    around = _around(Path(inspect.getsourcefile(exercise.reference) or ""))
    for mistake in exercise.misconceptions:
        if isinstance(mistake.wrong, FunctionType) and mistake.wrong.__name__ != "<lambda>":
            text = inspect.getsource(mistake.wrong)
            renamed = f"\n{exercise.function} = {mistake.wrong.__name__}\n"
            same = mistake.wrong.__name__ == exercise.function
            yield around + text + ("" if same else renamed), mistake.message


def processes_of(grader: int) -> list[str]:
    """Return the judged processes of a grader that are still there: their last word is its id."""
    left = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        except OSError:
            continue
        if words[-1] == str(grader).encode() and b"runner.warm" in b" ".join(words):
            left.append(folder.name)
    return left


def run_in_its_own(command: str, home: Path, *words: str) -> None:
    """Run a grader of somebody else's, whose kernel finds this environment's packages."""
    programs = os.pathsep.join([str(Path(command).parent), os.environ["PATH"]])
    paths = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    told = subprocess.run(
        [command, *words],
        cwd=home,
        env={**os.environ, "PYTHONPATH": paths, "PATH": programs},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout + told.stderr


def _around(file: Path) -> str:
    """Return what an exercise's file imports and defines, but for the exercise itself."""
    text = file.read_text(encoding="utf-8")
    kept = [
        ast.get_source_segment(text, node) or ""
        for node in ast.parse(text).body
        if not (isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "EXERCISE")
        and "__future__" not in (ast.get_source_segment(text, node) or "")
    ]
    return "\n".join(kept) + "\n"
