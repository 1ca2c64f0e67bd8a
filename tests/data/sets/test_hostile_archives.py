"""Whatever an archive is: one sentence, little memory, and nothing of it left, or all of it."""

from __future__ import annotations

import gzip
import random
import re
import time
import tracemalloc

import pytest

from course_utils.data.sets import registry
from course_utils.data.sets.catalogue import Entry
from course_utils.data.sets.digests import IntegrityError, RemoteFile, sha256_of
from course_utils.data.sets.unpack import unpack
from tests.data.sets.hostile_archives import ARCHIVES, FOLDER, ZIP, written, zipped

MOST_MEMORY = 24 << 20  # a zip's directory, a piece of a megabyte, and what Python takes for both
LONGEST = 20.0
CONTENT = {"set/a.txt": b"one", "set/b.txt": bytes(range(256)) * 40}


def everything_in(folder) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes()
            for p in folder.rglob("*") if p.is_file()}  # fmt: skip


@pytest.mark.parametrize("kind", ARCHIVES)
def test_every_archive_is_whole_or_nothing(tmp_path, kind, record_property):
    """Catches: a parser's own error, half an archive, a bomb, a file overwritten or outside."""
    archive = written(kind, tmp_path)
    before = archive.read_bytes()
    tracemalloc.start()
    start, message = time.monotonic(), "accepted"
    try:
        unpack(archive, tmp_path, 1_000_000, 100, taken=("MANIFEST.json",))
    except IntegrityError as error:
        message = str(error)
    finally:
        seconds, memory = time.monotonic() - start, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    record_property("hostile_archive", (kind, seconds, memory))
    assert re.search(ARCHIVES[kind][1], message), message
    assert message.isprintable()
    assert len(message) < 500
    assert seconds < LONGEST
    assert memory < MOST_MEMORY
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]
    assert archive.read_bytes() == before


def test_any_damage_is_seen_or_does_no_harm(tmp_path):
    """Catches: errors that nobody listed, and damage that gives other content without a word.

    Names have no checksum: those are the registry's to see.
    """
    draw = random.Random(11)
    for number in range(400):
        damaged = bytearray(ZIP)
        for _ in range(draw.choice((1, 1, 3))):
            damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        damaged = damaged[: draw.randrange(len(ZIP))] if number % 7 == 0 else damaged
        (tmp_path / "archive").write_bytes(damaged)
        folder = tmp_path / str(number)
        try:
            unpack(tmp_path / "archive", folder)
        except IntegrityError:
            assert everything_in(folder) == {}
            continue
        found = everything_in(folder).values()
        assert sorted(found) in (sorted(CONTENT.values()), [], *([one] for one in CONTENT.values()))


def test_folders_and_files_as_unix_and_windows_write_them(tmp_path):
    """Catches: a zip refused because it lists its folders with Unix's kind, or none."""
    for number, mode in enumerate((FOLDER, 0)):
        (tmp_path / "z").write_bytes(zipped([("set/", b""), ("set/empty/", b"")], mode))
        assert unpack(tmp_path / "z", tmp_path / str(number)) == []


def test_what_an_archive_overwrites_is_refused_by_the_registry(tmp_path, monkeypatch):
    """Catches: an archive's own MANIFEST.json, after which its set can never be verified."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "cache"))
    archive = tmp_path / "thing.zip"
    for members, answer in (
        ([("MANIFEST.json", b"{}")], "would overwrite 'MANIFEST.json'"),
        ([("thing.zip", b"")], "would overwrite 'thing.zip'"),
        ([("a.txt", b"good")], None),
    ):
        archive.write_bytes(zipped(members))
        file = RemoteFile("thing.zip", "https://x", archive.stat().st_size, sha256_of(archive))
        wanted = Entry("thing", "", "", "", (file,), str, archives=True)
        if answer:
            with pytest.raises(IntegrityError, match=answer):
                registry.add(wanted, [archive])
            assert registry.problems(wanted) == ["thing is not in the cache"]
        else:
            assert registry.add(wanted, [archive]) == []
            assert registry.problems(wanted) == []


@pytest.mark.parametrize("damage", ["deflate", "checksum", "cut", "no gzip", "bomb"])
def test_a_damaged_gzip_that_a_user_brings_is_one_sentence(tmp_path, monkeypatch, damage):
    """Catches: a traceback from zlib, and a bomb unpacked to the end: no file is so large."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "cache"))
    content = random.Random(3).randbytes(5000)
    packed = bytearray(gzip.compress(content))
    if damage == "deflate":
        packed[12:40] = bytes(28)
    elif damage == "checksum":
        packed[-8] ^= 1
    elif damage == "cut":
        packed = packed[:-20]
    else:
        packed = b"hello" if damage == "no gzip" else gzip.compress(bytes(50_000_000), 1)
    (tmp_path / "data.gz").write_bytes(packed)
    (tmp_path / "data").write_bytes(content)
    file = RemoteFile("data", "https://x", 5000, sha256_of(tmp_path / "data"))
    wanted = Entry("thing", "", "", "", (file,), str)
    answer = "holds more than 5,000 bytes" if damage == "bomb" else r"data\.gz is damaged"
    with pytest.raises(IntegrityError, match=answer):
        registry.add(wanted, [tmp_path / "data.gz"])
    (tmp_path / "data.gz").write_bytes(gzip.compress(content))
    assert registry.add(wanted, [tmp_path / "data.gz"]) == []
