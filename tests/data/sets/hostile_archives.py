"""Archives that nobody should unpack, each made of a real zip's parts."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

BODY = bytes(range(256)) * 40
FOLDER = stat.S_IFDIR | 0o755
Members = Iterable[tuple[str, bytes]]


def zipped(members: Members, mode: int = 0o100644, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip, each name in it exactly as it is given."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")  # of a name that is given twice
        for name, content in members:
            info = zipfile.ZipInfo("x")
            info.filename = name  # ZipInfo itself would mend some of the evil ones
            info.external_attr = mode << 16
            archive.writestr(info, content, method)
    return out.getvalue()


def changed(content: bytes, at: int, to: bytes) -> bytes:
    return content[:at] + to + content[at + len(to) :]


def in_central(archive: bytes, offset: int, to: bytes) -> bytes:
    """Change the first entry of a zip's central directory."""
    return changed(archive, archive.index(b"PK\x01\x02") + offset, to)


def encrypted() -> bytes:
    archive = zipped([("a", BODY)])
    return in_central(changed(archive, 6, b"\1"), 8, b"\1")


def damaged_in(archive: bytes, at: int = 60) -> bytes:
    return changed(archive, at, bytes(byte ^ 0x55 for byte in archive[at : at + 9]))


ZIP = zipped([("set/a.txt", b"one"), ("set/b.txt", BODY)])
FAR = struct.pack("<I", 1 << 31)
LEAVES, KIND, DAMAGED = "would leave its folder", "link or device", "is damaged"
LONG, MANY, BOMB = "too long a name", "more than 100 files", "unpacks to over 1,000,000 bytes"
CLASH, NEITHER = "would overwrite|holds .* twice", "is not a zip archive"
ESCAPES = (
    *("../o", "a/../../o", "/o", "//x/y", "..", "a/..", ""),
    *("C:/o", "C:o", "a:stream", "a\\..\\o", "\x1b[2J", "a\nb", "a\u202eb"),
)

ARCHIVES: dict[str, tuple[Callable[[], bytes], str]] = {
    **{
        f"zip_path_{n}": (lambda name=name: zipped([(name, b"x")]), LEAVES)
        for n, name in enumerate(ESCAPES)
    },
    **{
        f"zip_{what}": (lambda mode=mode: zipped([("l", b"/etc")], mode), KIND)
        for what, mode in (
            ("symlink", stat.S_IFLNK),
            ("pipe", stat.S_IFIFO),
            ("socket", stat.S_IFSOCK),
            ("device", stat.S_IFCHR),
            ("disk", stat.S_IFBLK),
            ("folder_kind", FOLDER),
            ("odd_kind", 0o170000),
        )
    },
    "zip_folder_that_leaves": (lambda: zipped([("../x/", b"")], FOLDER), LEAVES),
    # names that meet
    "zip_twice": (lambda: zipped([("a", b"1"), ("a", b"2")]), CLASH),
    "zip_twice_but_for_case": (lambda: zipped([("a.txt", b"1"), ("A.TXT", b"2")]), CLASH),
    "zip_file_and_folder": (lambda: zipped([("a", b"1"), ("a/b", b"2")]), "cannot be a file"),
    "zip_folder_and_file": (lambda: zipped([("a/b", b"1"), ("a", b"2")]), "cannot be a file"),
    "zip_onto_the_archive": (lambda: zipped([("archive", b"1")]), CLASH),
    "zip_onto_the_archive_but_for_case": (lambda: zipped([("ARCHIVE", b"1")]), CLASH),
    "zip_onto_the_manifest": (lambda: zipped([("a", b"1"), ("MANIFEST.json", b"{}")]), CLASH),
    "zip_manifest_is_folder": (lambda: zipped([("MANIFEST.json/a", b"1")]), CLASH),
    "zip_onto_where_it_unpacks": (lambda: zipped([(".unpacking/a", b"1")]), CLASH),
    "zip_long_name": (lambda: zipped([("a" * 300, b"1")]), LONG),
    "zip_long_name_in_bytes": (lambda: zipped([("日" * 120, b"1")]), "cannot be a file"),
    "zip_deep": (lambda: zipped([("a/" * 2000 + "b", b"1")]), LONG),
    # too much
    "zip_bomb": (lambda: zipped([("zeros", bytes(2_000_000))]), BOMB),
    "zip_bomb_in_parts": (lambda: zipped((str(n), bytes(300_000)) for n in range(4)), BOMB),
    "zip_bomb_that_lies": (
        lambda: in_central(zipped([("z", bytes(2_000_000))]), 24, b"\7\0\0\0"),
        DAMAGED,
    ),
    "zip_many": (lambda: zipped((str(n), b"") for n in range(101)), MANY),
    "zip_many_folders": (lambda: zipped(((f"{n}/", b"") for n in range(101)), FOLDER), MANY),
    # damage
    "zip_damaged_deflate": (lambda: damaged_in(ZIP, ZIP.index(b"set/b.txt") + 40), DAMAGED),
    "zip_damaged_crc": (lambda: in_central(ZIP, 16, b"\0\0\0\0"), DAMAGED),
    "zip_shorter_than_it_says": (lambda: in_central(ZIP, 24, b"\xff\0\0\0"), DAMAGED),
    "zip_damaged_local_header": (lambda: changed(ZIP, 0, b"XX"), DAMAGED),
    "zip_damaged_central": (lambda: in_central(ZIP, 0, b"XX"), DAMAGED),
    "zip_other_local_name": (lambda: changed(ZIP, 30, b"tes"), DAMAGED),
    "zip_offset_beyond": (lambda: in_central(ZIP, 42, FAR), DAMAGED),
    "zip_of_a_later_version": (lambda: in_central(ZIP, 6, b"\xff\0"), DAMAGED),
    "zip_name_that_is_no_utf_8": (
        lambda: in_central(in_central(ZIP, 9, b"\x08"), 46, b"\xff\xfe"),
        DAMAGED,
    ),
    "zip_cut": (lambda: ZIP[:-30], f"{DAMAGED}|{NEITHER}"),
    "zip_encrypted": (encrypted, "encrypted file"),
    "zip_bzip2": (lambda: zipped([("a", BODY)], method=zipfile.ZIP_BZIP2), "another way"),
    "zip_lzma": (lambda: zipped([("a", BODY)], method=zipfile.ZIP_LZMA), "another way"),
    "zip_method_99": (lambda: in_central(ZIP, 10, b"\x63\0"), "another way"),
    # other things
    "text": (lambda: b"hello", NEITHER),
    "gz": (lambda: gzip.compress(BODY), NEITHER),
    "nothing": (lambda: b"", NEITHER),
    "rar": (lambda: b"Rar!\x1a\x07\x01\0" + bytes(600), NEITHER),
    "seven_zip": (lambda: b"7z\xbc\xaf\x27\x1c" + bytes(600), NEITHER),
}


def written(kind: str, folder: Path) -> Path:
    """Write one of them as `archive` into a folder."""
    path = folder / "archive"
    path.write_bytes(ARCHIVES[kind][0]())
    return path
