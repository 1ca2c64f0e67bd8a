"""What is solved is never lost: not to a second lecture, not to a file in an odd state."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import stat
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from course_utils import files
from course_utils.checks import check, lecture_calls, progress_file
from course_utils.checks.find_exercise import all_exercises, find
from course_utils.checks.progress import keep_solved, read_progress
from course_utils.checks.progress_file import LARGEST, VERSION
from course_utils.checks.progress_file import progress_file as place

if sys.platform == "linux":
    import resource

NUMBERS = [*all_exercises()]
posix = pytest.mark.skipif(os.name == "nt", reason="users, links and pipes are others there")


def processes():
    """Return how to start processes: as copies of this one where that is safe, it is quicker."""
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def started(target, *arguments):
    process = processes().Process(target=target, args=arguments, daemon=True)  # ends with the tests
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python's, on forks beside threads
        process.start()
    return process


def keep_all(numbers, begin):
    begin.wait()
    for number in numbers:
        keep_solved(number)


def test_lectures_that_write_at_once_lose_nothing():
    """Catches: read, change and write without a lock (a 67th to a third was lost each time)."""
    begin = processes().Barrier(3)
    writers = [started(keep_all, NUMBERS[part::3], begin) for part in range(3)]
    for writer in writers:
        writer.join()
    assert [*read_progress().solved] == NUMBERS
    assert [path.name for path in place().parent.iterdir()] == [place().name]


def keep_until_killed(said):
    said.send("begun")
    for number in NUMBERS:
        keep_solved(number)
        said.send(number)


@posix
def test_a_killed_lecture_loses_nothing_that_it_has_said():
    """Catches: a file cut by a kill, a lock that outlives its holder, rubble that nobody sweeps."""
    (place().parent / f".{place().name}.0badcafe.partial").write_text('{"half')
    for say_before_the_end in (1, 2, 5, 9):
        ours, theirs = processes().Pipe(duplex=False)
        writer = started(keep_until_killed, theirs)
        theirs.close()
        said = [ours.recv() for _ in range(say_before_the_end)]
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        with suppress(EOFError):
            while True:
                said.append(ours.recv())
        assert {*said[1:]} <= {*read_progress().solved}
    keep_solved(NUMBERS[-1])
    assert [path.name for path in place().parent.iterdir()] == [place().name]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_an_editors_encoding_is_read(encoding):
    """Catches: all progress lost to the byte order mark of an editor on Windows."""
    keep_solved(NUMBERS[0])
    place().write_text(place().read_text(), encoding=encoding)
    keep_solved(NUMBERS[1])
    assert [*read_progress().solved] == NUMBERS[:2]


DAMAGED = {
    "a brace is missing": b'{"version": 2, "solved": {"one_step": "2026-03-14"}',
    "a list": b"[]",
    "nothing solved": b'{"version": 2}',
    "a number": b'{"solved": 3}',
    "no end of brackets": b"[" * 100_000,
    "binary": b"\x00\xff\xfe",
    "Latin-1": '{"solved": {"one_step": "März"}}'.encode("latin-1"),
    "somebody's diary": b"Dear diary, ",
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_what_cannot_be_read_is_put_aside_and_said(content):
    """Catches: 35 solved exercises that become one for a missing brace, without a word."""
    place().write_bytes(content)
    assert "cannot be read. Repair it, or carry on" in repr(read_progress())
    assert place().read_bytes() == content
    told = keep_solved("0.1")
    aside = place().with_name("progress.damaged-1.json")
    assert f"what it held is kept in {aside.name}; 1 of" in told
    assert aside.read_bytes() == content
    assert [*read_progress().solved] == ["0.1"]
    for other, kept in ((b"[1]", "2"), (content, "1")):
        place().write_bytes(other)
        assert f"progress.damaged-{kept}.json" in keep_solved("0.1")
    assert aside.read_bytes() == content


@pytest.mark.parametrize("content", ["", " \n"])
def test_an_empty_file_is_not_damaged(content):
    """Catches: a word of loss where nothing was, and a copy of nothing."""
    place().write_text(content)
    assert keep_solved("0.1").startswith("1 of")
    assert len([*place().parent.iterdir()]) == 1


@pytest.mark.parametrize("version", [VERSION + 1, "3", 2.5, None, [2]])
def test_a_newer_version_is_left_as_it_is(version):
    """Catches: what a newer course has kept, written over by an older copy of it."""
    content = json.dumps({"version": version, "solved": {"one_step": "2026-03-14"}})
    place().write_text(content)
    for told in (keep_solved("0.1"), repr(read_progress())):
        assert "which this course does not know" in told
        assert "Update the course" in told
    assert place().read_text() == content
    assert len([*place().parent.iterdir()]) == 1


def test_what_else_stands_in_the_file_stays():
    """Catches: exercises of another branch, and a reader's own note, dropped by the next check."""
    content = {"version": 2, "note": "mine", "solved": {"of_another_branch": "2026-03-14"}}
    place().write_text(json.dumps(content))
    keep_solved("0.1")
    kept = json.loads(place().read_text())
    assert kept["note"] == "mine"
    assert [*kept["solved"]] == ["of_another_branch", "one_step"]


def a_folder(path):
    path.mkdir()


def a_pipe(path):
    os.mkfifo(path)


def a_device(path):
    """Make a null device of our own, where a mistake costs nobody else's."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root can make a device")


def too_large(path):
    path.write_bytes(b" " * (LARGEST + 1))


@posix
@pytest.mark.parametrize("what", [a_folder, a_pipe, a_device, too_large])
def test_only_a_plain_file_is_read_or_replaced(what, tmp_path, monkeypatch):
    """Catches: a pipe that is waited for, a device read without end or replaced, a film in memory,
    a lock laid into /dev. Who waits for a pipe waits for ever: a clock ends the test.
    """

    def laid(lock, patience):
        pytest.fail("a lock was laid beside what is not ours")

    path = tmp_path / "there"
    what(path)
    before = path.lstat()
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    if what is not too_large:  # to know that takes reading
        monkeypatch.setattr(progress_file, "only_writer", laid)
    signal.alarm(20)
    for told in (keep_solved("0.1"), repr(read_progress())):
        assert "progress is not kept" in told
        assert "name another file in COURSE_PROGRESS, or set that to off" in told
    signal.alarm(0)
    assert (path.lstat().st_ino, path.lstat().st_mtime) == (before.st_ino, before.st_mtime)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("nowhere", ["off", " OFF ", os.devnull])
def test_nothing_is_kept_where_that_is_asked_for(nowhere, monkeypatch):
    """Catches: the null device replaced by a file for every program of the machine."""
    monkeypatch.setenv("COURSE_PROGRESS", nowhere)
    assert place() is None
    assert keep_solved("0.1") == ""


def test_a_relative_path_is_one_file_wherever_it_is_asked_for(monkeypatch, tmp_path):
    """Catches: a lecture and a terminal, in two folders, that count in two files."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("COURSE_PROGRESS", "mine/progress.json")
    found = set()
    for folder in (tmp_path / "notebooks", tmp_path / "terminal"):
        folder.mkdir()
        monkeypatch.chdir(folder)
        found.add(place())
    assert found == {tmp_path / "mine" / "progress.json"}


@posix
def test_a_link_is_followed_and_a_mode_kept(monkeypatch, tmp_path):
    """Catches: a synchronised file that ends to be one, a private one that all can read."""
    real = tmp_path / "synchronised" / "progress.json"
    place().symlink_to(real)
    keep_solved("0.1")
    real.chmod(0o600)
    real.write_bytes(b"{")
    keep_solved("1.1")
    assert place().is_symlink()
    assert {path.name for path in real.parent.iterdir()} == {real.name, "progress.damaged-1.json"}
    assert {path.stat().st_mode & 0o777 for path in real.parent.iterdir()} == {0o600}


def check_here(said, prepare):
    """Check a right answer after `prepare`, and send all that was shown, or what was raised."""
    notes = []
    lecture_calls.display = lambda note: notes.append(repr(note))
    try:
        prepare()
        check("0.1", find("0.1")[1].reference)
    except BaseException as error:
        notes.append(f"raised: {error!r}")
    said.send("\n".join(notes))


def shown_where(prepare) -> str:
    """Return what a check shows in a process of which `prepare` has made something else."""
    ours, theirs = processes().Pipe(duplex=False)
    child = started(check_here, theirs, prepare)
    theirs.close()
    said = ours.recv()
    child.join()
    return said


def become_nobody():
    """Give up root, where this is root: it may read and write all."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setuid(54321)


def no_home():
    del os.environ["COURSE_PROGRESS"]
    os.environ.pop("HOME", None)
    os.environ.pop("XDG_DATA_HOME", None)
    os.setgroups([])
    os.setuid(54321)


def of_nobody_known():
    os.environ["COURSE_PROGRESS"] = "~nobody_of_this_name/progress.json"


def full_disk():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))


def locked_folder():
    place().parent.chmod(0o555)
    become_nobody()


def protected_file():
    place().parent.chmod(0o777)
    place().chmod(0o444)
    become_nobody()


def unreadable_file():
    place().parent.chmod(0o777)
    place().chmod(0o000)
    become_nobody()


def below_a_file():
    os.environ["COURSE_PROGRESS"] = str(place() / "progress.json")


def a_loop_of_links():
    loop = place().with_name("loop")
    loop.symlink_to(loop)
    os.environ["COURSE_PROGRESS"] = str(loop)


def bytes_that_are_no_text():
    os.environb[b"COURSE_PROGRESS"] = os.fsencode(place()) + b"/\xff"


TROUBLES = {
    no_home: "no home folder is known for this user. Set COURSE_PROGRESS to a path",
    of_nobody_known: "no home folder is known for ~nobody_of_this_name/progress.json",
    full_disk: "File too large",
    locked_folder: "Permission denied",
    protected_file: "Permission denied",
    unreadable_file: "Permission denied",
    below_a_file: "Not a directory",
    a_loop_of_links: "Too many levels of symbolic links",
    bytes_that_are_no_text: "Not a directory",
}


@pytest.mark.skipif(sys.platform != "linux", reason="users and limits are set as Linux does")
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_check_tells_of_a_place_where_nothing_can_be_kept(trouble, tmp_path):
    """Catches: a right answer lost in a traceback, in a container without a home or a full disk,
    and a file replaced that was not to be written or could not be read."""
    if trouble is no_home and os.geteuid() != 0:
        pytest.skip("only root can become a user that nobody knows")
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    before = json.dumps({"version": VERSION, "solved": {"to_keeping": "2026-03-14"}})
    place().write_text(before)
    shown = shown_where(trouble)
    tmp_path.chmod(0o755)
    assert shown.startswith("✓ Exercise 0.1: Correct, values and shapes. (progress is not kept: ")
    assert TROUBLES[trouble] in shown
    place().chmod(0o644)
    assert place().read_text() == before
    assert {path.name for path in tmp_path.iterdir()} <= {"progress.json", "loop"}


def hold(lock, said):
    with files.only_writer(lock):
        said.send("held")
        signal.pause()


@posix
def test_a_lock_that_is_never_let_go_is_told(monkeypatch):
    """Catches: a check that waits for ever for a lecture that was stopped in the middle."""
    monkeypatch.setattr(progress_file, "PATIENCE", 0.2)
    ours, theirs = processes().Pipe(duplex=False)
    holder = started(hold, place().with_name(f".{place().name}.lock"), theirs)
    assert ours.recv() == "held"
    assert f"is held by process {holder.pid} on " in keep_solved("0.1")
    holder.kill()
    holder.join()
    assert keep_solved("0.1").startswith("1 of")


@posix
@pytest.mark.parametrize(
    ("error", "told"), [(errno.ENOLCK, "1 of"), (errno.EIO, "progress is not kept: ")]
)
def test_a_disk_without_locks_keeps_progress_all_the_same(error, told, monkeypatch):
    """Catches: nothing kept in a home folder on a server that knows no locks, and a file written
    without a lock on a disk that is broken."""
    import fcntl

    def none(*arguments):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(fcntl, "flock", none)
    assert keep_solved("0.1").startswith(told)
    assert place().exists() == (error == errno.ENOLCK)
