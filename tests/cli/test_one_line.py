"""The usual states of a hub's container: each is answered in one line, without a traceback."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import as_typed, course
from tools.__main__ import ROOT

NOBODY = ("--reuid", "54321", "--regid", "54321", "--clear-groups")
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
FULL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from runpy import run_module
run_module(sys.argv.pop(1), run_name="__main__", alter_sys=False)
"""


def told(*command: str, **environment: str | None) -> subprocess.CompletedProcess:
    """Run a command in a process of its own; a variable that is None is not there."""
    known = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    clean = {name: value for name, value in known.items() if value is not None}
    return subprocess.run(
        command, cwd=ROOT, env=clean, capture_output=True, text=True, errors="replace"
    )


def one_line(ended: subprocess.CompletedProcess, says: str) -> None:
    """Assert that a command failed with one line that says this."""
    assert ended.returncode in (1, 2), ended
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture
def as_nobody():
    """Return the words that run a command as a user who has no name and owns nothing."""
    if not (IS_ROOT and shutil.which("setpriv")):
        pytest.skip("only root may become a user without a name: setpriv is missing, or not root")
    words = ("setpriv", *NOBODY)
    seen = told(*words, sys.executable, "-c", "import course_utils.cli")
    if seen.returncode:
        pytest.skip("a user without a name may not read this Python or this checkout")
    return words


@pytest.mark.parametrize("command", [("progress",), ("data", "list"), ("lab",)])
def test_without_a_home_it_says_what_to_set(as_nobody, command):
    """Catches: RuntimeError where a container gives a random user, and no HOME."""
    ended = told(*as_nobody, *as_typed(*command), HOME=None, COURSE_PROGRESS=None, COURSE_DATA=None)
    said = ended.stdout + ended.stderr
    assert "home folder" in said
    assert re.search("(?i)set (HOME|COURSE_PROGRESS|COURSE_DATA) to a", said)
    assert "Traceback" not in said


@pytest.mark.parametrize("command", [("notes", "0"), ("solved",), ("docs",), ("claims", "00")])
def test_a_clone_that_cannot_be_written_is_named(as_nobody, command):
    """Catches: PermissionError at the end of a page of calls, and claims measured for nothing."""
    if os.access(ROOT, os.W_OK) and Path(ROOT).stat().st_mode & 0o002:
        pytest.skip("everybody may write to this checkout")
    one_line(told(*as_nobody, *as_typed(*command), HOME="/nowhere"), "Permission denied: choose")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("command", [("progress",), ("claims", "03", "--recorded")])
def test_a_terminal_without_our_signs_is_served(command, encoding, tmp_path):
    """Catches: UnicodeEncodeError in a C locale, in the middle of a table."""
    kept = str(tmp_path / "progress.json")
    ended = told(*as_typed(*command), PYTHONIOENCODING=encoding, COURSE_PROGRESS=kept)
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 0
    assert ended.stdout.count("\n") > 5


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device here is always full")
def test_what_cannot_be_printed_is_a_failure():
    """Catches: an exit code of 0 for a table that nobody got."""
    words = " ".join((*as_typed("train", "--list"), "> /dev/full"))
    one_line(told("sh", "-c", words), "No space left on device: make room")


@pytest.mark.skipif(os.name == "nt", reason="no limit on the size of a file stands for the disk")
def test_a_full_disk_leaves_what_was_there(tmp_path):
    """Catches: an older page of notes cut off at the block where the disk was full."""
    out = tmp_path / "notes"
    assert told(*as_typed("notes", "3", "--out", str(out))).returncode == 0
    before = {path: path.read_bytes() for path in out.iterdir()}
    full = (sys.executable, "-c", FULL_DISK, "course_utils.cli")
    one_line(told(*full[:3], "tools", "solved", "--out", str(tmp_path / "new")), "make room")
    assert not list((tmp_path / "new").glob("*"))
    (page,) = out.glob("*.html")
    os.truncate(page, 0)  # a page that is not ours any more stays too
    assert told(*full, "notes", "3", "--out", str(out)).returncode == 1
    assert page.read_bytes() == b""
    page.write_bytes(before[page])
    one_line(told(*full, "notes", "4", "--out", str(out)), "make room")
    assert {path: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("claims", "99"), "There is no lecture 99"),
        (("claims", "foo", "--recorded"), "There is no lecture foo"),
        (("notes", ""), 'There is no lecture ""'),
        (("notes", "99"), "There is no lecture 99"),
        (("notes", "3", "--out", "README.md"), "README.md is not a folder"),
        (("solved", "--out", ""), "the name is empty"),
        (("solved", "--out", "notebooks"), "holds the lectures"),
        (("solved", "--out", "notebooks/new"), "holds the lectures"),
        (("solved", "--out", "."), "and stays as it is: move it away, or choose another folder"),
        (("notes", "3", "--out", "x" * 300), "File name too long"),
        (("train", "counting_gru", "--device", "meta"), "'meta' computes no numbers"),
        (("train", "race", "--device", "meta"), "'meta' computes no numbers"),
        (("train", "nosuch"), "`course train --list` shows them all"),
    ],
)
def test_what_cannot_be_meant_is_answered(command, says, monkeypatch, capsys):
    """Catches: "claims 99" that prints nothing and ends as if all were well; tracebacks."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COURSE_DEVICE", raising=False)
    assert course(*command) in (1, 2)
    said = capsys.readouterr().err
    assert says in said
    assert "Traceback" not in said


def test_a_lecture_may_be_written_with_one_digit(capsys):
    """Catches `claims 3`, which did nothing where `course notes 3` knew the lecture."""
    assert course("claims", "3", "--recorded") == 0
    assert "## 03_lstm" in capsys.readouterr().out
