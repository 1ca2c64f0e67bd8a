"""Whatever folder a command is given, every file that was there before is there after it.

The exceptions are what a command's help says that it replaces: the pages that `docs` and `claims`
renew. What `train` does with a model's name is seen in tests/training/test_recipes.py.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from hypothesis import strategies as st

from course_utils import cli, lab
from course_utils.lab import FIRST
from course_utils.models.elmo import BiLM
from course_utils.site import runs
from tests.command_line import course
from tests.embedding.test_shards import OPTIONS
from tests.tools.lesson import write_lesson
from tests.training.quick_words import quick_words
from tools import __main__ as maintaining
from tools.claims.table import PAGE
from tools.docs import ARCHITECTURE, CROSSWALK

COMMANDS: dict[str, tuple[str, ...]] = {
    "solved": ("solved",),
    "notes": ("notes", "0"),
    "cards": ("cards",),
    "site": ("site",),
    "race": ("train", "word_race", "--steps", "1", "--device", "cpu"),
    "embed": ("embed", "sentences.txt"),
    "hdf5": ("embed", "sentences.txt", "--kind", "hdf5"),
}
DATA = (
    ("data", "list"),
    ("data", "add", "elmo_small", "options.json", "weights.hdf5"),
    ("data", "remove", "elmo_small"),
    ("data", "fetch", "elmo_small"),
    ("data", "verify"),
)
ELMO = "elmo_small/elmo_2x1024_128_2048cnn_1xhighway_"
NAMES = (
    "diary.txt", ".hidden", "00_small.ipynb", "00_start_here.ipynb", "99_mine.ipynb",
    "index.html", "site.css", "00_small.html", "tours", "pictures", "notebooks/00_small.ipynb",
    "00_small_notes.html", "00_start_here_notes.html", "cards.html",
    ".course-files.json", ".course-files.json.next", ".course-files.json.lock",
    "counting_gru.json", "counting_gru.safetensors", ".counting_gru.lock",
    "counting_gru.run", "counting_gru.run/run.safetensors", "counting_gru.run/.lock",
    ".counting_gru.json.mine.partial",
    "word_race.json", "word_race.unfinished.json", ".word_race.lock",
    "settings.json", ".settings.json.lock", "index.json", ".index.json.lock", "vectors.hdf5",
    "shard-00000.safetensors", "shard-00000.hdf5", "shard-00000.safetensors.progress",
    "elmo_small/mine.txt", "elmo_small/MANIFEST.json", ".incoming/elmo_small/mine.txt",
    ".locks/elmo_small.lock", f"{ELMO}options.json", f"{ELMO}weights.hdf5",
    "progress.json", ".progress.json.lock",
)  # fmt: skip
OUTS = ("out", ".", "", "notebooks", "out/deeper", "a file", "a link", "a dead link", "~", "--")


class Thing(NamedTuple):
    """What somebody keeps under a name."""

    name: str
    kind: str
    content: bytes


THINGS = st.lists(
    st.builds(
        Thing,
        st.sampled_from(NAMES),
        st.sampled_from(["file", "file", "file", "read-only", "link", "dead link", "folder"]),
        st.sampled_from([b"", b"mine", b"{}", b"[]", b"process of mine", b'{"mine": "0"}']),
    ),
    max_size=4,
)


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Make a small course, and the commands quick; return the folder, which is the current one."""
    write_lesson(tmp_path / "course")
    write_lesson(tmp_path / "course", name=FIRST.name)
    for page in (PAGE, ARCHITECTURE, CROSSWALK):
        (tmp_path / "course" / page).parent.mkdir(exist_ok=True)
        shutil.copy(maintaining.ROOT / page, tmp_path / "course" / page)
    torch.manual_seed(20)
    model = BiLM(OPTIONS).eval().requires_grad_(False)
    monkeypatch.setattr(cli.embed, "_model", lambda *of: model)
    quick_words(monkeypatch, stop_at=-1)
    monkeypatch.setattr(maintaining, "ROOT", tmp_path / "course")
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    monkeypatch.setenv("COURSE_SITE_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(runs, "run", lambda lecture: runs.nbformat.read(lecture, 4))
    monkeypatch.setattr(runs, "package_digest", lambda: "the same")
    runs.run_lectures((tmp_path / "course" / "notebooks").glob("*.ipynb"), lambda _: None)
    monkeypatch.setattr(lab, "_with_the_package", lambda: tmp_path / "course" / "notebooks")
    monkeypatch.chdir(tmp_path / "course")
    return tmp_path


def arrange(world: Path, things: list[Thing]) -> Path:
    """Put somebody's things into new folders; return the current one."""
    here = world / "course"
    for name in ("here", "elsewhere"):
        shutil.rmtree(world / name, ignore_errors=True)
        (world / name).mkdir()
    for name in ("out", "trained", "build", "a file", "a link", "a dead link", "~", "--"):
        path = here / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif os.path.lexists(path):
            path.unlink()
    for name in os.listdir(here):
        if name not in ("notebooks", "solutions", "docs"):
            path = here / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    (here / "sentences.txt").write_text("the cat sat\na dog ran\n")
    for name in ("options.json", "weights.hdf5"):
        (here / f"elmo_2x1024_128_2048cnn_1xhighway_{name}").write_text(f"published {name}")
    (here / "a file").write_text("mine")
    (here / "a link").symlink_to(world / "elsewhere")
    (here / "a dead link").symlink_to(world / "nowhere")
    for number, thing in enumerate(things):
        for folder in (here / "out", here):
            put(world, folder, thing, number)
    return here


def put(world: Path, folder: Path, thing: Thing, number: int) -> None:
    """Put one thing there, unless something is in its way."""
    path = folder / thing.name
    if os.path.lexists(path) or any(p.is_file() for p in path.parents):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    theirs = world / "elsewhere" / f"{number}"
    theirs.write_bytes(thing.content)
    if thing.kind == "folder":
        path.mkdir()
        (path / "mine.txt").write_bytes(thing.content)
    elif thing.kind == "link":
        path.symlink_to(theirs)
    elif thing.kind == "dead link":
        path.symlink_to(world / "nowhere")
    else:
        path.write_bytes(thing.content)
        path.chmod(0o444 if thing.kind == "read-only" else 0o644)


def files_in(world: Path) -> dict[str, object]:
    """Return every file and link under the world, and what it holds."""
    found: dict[str, object] = {}
    for root, folders, files in os.walk(world):
        for name in (*files, *folders):
            path = Path(root, name)
            if path.is_symlink():
                found[str(path)] = os.readlink(path)
            elif path.is_file():
                found[str(path)] = (path.read_bytes(), path.stat().st_mode)
    return found


def lost(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Return what is no longer as it was."""
    return [path for path, was in before.items() if after.get(path) != was]


@pytest.mark.parametrize("name", COMMANDS)
def test_any_folder_as_output_loses_nothing(world, drawing, name, capsys):
    """Catches `solved --out notebooks`, and every command that takes a name for its own."""

    @drawing(THINGS, st.sampled_from(OUTS), cases=40)
    def _(things, out):
        arrange(world, things)
        before = files_in(world)
        code = course(*COMMANDS[name], f"--out={out}")
        said = capsys.readouterr()
        assert lost(before, files_in(world)) == [], (code, said)
        assert "Traceback" not in said.err
        assert code == 0 or said.err.strip(), "a command that did nothing says so"


def test_a_start_anywhere_loses_nothing(world, drawing, capsys):
    """Catches lectures copied over answers, and a folder that cannot be written told by a trace."""

    @drawing(THINGS, st.sampled_from([out for out in OUTS if out not in ("", "--")]), cases=40)
    def _(things, folder):
        arrange(world, things)
        before = files_in(world)
        code = course("start", "--only-copy", folder)
        said = capsys.readouterr()
        assert lost(before, files_in(world)) == [], (code, said)
        assert "Traceback" not in said.err
        assert code == 0 or said.err.strip(), "a command that did nothing says so"


def test_any_folder_of_data_loses_nothing(world, drawing, monkeypatch, capsys):
    """Catches `course data remove` with COURSE_DATA where somebody keeps a folder of that name."""
    orders = st.lists(st.sampled_from(DATA), min_size=1, max_size=3)

    @drawing(THINGS, st.sampled_from(OUTS), orders, cases=60)
    def _(things, out, commands):
        here = arrange(world, things)
        monkeypatch.setenv("COURSE_DATA", str(here / out))
        before = files_in(world)
        for command in commands:
            files = [f"elmo_2x1024_128_2048cnn_1xhighway_{n}" for n in command[3:]]
            code = course(*command[:3], *files)
            said = capsys.readouterr()
            assert "Traceback" not in said.err
            assert code == 0 or said.err.strip() or said.out.strip()
        assert lost(before, files_in(world)) == [], commands


@pytest.mark.parametrize("name", ["solved", "notes", "site"])
def test_what_a_reader_changed_stays(world, name, capsys):
    """Catches a solved copy or a page of notes that was worked on, and is written over."""
    arrange(world, [])
    command = (*COMMANDS[name], "--out=out")
    assert course(*command) == 0
    assert course(*command) == 0, "what it wrote itself it may replace"
    (written, *_) = sorted(Path("out").glob("0*"))
    written.write_text("and my remarks")
    before = files_in(world)
    assert course(*command) == 1
    assert f"{written} was not written by this command, or was changed" in capsys.readouterr().err
    assert lost(before, files_in(world)) == []


def test_docs_and_claims_replace_the_pages_that_they_name(world, capsys):
    """Catches: a page of docs/ beside them that is touched, or help that does not name one."""
    arrange(world, [])
    (Path("docs") / "mine.md").write_text("mine")
    before = files_in(world)
    for command in (("docs",), ("claims", "--recorded"), ("claims", "00_small")):
        course(*command)
    changed = {Path(path).name for path in lost(before, files_in(world))}
    assert changed <= {PAGE.name, ARCHITECTURE.name, CROSSWALK.name}
    capsys.readouterr()
    for command, pages in (("docs", [ARCHITECTURE, CROSSWALK]), ("claims", [PAGE])):
        course(command, "--help")
        said = " ".join(capsys.readouterr().out.split())
        assert all(page.as_posix() in said for page in pages)


def test_progress_is_only_read(world, drawing, monkeypatch, capsys):
    """Catches `course progress` that puts its own file in the place of another."""

    @drawing(THINGS, st.sampled_from((*OUTS, "out/progress.json", "diary.txt")), cases=60)
    def _(things, file):
        here = arrange(world, things)
        monkeypatch.setenv("COURSE_PROGRESS", str(here / file))
        before = files_in(world)
        course("progress")
        course("progress", "--where")
        assert "Traceback" not in capsys.readouterr().err
        assert lost(before, files_in(world)) == []
