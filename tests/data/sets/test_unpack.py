"""An archive writes plain files into its folder, and nothing else anywhere."""

from __future__ import annotations

import stat
import zipfile

import pytest

from course_utils.data.sets.digests import IntegrityError
from course_utils.data.sets.unpack import unpack

ESCAPES = ["../out.txt", "a/../../out.txt", "/out.txt", "C:/out.txt", "a\\..\\out.txt", "//x/y"]


def make_zip(path, members: dict[str, bytes], mode: int = 0o100644):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.filename = name  # ZipInfo itself would mend some of the evil ones
            info.external_attr = mode << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return path


def everything_in(folder) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes()
            for p in folder.rglob("*") if p.is_file()}  # fmt: skip


def test_plain_files_come_out_as_they_went_in(tmp_path):
    """Catches: an archive flattened, or its empty files lost."""
    members = {"set/a.txt": b"one", "set/deep/b.bin": bytes(range(256)), "set/empty": b""}
    archive = make_zip(tmp_path / "archive", members)
    assert len(unpack(archive, tmp_path / "out")) == 3
    assert everything_in(tmp_path / "out") == members


@pytest.mark.parametrize("name", ESCAPES)
def test_no_name_leads_out_of_the_folder(tmp_path, name):
    """Catches: the archive's word taken for where its files go."""
    folder = tmp_path / "deep" / "out"
    archive = make_zip(tmp_path / "archive", {name: b"evil"})
    with pytest.raises(IntegrityError, match="would leave its folder"):
        unpack(archive, folder)
    assert everything_in(tmp_path).keys() == {"archive"}


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_links_and_devices_are_refused(tmp_path, kind):
    """Catches: a link that later files are written through."""
    archive = make_zip(tmp_path / "a.zip", {"link": b"/etc"}, kind | 0o777)
    with pytest.raises(IntegrityError, match="link or device"):
        unpack(archive, tmp_path / "out")


def test_limits_hold_for_what_comes_out(tmp_path):
    """Catches: a bomb measured by its compressed size, or by its own word."""
    archive = make_zip(tmp_path / "bomb", {"zeros": bytes(1 << 20)})
    assert archive.stat().st_size < 1 << 13
    with pytest.raises(IntegrityError, match="over 1,000,000 bytes"):
        unpack(archive, tmp_path / "out", most_bytes=1_000_000)
    assert unpack(archive, tmp_path / "fits", most_bytes=1 << 20)
    many = make_zip(tmp_path / "many", {str(n): b"" for n in range(11)})
    with pytest.raises(IntegrityError, match="more than 7 files"):
        unpack(many, tmp_path / "few", most_files=7)


def test_one_name_twice_is_refused_also_where_case_differs(tmp_path):
    """Catches: a second file that replaces a checked one on systems that ignore case."""
    with pytest.raises(IntegrityError, match="twice"):
        unpack(make_zip(tmp_path / "x", {"a.txt": b"1", "A.TXT": b"2"}), tmp_path / "out")


def test_what_is_no_archive_or_damaged_is_named(tmp_path):
    """Catches: a traceback from inside zipfile."""
    (tmp_path / "text").write_text("hello")
    with pytest.raises(IntegrityError, match="is not a zip archive"):
        unpack(tmp_path / "text", tmp_path / "out")
    archive = make_zip(tmp_path / "x.zip", {"a": bytes(range(256)) * 40})
    content = bytearray(archive.read_bytes())
    locked = content.copy()
    locked[6] = locked[locked.index(b"PK\x01\x02") + 8] = 1  # what says that a password is needed
    (tmp_path / "locked.zip").write_bytes(locked)
    with pytest.raises(IntegrityError, match="encrypted file: 'a'"):
        unpack(tmp_path / "locked.zip", tmp_path / "out")
    content[60:90] = bytes(30)
    archive.write_bytes(content)
    with pytest.raises(IntegrityError, match="damaged"):
        unpack(archive, tmp_path / "out")
