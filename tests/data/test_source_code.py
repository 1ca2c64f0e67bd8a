"""Labels of Python source against its syntax tree, a slow reading by hand, and other Pythons."""

from __future__ import annotations

import ast
import glob
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from course_utils.data import source_code, source_labels
from course_utils.data.source_code import label_characters, module_names, source_modules

SNIPPET = '''\
"""Doc."""
import os  # why: (not) "a string"

def f(x: dict = {"a": [1]}, *, y=lambda: 0) -> "R":
    # not the docstring
    r"""Raw
    doc ("""
    "no doc"
    if (x  # why?
            and y[1:2]) or lambda: 3: return f"{x["a"]!r:>{y}} if ("
    elif x: z = 1 if x else b'bytes'
    while x: pass
class A: 'one line'
class B(
        A):
    """B's."""; x = 1
async def g(): u"""u doc"""
class C: f"no doc"
'''.replace('{x["a"]!r', "{x['a']!r")  # so that Pythons before 3.12 can read it


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    source_modules.cache_clear()
    yield tmp_path
    source_modules.cache_clear()


def marked(text: str, flags) -> list[str]:
    """Return the runs of characters where a label holds."""
    runs, run = [], ""
    for char, flag in zip(text, flags, strict=True):
        if flag:
            run += char
        elif run:
            runs.append(run)
            run = ""
    return runs + [run] * bool(run)


def test_labels_of_a_text_that_has_every_trap():
    """Catches: brackets in strings, a lambda's colon, a ternary, an f-string in pieces."""
    labels = label_characters(SNIPPET)
    assert marked(SNIPPET, labels.comment) == [
        '# why: (not) "a string"', "# not the docstring", "# why?",
    ]  # fmt: skip
    assert marked(SNIPPET, labels.docstring) == [
        '"""Doc."""', 'r"""Raw\n    doc ("""', "'one line'", '"""B\'s."""', 'u"""u doc"""',
    ]  # fmt: skip
    assert marked(SNIPPET, labels.string) == [
        '"""Doc."""', '"a"', '"R"', 'r"""Raw\n    doc ("""', '"no doc"',
        "f\"{x['a']!r:>{y}} if (\"", "b'bytes'", "'one line'", '"""B\'s."""', 'u"""u doc"""',
        'f"no doc"',
    ]  # fmt: skip
    assert marked(SNIPPET, labels.condition) == [
        " (x  # why?\n            and y[1:2]) or lambda: 3", " x",
    ]  # fmt: skip
    assert marked(SNIPPET, labels.depth >= 2) == ['{"a": [1]}', "[1:2]"]
    assert marked(SNIPPET, labels.depth == 3) == ["[1]"]
    assert labels.depth.max() == 3
    for number, line in enumerate(SNIPPET.split("\n")):
        start = sum(len(other) + 1 for other in SNIPPET.split("\n")[:number])
        assert labels.column[start : start + len(line)].tolist() == list(range(len(line)))
    inside = SNIPPET.index("    r"), SNIPPET.index("class A")
    assert set(labels.indentation[inside[0] : inside[1]]) == {1}
    assert labels.indentation[inside[1]] == labels.indentation[0] == 0
    assert label_characters("x").string.tolist() == [False]
    assert len(label_characters("").depth) == 0
    with pytest.raises(ValueError, match="not Python source"):
        label_characters("x = (1")


def spans_by_tree(text: str) -> tuple[list, int]:
    """Return where docstrings are and how many ifs there are, by the parser instead."""
    starts = np.cumsum([0] + [len(line) + 1 for line in text.split("\n")])
    raw = text.encode().split(b"\n")
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found, conditions = [], 0

    def place(row: int, column: int) -> int:  # the parser counts bytes
        return int(starts[row - 1]) + len(raw[row - 1][:column].decode())

    for node in ast.walk(ast.parse(text)):
        conditions += isinstance(node, ast.If)
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            value = node.body[0].value
            begin = place(value.lineno, value.col_offset)
            found.append((begin, place(value.end_lineno, value.end_col_offset)))
    return sorted(found), conditions


def test_docstrings_and_conditions_are_the_parsers(cache):
    """Catches: a string taken for a docstring, a docstring missed, an if that has no condition."""
    for part in ("valid", "test"):
        for module in source_modules(part):
            spans = source_labels.find_spans(module.text)
            docstrings, conditions = spans_by_tree(module.text)
            assert sorted(zip(*spans["docstring"], strict=True)) == docstrings, module.name
            assert len(spans["condition"][0]) == conditions, module.name


def test_parts_share_no_package_and_are_complete_here(cache):
    """Catches: a package whose files stand on both sides of the split."""
    parts = {part: module_names(part) for part in source_code.PARTS}
    packages = {part: {name.split("/")[0] for name in names} for part, names in parts.items()}
    assert not packages["train"] & packages["valid"]
    assert not packages["train"] & packages["test"]
    assert not packages["valid"] & packages["test"]
    assert len({*parts["train"], *parts["valid"], *parts["test"]}) == 277
    modules = source_modules("valid")
    assert sum(len(module.text) for module in modules) > 300_000
    assert source_code.source_text("valid") == "".join(module.text for module in modules)
    assert len(source_code.source_labels("valid").column) == len(source_code.source_text("valid"))
    with pytest.raises(ValueError, match="one of train, valid, test"):
        module_names("dev")


def test_missing_modules_are_passed_over_and_a_bad_cache_is_made_again(cache, tmp_path):
    """Catches: a system without tkinter that cannot run the lecture, labels of another text."""
    folder = tmp_path / "lib"
    folder.mkdir()
    name = module_names("valid")[0]
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("x = 'é'  # ü\n", encoding="utf-8")
    (module,) = source_modules("valid", folder)
    assert (module.name, marked(module.text, module.labels.string)) == (name, ["'é'"])
    (saved,) = (cache / ".labels").iterdir()
    for spoiled in (b"", b"no archive", saved.read_bytes()[:-40]):
        saved.write_bytes(spoiled)
        source_modules.cache_clear()
        (again,) = source_modules("valid", folder)
        assert all(map(np.array_equal, again.labels, module.labels))
    (folder / name).write_text("x = 'e'  # changed\n", encoding="utf-8")
    source_modules.cache_clear()
    assert marked("x = 'e'  # changed\n", source_modules("valid", folder)[0].labels.comment)
    with pytest.raises(FileNotFoundError, match="none of the corpus"):
        source_modules("test", folder)


def other_pythons() -> list[str]:
    """Return one interpreter of every other minor version at hand."""
    found = {}
    for minor in range(10, 16):
        homes = glob.glob(str(Path.home() / f".pyenv/versions/3.{minor}.*/bin/python"))
        for path in (*homes, shutil.which(f"python3.{minor}")):
            if path and minor != sys.version_info.minor:
                found.setdefault(minor, path)
    return list(found.values())


ASK = """
import hashlib, importlib.util, json, sys
spec = importlib.util.spec_from_file_location("source_labels", sys.argv[1])
module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)
for text in json.load(open(sys.argv[2], encoding="utf-8")):
    print(hashlib.sha256(json.dumps(module.find_spans(text)).encode()).hexdigest())
"""


@pytest.mark.skipif(not other_pythons(), reason="there is only one Python on this machine")
def test_every_python_at_hand_gives_the_same_labels(cache, tmp_path):
    """Catches: f-strings in pieces since 3.12, and blocks that end at another line."""
    texts = [SNIPPET, *(m.text for part in ("valid", "test") for m in source_modules(part))]
    asked = tmp_path / "texts.json"
    asked.write_text(json.dumps(texts), encoding="utf-8")
    answers = {
        python: subprocess.run(
            [python, "-I", "-c", ASK, source_labels.__file__, str(asked)],
            capture_output=True, text=True, check=True,
        ).stdout.split()
        for python in (sys.executable, *other_pythons())
    }  # fmt: skip
    ours = answers.pop(sys.executable)
    assert len(ours) == len(texts)
    for python, theirs in answers.items():
        assert theirs == ours, python
