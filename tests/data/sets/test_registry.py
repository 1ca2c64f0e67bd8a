"""Whatever a server does, a set is whole and right in the cache, or not there at all."""

from __future__ import annotations

import hashlib
import os
import random
import signal

import pytest

from course_utils.data.sets import registry
from course_utils.data.sets.catalogue import ENTRIES, Entry
from course_utils.data.sets.connection import DownloadError
from course_utils.data.sets.digests import IntegrityError, RemoteFile, git_blob_of
from course_utils.data.sets.download import Patience
from tests.data.sets.hostile_server import PART, serving
from tests.training.training_runs import forks

CONTENT = random.Random(7).randbytes(3 * PART + 11)
HASH = hashlib.sha256(CONTENT).hexdigest()
QUICK = Patience(seconds=0.3, tries=3, pause=0.01)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Give the test a cache of its own and a network that may be used."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "cache"))
    monkeypatch.delenv("COURSE_OFFLINE", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache"


@pytest.fixture
def server():
    with serving(CONTENT) as running:
        yield running


def a_set(server, kind: str, **known) -> Entry:
    """Return a set of one file that this server offers in its own way."""
    known = known or {"size": len(CONTENT), "sha256": HASH}
    file = RemoteFile("data.bin", server.url(kind), **known)
    return Entry("thing", "", "", "", (file,), lambda folder: (folder / "data.bin").read_bytes())


def nothing_half(cache) -> bool:
    """Return whether the cache shows either nothing or the whole set."""
    shown = {path.name for path in cache.iterdir() if not path.name.startswith(".")}
    return not shown or (cache / "thing" / "data.bin").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("kind", "requests"),
    [
        ("honest", 1),
        ("truncates", 4),
        ("stalls-once", 2),
        ("without-ranges", 1),
        ("without-length", 1),
        ("redirects", 2),
        ("fails-twice", 3),
    ],
)
def test_a_server_that_can_be_lived_with_gives_the_whole_set(cache, server, kind, requests):
    """Catches: starting from zero after every break, and giving up at the first."""
    wanted = a_set(server, kind)
    assert wanted.parse(registry.fetch(wanted, QUICK)) == CONTENT
    assert len(server.requests) == requests
    assert registry.problems(wanted) == []
    registry.fetch(wanted, QUICK)
    assert len(server.requests) == requests, "a set in the cache was fetched again"
    assert not list(cache.rglob("*.partial"))


@pytest.mark.parametrize(
    ("kind", "error", "answer"),
    [
        ("corrupts", IntegrityError, "not the published file; they were deleted"),
        ("truncates-without-ranges", DownloadError, "could not be downloaded"),
        ("stalls", DownloadError, r"could not be downloaded \(only 0 bytes in 0\.3 s\)"),
        ("drips", DownloadError, r"could not be downloaded .*only \d+ bytes"),
        ("announces-less", DownloadError, "announces 120,004 bytes, not 120,011"),
        ("announces-more", DownloadError, "announces 120,018"),
        ("sends-more", DownloadError, "sends more than 120,011"),
        ("redirects-forever", DownloadError, "redirected more than 5 times"),
        ("redirects-to-a-file", DownloadError, "only http and https are used, not file:"),
        ("codes", DownloadError, "encoding that was not asked for"),
        ("missing", DownloadError, "answers 404"),
    ],
)
def test_a_server_that_cannot_be_trusted_gives_nothing(cache, server, kind, error, answer):
    """Catches: a wrong byte accepted, a half file shown, a wait without end."""
    wanted = a_set(server, kind)
    with pytest.raises(error, match=answer):
        registry.fetch(wanted, QUICK)
    assert [path.name for path in cache.iterdir() if not path.name.startswith(".")] == []
    assert registry.problems(wanted) == ["thing is not in the cache"]
    honest = a_set(server, "honest")
    assert honest.parse(registry.fetch(honest, QUICK)) == CONTENT, "what was left spoiled the next"


@pytest.mark.parametrize("kind", ["honest", "wrong-range", "no-such-range", "without-ranges"])
@pytest.mark.parametrize("left", [b"wrong" * 1000, CONTENT[:5000], CONTENT + b"too much", CONTENT])
def test_leftovers_of_an_earlier_try_never_spoil_the_file(cache, server, kind, left):
    """Catches: appending to wrong bytes, at the wrong place, or without asking for a range; the
    hash would notice each, but only after all had been brought for nothing."""
    partial = cache / ".recurrent-course" / "incoming" / "thing" / "data.bin.partial"
    partial.parent.mkdir(parents=True)
    partial.write_bytes(left)
    wanted = a_set(server, kind)
    if kind == "wrong-range" and left != CONTENT:  # it never gives more than its first part
        with pytest.raises(DownloadError, match="sends from byte 7, not 40000"):
            registry.fetch(wanted, QUICK)
        assert not (cache / "thing").exists()
        return
    assert wanted.parse(registry.fetch(wanted, QUICK)) == CONTENT
    if kind == "honest" and left == CONTENT[:5000]:
        assert server.requests == [("honest", "bytes=5000-")]
    if kind == "without-ranges" and left == CONTENT[:5000]:
        assert len(server.requests) == 1, "what came whole was brought once more"


def test_a_file_of_unknown_size_is_known_by_gits_id(cache, server, tmp_path):
    """Catches: a file accepted because nothing was there to compare it with."""
    (tmp_path / "x").write_bytes(b"what is up, doc?")
    assert git_blob_of(tmp_path / "x") == "bd9dbf5aae1a3862dd1526723246b20206e5fc37"
    blob = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT).hexdigest()
    wanted = a_set(server, "without-length", git_blob=blob)
    assert wanted.parse(registry.fetch(wanted, QUICK)) == CONTENT
    registry.remove(wanted)
    with pytest.raises(IntegrityError, match="not the published file"):
        registry.fetch(a_set(server, "corrupts", git_blob=blob), QUICK)
    with pytest.raises(IntegrityError, match="not the published file"):
        registry.fetch(a_set(server, "announces-less", git_blob=blob), QUICK)
    with pytest.raises(IntegrityError, match=r"no published hash(.|\n)*course data add thing"):
        registry.fetch(a_set(server, "honest", size=len(CONTENT)), QUICK)


def test_what_does_not_fit_on_the_disk_is_not_begun(cache, server):
    """Catches: a disk that is filled up before anybody looks how large it is."""
    with pytest.raises(DownloadError, match="make room, or set COURSE_DATA"):
        registry.fetch(a_set(server, "honest", size=1 << 60, sha256=HASH), QUICK)
    assert server.requests == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")
def test_a_disk_that_fills_up_is_said_with_what_to_do(cache, server):
    """Catches: the system's bare word for it, and a full disk that is tried five times."""
    partial = cache / ".recurrent-course" / "incoming" / "thing" / "data.bin.partial"
    partial.parent.mkdir(parents=True)
    partial.symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"No space left .*make room, or set COURSE_DATA"):
        registry.fetch(a_set(server, "honest"), QUICK)
    assert len(server.requests) == 1
    partial.unlink()
    wanted = a_set(server, "honest")
    assert wanted.parse(registry.fetch(wanted, QUICK)) == CONTENT


def test_a_file_of_this_machine_is_no_download(cache, tmp_path):
    """Catches: an entry's address that copies what only this user may read."""
    (tmp_path / "secret").write_bytes(CONTENT)
    file = RemoteFile("data.bin", (tmp_path / "secret").as_uri(), len(CONTENT), HASH)
    with pytest.raises(DownloadError, match="only http and https"):
        registry.fetch(Entry("thing", "", "", "", (file,), str), QUICK)


def fetch_in_child(cache, wanted, answer):
    os.environ["COURSE_DATA"] = str(cache)
    answer.send("begins")
    answer.send(str(registry.fetch(wanted, Patience(seconds=10))))


def unparsed(wanted: Entry) -> Entry:
    """Return the entry without its lambda, which cannot be sent to another process."""
    return Entry(wanted.name, "", "", "", wanted.files, str)


def test_many_fetch_one_set_at_once_and_one_is_killed(cache, server):
    """Catches: two writers in one file, a lock that outlives its process, a second download."""
    wanted = unparsed(a_set(server, "slow"))
    ours, theirs = forks().Pipe(duplex=False)
    children = [forks().Process(target=fetch_in_child, args=(cache, wanted, theirs))
                for _ in range(4)]  # fmt: skip
    children[0].start()
    assert server.half_way.wait(20)
    for child in children[1:]:
        child.start()
    assert [ours.recv() for _ in children] == ["begins"] * 4
    assert not server.two_at_once.wait(0.5), "a second writer did not wait for the first"
    os.kill(children[0].pid, signal.SIGKILL)
    children[0].join()
    server.go_on.set()
    assert {ours.recv() for _ in children[1:]} == {str(cache / "thing")}
    for child in children[1:]:
        child.join()
    assert registry.problems(wanted) == []
    ranges = [asked for _, asked in server.requests]
    assert ranges == [None, ranges[1]], "one download, and one that went on from it"
    assert nothing_half(cache)


def test_offline_means_that_nothing_is_asked_for(cache, server, monkeypatch):
    """Catches: a lecture that reaches out although it was told not to."""
    wanted = a_set(server, "honest")
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    with pytest.raises(DownloadError, match="COURSE_OFFLINE forbids"):
        registry.fetch(wanted)
    assert server.requests == []
    monkeypatch.setenv("COURSE_OFFLINE", "0")
    registry.fetch(wanted)
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    assert wanted.parse(registry.fetch(wanted)) == CONTENT


def test_a_damaged_cache_is_noticed_before_use_and_mended(cache, server):
    """Catches: verifying once, at download, and never again."""
    wanted = a_set(server, "honest")
    file = registry.fetch(wanted) / "data.bin"
    for damage in (CONTENT[:-1], b"x" + CONTENT[1:]):
        file.write_bytes(damage)
        assert registry.problems(wanted)
        assert wanted.parse(registry.fetch(wanted)) == CONTENT
    assert registry.remove(wanted)
    assert not registry.remove(wanted)
    assert registry.problems(wanted) == ["thing is not in the cache"]


def test_a_file_that_is_altered_with_its_note_is_not_the_published_one(cache, server):
    """Catches: a set believed because its own note says so, after both were changed together."""
    wanted = a_set(server, "honest")
    folder = registry.fetch(wanted)
    (folder / "data.bin").write_bytes(CONTENT[::-1])
    note = (folder / registry.MANIFEST).read_text()
    (folder / registry.MANIFEST).write_text(
        note.replace(HASH, hashlib.sha256(CONTENT[::-1]).hexdigest())
    )
    assert registry.problems(wanted) == ["data.bin is not the published file"]


def test_every_entry_says_what_it_is_and_whose():
    """Catches: an entry without terms of use, and two of one name."""
    assert len({known.name for known in ENTRIES}) == len(ENTRIES)
    for known in ENTRIES:
        assert known.licence, known.name
        assert known.citation, known.name
        assert len({file.name for file in known.files}) == len(known.files)
        for file in known.files:
            assert file.url.startswith("https://")
            assert file.sha256 is None or len(file.sha256) == 64
    with pytest.raises(ValueError, match="there are tiny_shakespeare, wikitext2"):
        registry.fetch("tiny_shakspeare")
