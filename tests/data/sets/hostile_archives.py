"""Archives that nobody should unpack, each made of real zip, tar or gzip parts."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import warnings
import zipfile
import zlib
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


def tarred(members: Members, kind: bytes = tarfile.REGTYPE, link: str = "", **options) -> bytes:
    """Return a tar without compression."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", **options) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size = kind, link, len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def block(name: str, kind: bytes, size: int) -> bytes:
    """Return one header of a tar, its checksum right; only GNU's have sizes below 0."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % tarfile.BLOCKSIZE)


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


def gz_with(tar: bytes, crc: int | None = None, size: int | None = None, end: bytes = b"") -> bytes:
    """Return a gzip file whose trailer says what it is told to."""
    body = gzip.compress(tar, mtime=0)
    crc = zlib.crc32(tar) if crc is None else crc
    return body[:-8] + struct.pack("<II", crc, len(tar) if size is None else size) + end


def pax(records: bytes, then: bytes = b"", kind: bytes = tarfile.XHDTYPE) -> bytes:
    header = block("pax", kind, len(records)) + padded(records)
    return header + (then or block("a", tarfile.REGTYPE, 3) + padded(b"abc")) + bytes(1024)


def record(key: str, value: str) -> bytes:
    """Return a line of a pax header, which begins with its own length."""
    text = f" {key}={value}\n".encode()
    length = len(text) + 1
    while len(str(length)) + len(text) != length:
        length += 1
    return str(length).encode() + text


def sparse_map() -> bytes:
    """Return a tar whose file claims a map of a million holes."""
    records = record("GNU.sparse.major", "1") + record("GNU.sparse.minor", "0")
    holes = b"1000000\n" + b"1\n" * 2_000_000
    return pax(records, block("a", tarfile.REGTYPE, len(holes)) + padded(holes))


TAR = tarred([("set/a.txt", b"one"), ("set/b.txt", BODY)])
ZIP = zipped([("set/a.txt", b"one"), ("set/b.txt", BODY)])
FAR = struct.pack("<I", 1 << 31)
LEAVES, KIND, DAMAGED = "would leave its folder", "link or device", "is damaged"
LONG, MANY, BOMB = "too long a name", "more than 100 files", "unpacks to over 1,000,000 bytes"
CLASH, HEADER, NEITHER, BELOW = (
    "would overwrite|holds .* twice",
    "header of over",
    "neither a zip nor a tar",
    "has less than 0 bytes",
)
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
        f"tar_path_{n}": (lambda name=name: tarred([(name, b"x")]), f"{LEAVES}|{NEITHER}|{CLASH}")
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
    **{
        f"tar_{what}": (lambda kind=kind: tarred([("l", b"")], kind, "/etc"), KIND)
        for what, kind in (
            ("symlink", tarfile.SYMTYPE),
            ("hard_link", tarfile.LNKTYPE),
            ("device", tarfile.CHRTYPE),
            ("disk", tarfile.BLKTYPE),
            ("pipe", tarfile.FIFOTYPE),
        )
    },
    "zip_folder_that_leaves": (lambda: zipped([("../x/", b"")], FOLDER), LEAVES),
    "tar_folder_that_leaves": (lambda: tarred([("../x", b"")], tarfile.DIRTYPE), LEAVES),
    # names that meet
    "zip_twice": (lambda: zipped([("a", b"1"), ("a", b"2")]), CLASH),
    "zip_twice_but_for_case": (lambda: zipped([("a.txt", b"1"), ("A.TXT", b"2")]), CLASH),
    "tar_twice": (lambda: tarred([("a", b"1"), ("./a", b"2")]), CLASH),
    "zip_file_and_folder": (lambda: zipped([("a", b"1"), ("a/b", b"2")]), "cannot be a file"),
    "zip_folder_and_file": (lambda: zipped([("a/b", b"1"), ("a", b"2")]), "cannot be a file"),
    "tar_file_and_folder": (lambda: tarred([("a", b"1"), ("a/b", b"2")]), "cannot be a file"),
    "zip_onto_the_archive": (lambda: zipped([("archive", b"1")]), CLASH),
    "zip_onto_the_archive_but_for_case": (lambda: zipped([("ARCHIVE", b"1")]), CLASH),
    "tar_onto_the_archive": (lambda: tarred([("archive", b"1")]), CLASH),
    "zip_onto_the_manifest": (lambda: zipped([("a", b"1"), ("MANIFEST.json", b"{}")]), CLASH),
    "tar_onto_the_manifest": (lambda: tarred([("./Manifest.JSON", b"{}")]), CLASH),
    "zip_manifest_is_folder": (lambda: zipped([("MANIFEST.json/a", b"1")]), CLASH),
    "zip_onto_where_it_unpacks": (lambda: zipped([(".unpacking/out/a", b"1")]), CLASH),
    "zip_long_name": (lambda: zipped([("a" * 300, b"1")]), LONG),
    "zip_long_name_in_bytes": (lambda: zipped([("日" * 120, b"1")]), "cannot be a file"),
    "zip_deep": (lambda: zipped([("a/" * 2000 + "b", b"1")]), LONG),
    "tar_long_name": (lambda: tarred([("a" * 300, b"1")]), LONG),
    "tar_deep": (lambda: tarred([("a/" * 2000 + "b", b"1")]), LONG),
    # too much
    "zip_bomb": (lambda: zipped([("zeros", bytes(2_000_000))]), BOMB),
    "zip_bomb_in_parts": (lambda: zipped((str(n), bytes(300_000)) for n in range(4)), BOMB),
    "zip_bomb_that_lies": (
        lambda: in_central(zipped([("z", bytes(2_000_000))]), 24, b"\7\0\0\0"),
        DAMAGED,
    ),
    "tar_bomb": (lambda: tarred([("zeros", bytes(2_000_000))]), BOMB),
    "targz_bomb": (lambda: gzip.compress(tarred([("zeros", bytes(2_000_000))])), BOMB),
    "gz_bomb": (lambda: gzip.compress(bytes(200_000_000), 1), BOMB),
    "zip_many": (lambda: zipped((str(n), b"") for n in range(101)), MANY),
    "zip_many_folders": (lambda: zipped(((f"{n}/", b"") for n in range(101)), FOLDER), MANY),
    "tar_many": (lambda: tarred((str(n), b"") for n in range(101)), MANY),
    "tar_many_folders": (
        lambda: tarred(((str(n), b"") for n in range(101)), tarfile.DIRTYPE),
        MANY,
    ),
    # headers
    "tar_pax_bomb": (lambda: pax(record("comment", "x" * 60_000_000)), HEADER),
    "targz_pax_bomb": (lambda: gzip.compress(pax(record("comment", "x" * 60_000_000)), 1), HEADER),
    "tar_global_pax_bomb": (
        lambda: pax(record("comment", "x" * 9_000_000), kind=tarfile.XGLTYPE),
        HEADER,
    ),
    "tar_pax_chain": (lambda: pax(record("a", "b"))[:1024] * 3000 + TAR, HEADER),
    "tar_pax_that_claims": (lambda: block("pax", tarfile.XHDTYPE, 1 << 32) + TAR, HEADER),
    "tar_pax_negative": (lambda: pax(record("size", "-1")), BELOW),
    "tar_pax_huge_size": (lambda: pax(record("size", "9" * 20)), f"{DAMAGED}|{NEITHER}|{BOMB}"),
    "tar_pax_size_of_5000_digits": (
        lambda: pax(record("size", "9" * 5000)),
        f"{DAMAGED}|{NEITHER}|{BOMB}",
    ),
    "tar_pax_path_that_leaves": (lambda: pax(record("path", "../../o")), LEAVES),
    "tar_pax_link": (lambda: pax(record("linkpath", "/etc"), block("a", tarfile.SYMTYPE, 0)), KIND),
    **{
        f"targz_size_{size}": (
            lambda size=size: gzip.compress(
                block("a", tarfile.REGTYPE, size) + bytes(60_000_000), 1
            ),
            BELOW,
        )
        for size in (-1, -511, -512, -1024, -(1 << 40))
    },
    "tar_negative_header": (lambda: block("pax", tarfile.XHDTYPE, -1024) + TAR, DAMAGED),
    "tar_long_name_bomb": (
        lambda: block("l", tarfile.GNUTYPE_LONGNAME, 60_000_000) + padded(b"x" * 60_000_000) + TAR,
        HEADER,
    ),
    "tar_long_link_bomb": (
        lambda: block("l", tarfile.GNUTYPE_LONGLINK, 9_000_000) + padded(b"x" * 9_000_000) + TAR,
        HEADER,
    ),
    "tar_sparse_map_bomb": (sparse_map, HEADER),
    "tar_sparse": (
        lambda: pax(record("GNU.sparse.map", "0,3") + record("GNU.sparse.size", "99")),
        KIND,
    ),
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
    "targz_damaged": (lambda: damaged_in(gzip.compress(TAR), 60), DAMAGED),
    "targz_wrong_crc": (lambda: gz_with(TAR, crc=7), DAMAGED),
    "targz_wrong_size": (lambda: gz_with(TAR, size=7), DAMAGED),
    "targz_without_trailer": (lambda: gzip.compress(TAR)[:-8], DAMAGED),
    "targz_cut": (lambda: gzip.compress(TAR)[:-40], DAMAGED),
    "targz_with_garbage": (lambda: gz_with(TAR, end=b"garbage"), DAMAGED),
    "gz_header_only": (lambda: b"\x1f\x8b", DAMAGED),
    "gz_of_no_method": (lambda: b"\x1f\x8b\x07" + bytes(40), DAMAGED),
    "gz_of_text": (lambda: gzip.compress(b"hello"), NEITHER),
    "tar_damaged_second_header": (lambda: changed(TAR, 1024 + 5, b"\xff\xff"), DAMAGED),
    "tar_damaged_first_header": (lambda: changed(TAR, 5, b"\xff\xff"), NEITHER),
    "tar_cut_in_content": (lambda: TAR[:3000], DAMAGED),
    "tar_cut_between_files": (lambda: TAR[:1024], DAMAGED),
    "tar_without_end": (lambda: TAR[: 1024 + 512 + 10240], DAMAGED),
    "tar_header_of_other_checksum": (lambda: changed(TAR, 124, b"\xff" * 12), NEITHER),
    # other things
    "tar_xz": (lambda: lzma.compress(TAR), NEITHER),
    "tar_bz2": (lambda: bz2.compress(TAR), NEITHER),
    "text": (lambda: b"hello", NEITHER),
    "nothing": (lambda: b"", NEITHER),
    "rar": (lambda: b"Rar!\x1a\x07\x01\0" + bytes(600), NEITHER),
    "seven_zip": (lambda: b"7z\xbc\xaf\x27\x1c" + bytes(600), NEITHER),
}


def written(kind: str, folder: Path) -> Path:
    """Write one of them as `archive` into a folder."""
    path = folder / "archive"
    path.write_bytes(ARCHIVES[kind][0]())
    return path
