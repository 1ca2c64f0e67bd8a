"""Scripts that call what JupyterLab or anywidget do not have do not pass, nor what nobody uses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.javascript import REQUIRED, ROOT, SCRIPTS

DECK, PAGE, PHONE, _, TWINS = SCRIPTS


def check(folder: Path, **environment: str) -> subprocess.CompletedProcess:
    """Run the stage's command on a folder of scripts."""
    return subprocess.run(
        [sys.executable, "-m", "tools", "javascript", str(folder)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "script", "right", "wrong", "says"),
    [
        (DECK, "runs.js", "statusChanged.connect", "statusChanges.connect", "'statusChanges'"),
        (DECK, "deck.js", ".isPlaceholder()", ".isPlacehold()", "'isPlacehold'"),
        (DECK, "keys.js", 'End: "last"', 'End: "latest"', '"latest"'),
        (DECK, "slides.js", "  let section = 0;", "  let section = 0, unread = 1;", "unread"),
        (PAGE, "still.js", "model.send(", "model.sent(", "'sent'"),
        (PHONE, "phone.js", "readyState !== 4", "readyStat !== 4", "'readyStat'"),
        (TWINS, "cells.js", "Math.tanh(word(2)", "Math.tahn(word(2)", "'tahn'"),
        (PAGE, "typing.js", "key === ", "key == ", "noDoubleEquals"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.endswith(".js") else "",
)
def test_a_slip_in_a_script_is_found(tmp_path, folder, script, right, wrong, says):
    """Catches a check that reads no types, follows no rule, or passes whatever its tools say."""
    copy = shutil.copytree(folder, tmp_path / folder.name)
    text = (copy / script).read_text(encoding="utf-8")
    assert right in text
    (copy / script).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    told = check(copy)
    if told.returncode == 0 and "is not checked" in told.stdout:
        pytest.skip(told.stdout)
    assert told.returncode == 1
    assert says in told.stdout + told.stderr
    assert script in told.stdout + told.stderr


def test_a_machine_without_node_passes_unless_it_is_required(tmp_path):
    """Catches a `make check` that fails where there is no node, and CI that checks nothing."""
    told = check(PAGE, PATH=str(tmp_path), **{REQUIRED: ""})
    assert (told.returncode, told.stdout) == (0, "JavaScript is not checked: there is no node\n")
    told = check(PAGE, PATH=str(tmp_path), **{REQUIRED: "1"})
    assert (told.returncode, told.stdout) == (1, f"{REQUIRED}=1, but there is no node\n")


def test_a_folder_without_scripts_fails(tmp_path):
    """Catches scripts that were moved while their check passes over nothing."""
    assert check(tmp_path).returncode == 1
