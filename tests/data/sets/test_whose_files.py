"""Nothing of a reader's is deleted in COURSE_DATA, and what it cannot be is said in one line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import textwrap
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from course_utils.data.sets import registry
from course_utils.data.sets.cache import NoPlaceError, cache_folder
from course_utils.data.sets.catalogue import Entry
from course_utils.data.sets.digests import RemoteFile, sha256_of
from course_utils.own_files import NotOurs
from tests.command_line import course_data
from tests.data.sets.small_sets import zipped
from tests.training.training_runs import forks

STRANGER = 54321  # a user without a name and without a home, as in a hub's container


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Give the test a cache of its own."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "cache"))
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def given(tmp_path):
    """Return a file of the set that every test here is about."""
    (tmp_path / "data.txt").write_bytes(b"published\n" * 100)
    return tmp_path / "data.txt"


@pytest.fixture
def wanted(given):
    known = RemoteFile("data.txt", "https://x", given.stat().st_size, sha256_of(given))
    return Entry("thing", "", "", "", (known,), str)


def content(folder: Path) -> dict[str, bytes | str]:
    """Return what lies below a folder, but for what the course keeps for its work."""
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if (path.is_symlink() or path.is_file()) and ".recurrent-course" not in path.parts
    }


def own_file(folder, wanted, given):
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "annotated.tsv").write_text("mine")


def own_file_of_the_same_name(folder, wanted, given):
    folder.mkdir()
    (folder / "data.txt").write_text("mine")


def notes_beside_the_set(folder, wanted, given):
    registry.add(wanted, [given])
    (folder / "my_notes.txt").write_text("mine")
    (folder / "data.txt").write_text("damaged, so that it is fetched again")


def own_manifest(folder, wanted, given):
    folder.mkdir()
    (folder / "MANIFEST.json").write_text('{"data.txt": "of my own program"}')
    (folder / "data.txt").write_text("mine")


def link(folder, wanted, given):
    registry.add(wanted, [given])
    (folder / "data.txt").write_text("damaged, so that it is fetched again")
    folder.rename(folder.parent.parent / "elsewhere")
    folder.symlink_to(folder.parent.parent / "elsewhere")


def file_in_its_place(folder, wanted, given):
    folder.write_text("mine")


@pytest.mark.parametrize("command", ["fetch", "add", "remove"])
@pytest.mark.parametrize(
    "make",
    [
        own_file,
        own_file_of_the_same_name,
        notes_beside_the_set,
        own_manifest,
        link,
        file_in_its_place,
    ],
)
def test_a_readers_own_folder_is_refused_and_stays(cache, wanted, given, command, make):
    """Catches: who points COURSE_DATA at the data that they have loses what is called as a set."""
    make(cache / "thing", wanted, given)
    before = content(cache.parent)
    calls = {
        "fetch": lambda: registry.fetch(wanted),
        "add": lambda: registry.add(wanted, [given]),
        "remove": lambda: registry.remove(wanted),
    }
    with pytest.raises(NotOurs, match=r"thing .*: move it away, or set COURSE_DATA"):
        calls[command]()
    assert content(cache.parent) == before


def test_a_folder_that_is_filled_meanwhile_stays(cache, wanted, given, monkeypatch):
    """Catches: a look before the download only, which takes minutes."""
    hashed = registry.sha256_of

    def somebody_writes(path: Path) -> str:
        own_file_of_the_same_name(cache / "thing", wanted, given)
        return hashed(path)

    with monkeypatch.context() as patched:
        patched.setattr(registry, "sha256_of", somebody_writes)
        with pytest.raises(NotOurs, match=r"thing holds data\.txt"):
            registry.add(wanted, [given])
    assert (cache / "thing" / "data.txt").read_text() == "mine"
    (cache / "thing" / "data.txt").unlink()
    assert registry.add(wanted, []) == [], "what had been taken was lost"


def test_a_damaged_set_is_ours_to_mend_and_to_remove(cache, wanted, given):
    """Catches: a set that nobody can repair because its file is not as it came."""
    for _ in range(2):
        assert registry.add(wanted, [given]) == []
        (cache / "thing" / "data.txt").write_text("damaged")
    assert registry.remove(wanted)
    assert [path.name for path in cache.iterdir()] == [".recurrent-course"]
    assert not registry.remove(wanted)


def test_the_command_says_it_in_one_line(cache, capsys):
    """Catches: a traceback, and an exit code of 0 for what was not done."""
    own_file(cache / "senseval", None, None)
    assert course_data(["remove", "senseval"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"course data: {cache / 'senseval'} holds deep, which the course did")
    assert said.count("\n") == 1


ON_A_FULL_DISK = """
    import errno, resource, signal, sys
    from pathlib import Path
    from course_utils.data.sets import registry
    from tests.data.sets.test_whose_files import archived
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    wanted, archives = archived(Path(sys.argv[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))
    try:
        registry.add(wanted, archives)
    except OSError as error:
        print(errno.errorcode[error.errno], error)
"""


def archived(folder: Path) -> tuple[Entry, list[Path]]:
    """Return a set of two small archives, the second of which takes room, and its files."""
    files, paths = [], []
    for name, size in (("a", 10), ("b", 100_000)):
        inside = folder / name
        path = folder / f"{name}.zip"
        if not inside.exists():
            inside.mkdir(parents=True)
            (inside / f"{name}.txt").write_bytes(bytes(size))
            zipped(inside, path)
        paths.append(path)
        files.append(RemoteFile(path.name, "https://x", path.stat().st_size, sha256_of(path)))
    return Entry("thing", "", "", "", tuple(files), str, archives=True), paths


@pytest.mark.skipif(os.name == "nt", reason="only Unix can limit the size of files")
def test_a_full_disk_costs_nothing_that_was_verified(cache, tmp_path):
    """Catches: a finished download, and a file taken before, deleted because there was no room to
    unpack them. The disk is full for that process alone: no file may grow beyond 50,000 bytes."""
    wanted, _ = archived(tmp_path / "given")
    program = [sys.executable, "-c", textwrap.dedent(ON_A_FULL_DISK), str(tmp_path / "given")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    ended = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert ended.stdout.startswith("EFBIG"), ended
    assert "make room, or set COURSE_DATA" in ended.stdout
    assert registry.problems(wanted) == ["thing is not in the cache"]
    assert registry.add(wanted, []) == []
    assert registry.problems(wanted) == []
    assert (cache / "thing" / "b.txt").read_bytes() == bytes(100_000)


# ── no place ──────────────────────────────────────────────────────────────────────────────────────


def test_a_home_that_is_nobodys_is_said(monkeypatch, capsys, wanted):
    """Catches: expanduser's RuntimeError from every lecture that asks what sets are there."""
    monkeypatch.setenv("COURSE_DATA", "~no_user_of_this_name/x")
    with pytest.raises(NoPlaceError, match="COURSE_DATA=~no_user_of_this_name/x names no folder"):
        cache_folder()
    assert "set COURSE_DATA" in registry.problems(wanted)[0]
    for arguments in (["list"], ["fetch", "senseval"], ["remove", "senseval"], ["verify"]):
        assert course_data(arguments) == 1
        said = capsys.readouterr().err
        assert "names no folder: set COURSE_DATA to a folder where data can be kept" in said
        assert said.count("\n") == 1


def list_as_a_stranger(answer, closed: Path | None) -> None:
    """Become a user whom the system does not know, and send back what the command says."""
    course_data(["list"])  # for the modules, which a stranger may not be able to read
    for name in ("HOME", "COURSE_DATA", "XDG_CACHE_HOME"):
        os.environ.pop(name, None)
    if closed:
        os.environ["COURSE_DATA"] = str(closed / "data")
    os.setgroups([])
    os.setgid(STRANGER)
    os.setuid(STRANGER)
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        code = course_data(["list"])
    answer.send((code, said.getvalue()))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to be root")
@pytest.mark.parametrize("place", ["nowhere", "unreadable"])
def test_a_container_without_a_home_gets_one_line(tmp_path, place):
    """Catches: a traceback for a user whom the system does not know, or who may read nothing."""
    (tmp_path / "closed").mkdir(mode=0o700)
    closed = tmp_path / "closed" if place == "unreadable" else None
    ours, theirs = forks().Pipe(duplex=False)
    child = forks().Process(target=list_as_a_stranger, args=(theirs, closed))
    child.start()
    theirs.close()
    code, said = ours.recv()
    child.join()
    assert code == 1
    assert said.count("\n") == 1
    assert ("Permission denied" if closed else "no home folder here: set COURSE_DATA") in said
