"""Files are whole or absent, and have one writer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from filelock import FileLock

from course_utils import files
from course_utils.files import (
    HeldByAnother,
    only_writer,
    plain_name,
    replacing,
    sweep_partials,
    write_whole,
)


def waited(seconds):
    raise AssertionError(f"waited {seconds} s for a lock that may be held for days")


HOLDER = """
import sys
from pathlib import Path
from course_utils.files import only_writer
with only_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_what_fails_leaves_what_was_there(tmp_path):
    """Catches: the old file lost before the new one is whole, and rubble beside it."""
    path = tmp_path / "new folder" / "in a new folder" / "kept.txt"
    write_whole(path, b"old")
    with suppress(KeyboardInterrupt), replacing(path) as partial:
        assert partial.parent == path.parent, "on another disk nothing can be renamed"
        assert partial.name.startswith(".kept.txt.")
        partial.write_bytes(b"ne")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert [*path.parent.iterdir()] == [path]
    (tmp_path / "a file").touch()
    with pytest.raises(OSError, match="a file"):
        write_whole(tmp_path / "a file" / "below", b"")


def test_all_is_on_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    """Catches: a name without content after a power cut, and a rename that is lost in one."""
    synced, renamed = [], []
    fsync, replace = os.fsync, os.replace

    def watched(descriptor):
        synced.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def rename(source, target):
        renamed.append((Path(source).stat().st_ino in synced, Path(source).read_bytes()))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", watched)
    monkeypatch.setattr(os, "replace", rename)
    write_whole(tmp_path / "a", b"all of it")
    assert renamed == [(True, b"all of it")]
    assert synced[-1] == tmp_path.stat().st_ino
    assert len(synced) == 2


@pytest.mark.skipif(os.name == "nt", reason="links and modes are others there")
def test_a_link_stays_a_link_and_a_mode_a_mode(tmp_path):
    """Catches: a synchronised folder's link cut without a word, a private file made public."""
    link, real = tmp_path / "link", tmp_path / "elsewhere" / "real"
    link.symlink_to(real)
    write_whole(link, b"new")  # it leads nowhere yet
    real.chmod(0o600)
    write_whole(link, b"newer")
    assert link.is_symlink()
    assert real.read_bytes() == b"newer"
    assert real.stat().st_mode & 0o777 == 0o600
    assert [*real.parent.iterdir()] == [real], "what is half written lies on the same disk"


def test_names_may_be_written_with_either_line():
    """Catches a command that knows course_elmo and not course-elmo."""
    assert plain_name("course-elmo") == plain_name("course_elmo") == "course_elmo"


def test_only_half_written_files_of_that_name_are_swept(tmp_path):
    """Catches: a sweep that takes a neighbour's file, or a whole one."""
    kept = {"run.json", ".run.json", "run.partial", ".other.0123abcd.partial", ".run.my.partial"}
    for name in (*kept, ".run.0123abcd.partial", ".run.89efcdab.partial"):
        (tmp_path / name).touch()
    (tmp_path / ".run.01234567.partial").mkdir()
    kept |= {".run.01234567.partial"}
    assert sweep_partials(tmp_path, "run.*") == 2
    assert {path.name for path in tmp_path.iterdir()} == kept
    assert sweep_partials(tmp_path) == 1
    assert sweep_partials(tmp_path / "nowhere") == 0


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="nothing lists what is open there")
def test_nothing_stays_open(tmp_path):
    """Catches: a folder opened for each rename, until a long run may open no more."""
    before = len(os.listdir("/dev/fd"))
    for number in range(3):
        write_whole(tmp_path / "a", b"all of it")
        with only_writer(tmp_path / ".lock"):
            assert len(os.listdir("/dev/fd")) > before
        assert len(os.listdir("/dev/fd")) == before, number


def test_one_process_holds_a_lock_until_it_dies(tmp_path, monkeypatch):
    """Catches: a lock that waits, outlives its process, says nobody's name, or deletes a file."""
    lock = tmp_path / "new folder" / "in a new folder" / ".lock"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    line = [sys.executable, "-c", HOLDER, str(lock)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(line, env=environment, **pipes) as holder:
        assert holder.stdout.readline() == b"held\n"
        monkeypatch.setattr(time, "sleep", waited)
        for said, expected in (
            (None, rf"^process {holder.pid} on \S+ since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d$"),
            (b"", "^another process$"),
            (b"\xff", "^another process$"),
        ):
            if said is not None:
                lock.write_bytes(said)
            with pytest.raises(HeldByAnother) as told, only_writer(lock):
                pass
            assert re.search(expected, str(told.value))
        monkeypatch.undo()
        holder.kill()
    with pytest.raises(FileExistsError, match="not ours"), only_writer(lock):
        pass
    assert lock.read_bytes() == b"\xff"
    lock.write_text("process 1 on another since 2026-01-01 00:00:00")
    with only_writer(lock):
        assert lock.read_text().startswith(f"process {os.getpid()} on ")
    assert not lock.exists()
    with pytest.raises(ZeroDivisionError), only_writer(lock):
        raise ZeroDivisionError
    assert not lock.exists()


def test_who_is_patient_waits_as_long_as_it_takes(tmp_path, monkeypatch):
    """Catches: a second download of one file that gives up while the first is still under way."""
    patience = []

    def listened(path, timeout):
        patience.append(timeout)
        return FileLock(path, timeout=timeout)

    monkeypatch.setattr(files, "FileLock", listened)
    first = only_writer(tmp_path / ".lock", patient=True)
    with first:
        with pytest.raises(HeldByAnother), only_writer(tmp_path / ".lock"):
            pass
        with pytest.raises(HeldByAnother), only_writer(tmp_path / ".lock", patient=0.1):
            pass
    for_ever, at_once, a_while = patience
    assert for_ever < 0  # so filelock wants it said
    assert (at_once, a_while) == (0, 0.1)
