"""One command makes .venv, the same command repairs it, and what works is never taken away."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.house import small_course
from tests.house.small_course import make, make_small_course, start, write_wheel
from tools import install

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("COURSE_KILLS", "4"))
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs make; README has pip lines instead")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a small course, installed once; and a copy of its .venv to begin from again."""
    root, began = make_small_course(tmp_path_factory.mktemp("small") / "course"), time.monotonic()
    assert make(root) == (0, "Installing the course into .venv: a few minutes the first time.\n"
                             "grain 1\n")  # fmt: skip
    (root / "took").write_text(str(time.monotonic() - began))
    (root / ".venv").rename(root / "first")
    return root


@pytest.fixture
def small(installed):
    """Return that course as it was when it had just been installed, newer pins at hand."""
    for left in installed.glob(".venv*"):
        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    first, files = installed / "first", {"copy_function": install.link, "symlinks": True}
    shutil.copytree(first, installed / ".venv", **files)
    (installed / "constraints.txt").write_text("grain==1\n")
    (installed / "pyproject.toml").write_text(small_course.PROJECT)
    (installed / "course_utils" / small_course.SLIDES).write_text("slides")
    return installed


def newer_pins(root: Path) -> None:
    (root / "constraints.txt").write_text("grain==2\n")


def content(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder, without what Python compiles as it goes."""
    files = (f for f in folder.rglob("*") if f.is_file() and "__pycache__" not in f.parts)
    return {str(f.relative_to(folder)): f.read_bytes() for f in files}


def left_over(root: Path) -> list[str]:
    return [path.name for path in root.glob(".venv.*")]


def test_a_second_start_has_nothing_to_do(small):
    """Catches an install at every start, and one for a line of pyproject that installs nothing."""
    assert make(small, online=False) == (0, "grain 1\n")
    project = small_course.PROJECT.replace("line-length = 100", "line-length = 99")
    (small / "pyproject.toml").write_text(project)
    assert make(small, online=False) == (0, "grain 1\n")


def test_new_pins_are_installed(small):
    """Catches an update that does not come, or leaves two environments behind."""
    newer_pins(small)
    code, told = make(small)
    assert (code, told.splitlines()[-1]) == (0, "grain 2"), told
    assert left_over(small) == []
    assert make(small, online=False) == (0, "grain 2\n")


def test_without_a_network_what_works_stays(small):
    """Catches an update that fails and takes the lectures with it, at once or next time."""
    before = content(small / ".venv")
    newer_pins(small)
    for _ in range(3):
        code, told = make(small, online=False)
        assert code == 0, told
        opens = [line for line in told.splitlines() if "opens as it was" in line]
        assert len(opens) == 1
        assert "ERROR: " in opens[0]  # the first that pip names
        assert told.splitlines()[-1] == "grain 1"
        assert content(small / ".venv") == before
        assert left_over(small) == []
    code, told = make(small, "install", online=False)  # as for `make test`: no proof by old pins
    assert code == 2
    assert "Run the same command again" in told


def test_pip_that_fails_half_way_is_undone(small):
    """Catches a kept copy that pip wrote into: a file with two names is one file."""
    before = content(small / ".venv")
    newer_pins(small)
    project = small_course.PROJECT.replace('["grain"]', '["grain", "sand"]')
    (small / "pyproject.toml").write_text(project)
    files = {"pip": "no file can take the place of pip's own folder: here it ends"}
    wheel = (
        small
        / "wheels"
        / write_wheel(small / "wheels", "sand", "1", files, "Requires-Dist: grain\n")
    )
    code, told = make(small)
    wheel.unlink()
    assert (code, told.splitlines()[-1]) == (0, "grain 1"), told
    assert content(small / ".venv") == before


def test_changed_slides_need_no_install(small):
    """Catches slides in a plain `jupyter lab` that are those of last week."""
    copy = small / ".venv/share/jupyter/labextensions" / Path(*small_course.SLIDES.parts[1:])
    assert copy.read_text() == "slides"
    (small / "course_utils" / small_course.SLIDES).write_text("other slides")
    assert make(small, online=False) == (0, "grain 1\n")
    assert copy.read_text() == "other slides"


def test_stopped_before_any_step_it_is_repaired(tmp_path):
    """Catches a moment between two steps, of a kill or of Ctrl-C, that leaves no way back."""
    driver = [sys.executable, Path(__file__).with_name("killed_steps.py"), tmp_path]
    told = subprocess.run(driver, capture_output=True, text=True)
    *lost, count = told.stdout.splitlines()
    assert lost == [], told.stdout
    assert int(count.split()[0]) > 60, "there were more steps once"


@pytest.mark.slow
@pytest.mark.parametrize("kill", range(KILLS))
def test_killed_at_any_moment_it_is_repaired(small, kill):
    """Catches what pip leaves when it is killed as well; more moments by COURSE_KILLS=60."""
    draw = random.Random(kill)
    first, whom = kill % 3 == 2, draw.choice(["make and all below it", "the installer alone"])
    how = draw.choice([signal.SIGKILL, signal.SIGINT])
    if first:
        shutil.rmtree(small / ".venv")
    newer_pins(small)
    process = start(small, sys.executable, "tools/install.py", install.OLDER_WILL_DO)
    seconds = float((small / "took").read_text()) * (1 if first else 0.4)
    time.sleep(draw.uniform(0, seconds))  # any moment will do: there is none to wait for
    if whom == "the installer alone":
        process.send_signal(how)
    else:
        os.killpg(process.pid, how)
    said, _ = process.communicate()
    # before main Python itself answers Ctrl-C: it was still importing the standard library
    assert "Traceback" not in said or ", in main" not in said
    if draw.random() < 0.5:
        code, told = make(small, online=False)
        assert "Traceback" not in told
        assert (code == 0) or first, told
        assert told.splitlines()[-1] in ("grain 1", "grain 2") or first
    code, told = make(small)
    assert (code, told.splitlines()[-1]) == (0, "grain 2"), told
    assert left_over(small) == []
    assert subprocess.run([small / ".venv/bin/python", "-m", "pip", "check"]).returncode == 0


def test_who_comes_second_waits_for_the_first(small):
    """Catches two installs in one folder: pip runs on when the installer alone is killed."""
    newer_pins(small)
    os.mkfifo(small / "gate")
    first = start(small, sys.executable, "tools/install.py")
    with (small / "gate").open("w"):  # opens when pip has begun to build, which now waits for us
        first.kill()
        first.wait()
        first.stdout.close()
        (small / "gate").unlink()
        second = start(small, "make", "-s", "lab", f"PYTHON={sys.executable}")
        assert second.stdout.readline() == "Waiting for an install that is under way.\n"
    told, _ = second.communicate()
    assert (second.returncode, told.splitlines()[-1]) == (0, "grain 2")
    assert left_over(small) == []


def test_without_constraints_the_newest_versions_come(small):
    """Catches a weekly run that tries the pinned set again, and one whose .venv then stays."""
    assert make(small, CONSTRAINTS="")[1].splitlines()[-1] == "grain 2"
    assert make(small)[1].splitlines()[-1] == "grain 1"


def by_hand(root: Path) -> str:
    """Make .venv as README says for those without make, but for the packages."""
    shutil.rmtree(root / ".venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / ".venv"], check=True)
    (root / ".venv" / "my_notes.txt").write_text("mine")
    return ".venv"


def with_the_course(root: Path) -> str:
    """Install the course by hand into an environment that make knows nothing of."""
    for name in (install.STAMP, install.MARKER):
        (root / ".venv" / name).unlink(missing_ok=True)
    return ".venv"


def as_a_link(root: Path) -> str:
    """Let .venv lie on another disk."""
    (root / ".venv").rename(root / ".venv.elsewhere")
    (root / ".venv").symlink_to(root / ".venv.elsewhere")
    return ".venv.elsewhere"


def as_a_dead_link(root: Path) -> str:
    """Let the other disk be gone."""
    shutil.rmtree(root / ".venv")
    (root / ".venv").symlink_to("nowhere")
    return ".venv"


def as_a_file(root: Path) -> str:
    """Let something else have the name."""
    shutil.rmtree(root / ".venv")
    (root / ".venv").write_text("PATH=.")
    return ".venv"


def as_a_folder(root: Path) -> str:
    """Keep something in a folder of the name."""
    shutil.rmtree(root / ".venv")
    (root / ".venv").mkdir()
    (root / ".venv" / "diary.txt").write_text("dear")
    return ".venv"


@pytest.mark.parametrize(
    ("change", "works"),
    [
        (with_the_course, True),
        (as_a_link, True),
        (by_hand, False),
        (as_a_dead_link, False),
        (as_a_file, False),
        (as_a_folder, False),
    ],
)
def test_what_the_reader_made_is_theirs(small, change, works):
    """Catches a .venv of the reader's that is thrown away, or written to, and a traceback."""
    place = small / change(small)
    before = content(place) if place.is_dir() else untouched(place)
    newer_pins(small)
    code, told = make(small)
    assert "Traceback" not in told
    if works:
        assert (code, told.splitlines()[-1]) == (0, "grain 1"), told
        assert "Using .venv as you made it" in told
    else:
        assert code == 2
        assert "Move it away" in told
    assert (content(place) if place.is_dir() else untouched(place)) == before


def untouched(place: Path) -> tuple[int, ...]:
    """Return what stays as it is while a file or link is only looked at."""
    found = os.lstat(place)
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns


def test_a_clone_that_cannot_be_written(small):
    """Catches a traceback in a container whose clone belongs to somebody else."""
    newer_pins(small)
    (small / ".venv.rubbish").write_text("a file in the way stands for whatever the system refuses")
    with_the_course(small)
    (small / ".venv" / install.MARKER).touch()
    code, told = make(small)
    assert code == 2
    assert "Traceback" not in told
    assert "Fix that, then run it again" in told


def test_a_python_that_may_not_be_looked_at_is_told(small):
    """Catches a traceback, and a .venv thrown away, where it leads into another user's folder."""
    newer_pins(small)
    (small / ".venv/bin/python").unlink()
    (small / ".venv/bin/python").symlink_to("x" * 300)  # no system lets us look there either
    code, told = make(small)
    assert code == 2
    assert "Traceback" not in told
    assert "Fix that, then run it again" in told
    assert (small / ".venv/bin/python").is_symlink()


@pytest.fixture
def ready(tmp_path, monkeypatch):
    """Let the module believe in a finished environment under another root."""
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "VENV", tmp_path / ".venv")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    (tmp_path / ".venv" / install.STAMP).write_text(install.fingerprint())
    return tmp_path


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "pyproject.toml").write_text("[project]"),
        lambda root: (root / "constraints.txt").write_text("torch==2.13.1"),
        lambda root: (root / ".venv" / install.MARKER).touch(),
        lambda root: (root / ".venv" / install.STAMP).unlink(),
        lambda root: (root / ".venv" / "bin" / "python").unlink(),
        lambda root: root.rename(root.with_name("moved")),
    ],
    ids=["project", "pins", "interrupted", "unfinished", "its Python is gone", "moved"],
)
def test_an_environment_that_does_not_fit_is_not_ready(ready, change, monkeypatch):
    """Catches a change after which the old environment would go on being used."""
    assert install.is_ready()
    change(ready)
    if not ready.exists():
        ready = ready.with_name("moved")
        monkeypatch.setattr(install, "ROOT", ready)
        monkeypatch.setattr(install, "VENV", ready / ".venv")
    assert not install.is_ready()


def test_another_python_makes_a_new_environment(ready, monkeypatch):
    """Catches an environment whose Python was replaced below it."""
    monkeypatch.setattr(sys, "version", "3.99.0 (main)")
    assert not install.is_ready()


@pytest.mark.parametrize("version", [(2, 7), (3, 6), (3, 10), (3, 15)])
def test_a_python_that_does_not_fit_is_told(version):
    """Catches a resolver's page of conflicts where one sentence would do."""
    told = install.problem_with_python(version)
    assert f"This is Python {version[0]}.{version[1]}; the course needs 3.11 to 3.14" in told
    assert "make PYTHON=python3." in told


def test_a_python_without_venv_is_told():
    """Catches Debian's Python, which comes without ensurepip."""
    told = install.problem_with_python((3, 12), has=lambda name: None if name == "ensurepip" else 1)
    assert "came without ensurepip" in told
    assert "sudo apt install python3.12-venv" in told
    assert install.problem_with_python((3, 12), has=lambda name: 1) == ""
