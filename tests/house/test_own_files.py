"""What we did not write is never replaced or deleted, whenever we are stopped."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import strategies as st

from course_utils import files
from course_utils.own_files import NOTE, NotOurs, foreign, ours, publish, refuse_foreign, take_away

FIRST = {"a.txt": b"one", "b.txt": b"two"}
SECOND = {"a.txt": b"other", "c.txt": b"three"}


def content(folder: Path) -> dict[str, bytes]:
    """Return every file but the notes."""
    found = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if NOTE not in name}


def test_ours_is_replaced_and_what_is_no_longer_made_is_gone(tmp_path):
    """Catches: copies of lectures that are gone, and a second call that is refused."""
    out = tmp_path / "new" / "folder"
    assert publish(out, FIRST, alone=True) == [out / "a.txt", out / "b.txt"]
    assert foreign(out) == []
    publish(out, SECOND, alone=True)
    assert content(out) == SECOND
    assert ours(out) == {n: hashlib.sha256(c).hexdigest() for n, c in SECOND.items()}
    publish(out, {"d.txt": lambda path: path.write_bytes(b"four")})
    assert content(out) == {**SECOND, "d.txt": b"four"}
    assert take_away(out)
    assert not out.exists()


def a_file(folder):
    (folder / "a.txt").write_text("mine")


def a_changed_file(folder):
    publish(folder, FIRST)
    (folder / "b.txt").write_text("two, and mine")
    (folder / "a.txt").write_text("one, and mine")


def a_link(folder):
    (folder.parent / "elsewhere").write_text("one")
    publish(folder, FIRST)
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(folder.parent / "elsewhere")


def a_folder(folder):
    (folder / "a.txt").mkdir()


def a_dead_link(folder):
    (folder / "a.txt").symlink_to("nowhere")


def a_note(folder):
    (folder / NOTE).write_text("to do: everything")


def an_empty_note(folder):
    (folder / NOTE).write_text("{}")


def a_note_that_leads_away(folder):
    (folder.parent / "elsewhere").write_text("one")
    digest = hashlib.sha256(b"one").hexdigest()
    names = ("../elsewhere", str(folder.parent / "elsewhere"), "a.txt")
    (folder / NOTE).write_text(json.dumps(dict.fromkeys(names, digest)))
    (folder / "a.txt").write_text("mine")


def a_lock(folder):
    (folder / f"{NOTE}.lock").write_text("mine")


IN_THE_WAY = (
    *(a_file, a_changed_file, a_link, a_folder, a_dead_link),
    *(a_note, an_empty_note, a_note_that_leads_away, a_lock),
)


@pytest.mark.parametrize("put", IN_THE_WAY)
@pytest.mark.parametrize("alone", [True, False])
def test_what_is_in_the_way_stays(tmp_path, put, alone):
    """Catches: a name, a changed copy, a link or a note of somebody's replaced or deleted."""
    out = tmp_path / "out"
    out.mkdir()
    put(out)
    before = content(tmp_path), sorted(os.listdir(out))
    with pytest.raises(FileExistsError, match="move it away"):
        publish(out, {"a.txt": b"new"}, alone)
    assert (content(tmp_path), sorted(os.listdir(out))) == before
    if put is not a_changed_file:
        take_away(out)
        assert "elsewhere" in content(tmp_path) or put not in (a_link, a_note_that_leads_away)


def test_a_name_may_lie_in_folders_of_its_own(tmp_path):
    """Catches: pages lost in a subfolder, half files left there, hidden ones in the way."""
    publish(tmp_path, {"top.txt": b"1", "pages/a.html": b"2", "pages/deep/b.html": b"3"})
    (tmp_path / "pages" / ".a.html.0123abcd.partial").write_bytes(b"killed half-way")
    (tmp_path / "pages" / ".hidden").write_bytes(b"somebody's")
    (tmp_path / "pages" / "mine.html").write_bytes(b"somebody's")
    with pytest.raises(NotOurs, match=r"mine\.html"):
        publish(tmp_path, {"pages/a.html": b"new"}, alone=True)
    publish(tmp_path, {"pages/a.html": b"new"}, tidy=True)
    theirs = {"pages/.hidden": b"somebody's", "pages/mine.html": b"somebody's"}
    assert content(tmp_path) == {"pages/a.html": b"new"} | theirs


@pytest.mark.parametrize("kind", ["link", "file"])
def test_no_name_leads_out_of_the_folder(tmp_path, kind):
    """Catches: a page written through somebody's link into another folder."""
    (tmp_path / "elsewhere").mkdir()
    way = tmp_path / "out" / "pages"
    way.parent.mkdir()
    way.symlink_to(tmp_path / "elsewhere") if kind == "link" else way.write_bytes(b"theirs")
    with pytest.raises(NotOurs, match="not a folder, or is a link"):
        publish(tmp_path / "out", {"pages/a.html": b"1"})
    assert content(tmp_path / "elsewhere") == {}


def test_a_folder_that_is_to_be_ours_alone_holds_nothing_else(tmp_path):
    """Catches: deleting what lies beside our files, or being stopped by what hides there."""
    publish(tmp_path, FIRST)
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "a.txt").touch()
    publish(tmp_path, SECOND, alone=True)
    (tmp_path / "diary.txt").write_text("dear")
    (tmp_path / "photos").mkdir()
    assert foreign(tmp_path) == [".ipynb_checkpoints", "diary.txt", "photos"]
    with pytest.raises(NotOurs, match=r"diary.txt \(and 1 more\)"):
        publish(tmp_path, FIRST, alone=True)
    publish(tmp_path, FIRST)  # beside them there is room
    assert not take_away(tmp_path)
    assert content(tmp_path).keys() == {".ipynb_checkpoints/a.txt", "diary.txt"}


def test_the_same_bytes_bar_nobody(tmp_path):
    """Catches: a folder that was written before there were notes, refused for ever."""
    (tmp_path / "a.txt").write_bytes(b"one")
    publish(tmp_path, FIRST, alone=True)
    assert ours(tmp_path).keys() == FIRST.keys()


def test_another_programs_note_may_serve(tmp_path):
    """Catches: a set's own list of hashes that is taken for somebody's file, or not found."""
    digest = hashlib.sha256(b"one").hexdigest()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(b"one")
    (tmp_path / "MANIFEST.json").write_text(json.dumps({"sub/a": digest}))
    assert foreign(tmp_path, "MANIFEST.json") == []
    refuse_foreign(tmp_path, ["sub/a", "b"], "MANIFEST.json")
    with pytest.raises(NotOurs, match="sub/a"):
        refuse_foreign(tmp_path, ["sub/a", "b"])
    (tmp_path / "sub" / "mine").touch()
    assert foreign(tmp_path, "MANIFEST.json") == ["sub/mine"]
    assert not take_away(tmp_path, "MANIFEST.json")
    assert content(tmp_path).keys() == {"sub/mine"}


class Killed(BaseException):
    """The process ended here."""


@pytest.mark.parametrize("alone", [True, False])
def test_whenever_we_are_stopped_the_next_call_goes_on(tmp_path, drawing, alone):
    """Catches: our own half that is taken for somebody's, and a copy that is half old, half new."""

    @drawing(st.integers(), st.lists(st.integers(0, 12), max_size=3), cases=60)
    def _(number, moments):
        out = tmp_path / str(number)
        shutil.rmtree(out, ignore_errors=True)
        publish(out, FIRST, alone)
        if not alone:
            (out / "mine.txt").write_text("mine")
        wanted = [SECOND, {"a.txt": b"third"}, {**FIRST, "b.txt": b"fourth"}]
        for moment, new in zip(moments, wanted, strict=False):
            with pytest.MonkeyPatch.context() as patch:
                stop_at(moment, patch)
                with suppress(Killed):
                    publish(out, new, alone)
        publish(out, SECOND, alone)
        there = content(out)
        assert SECOND.items() <= there.items()
        assert there == SECOND if alone else there["mine.txt"] == b"mine"
        assert not [name for name in os.listdir(out) if name.endswith((".lock", ".next"))]


def stop_at(moment: int, patch: pytest.MonkeyPatch) -> None:
    """Let nothing be renamed, synced or deleted from a moment on, as when the process is dead."""
    left = [moment]

    def mortal(call):
        def does(*args, **more):
            left[0] -= not str(args[0]).endswith(".lock")  # those the system lets go of
            if left[0] < 0 and not str(args[0]).endswith(".lock"):
                raise Killed
            return call(*args, **more)

        return does

    for module, name in ((files.os, "replace"), (files.os, "fsync"), (Path, "unlink")):
        patch.setattr(module, name, mortal(getattr(module, name)))
