"""Cases that Hypothesis draws: what goes in comes out, and what is wrong is refused in words.

Each test draws the same cases every time; how many there were stands at the end of the run.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from course_utils.data.sentences import sentences
from course_utils.data.sets import registry
from course_utils.data.sets.catalogue import Entry
from course_utils.data.sets.connection import LONGEST_SAID, said
from course_utils.data.sets.digests import IntegrityError, RemoteFile, git_blob_of, is_published
from course_utils.data.sets.unpack import unpack
from course_utils.data.tokens import GLUE, detokenize, tokenize
from course_utils.data.vocabulary import BEGIN, END, Vocabulary
from course_utils.settings import UNKNOWN
from tests.data.sets.hostile_archives import zipped

SIGNS = [*"ab1I.,;'\"’”-—( )[]$%_*\n\t é", GLUE, "\u00a0", "'s", "  "]
TEXTS = st.text() | st.lists(st.sampled_from(SIGNS)).map("".join)
WORDS = st.text(min_size=1, max_size=5)
CONTENTS = st.binary(max_size=200)
NAMES = st.text("abAB.é_- 日", min_size=1, max_size=8).filter(lambda name: name.strip(". "))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def test_tokens_give_back_any_text(drawing):
    """Catches: a space, a quote, a line's end or another script's sign that is lost."""

    @drawing(TEXTS, cases=1000)
    def _(text):
        tokens = tokenize(text)
        assert detokenize(tokens) == text
        assert "" not in tokens
        assert all(token.isspace() or not any(c.isspace() for c in token) for token in tokens)


def test_sentences_lose_nothing_but_space(drawing):
    """Catches: a sign that falls between two sentences, an empty sentence, a spacing mark left."""

    @drawing(TEXTS, cases=1000)
    def _(text):
        found = sentences(text)
        assert all(found)
        assert "".join(token for sentence in found for token in sentence) == "".join(text.split())


def test_a_vocabulary_numbers_every_token_once(drawing):
    """Catches: two tokens of one number, ties that chance decides, an unknown word let pass."""

    @drawing(st.lists(WORDS, min_size=1), st.integers(1, 5), st.booleans())
    def _(tokens, least, open_to_others):
        special = (UNKNOWN, BEGIN, END) if open_to_others else ()
        vocabulary = Vocabulary.of(tokens, min_count=least, special=special)
        assert vocabulary.tokens == Vocabulary.of(tokens[::-1], None, least, special).tokens
        assert len(set(vocabulary.tokens)) == len(vocabulary)
        assert vocabulary.decode(range(len(vocabulary))) == vocabulary.tokens
        assert vocabulary.encode(vocabulary.tokens).tolist() == list(range(len(vocabulary)))
        kept = [token for token in tokens if token in vocabulary]
        assert all(tokens.count(token) >= least for token in kept if token not in special)
        assert {t for t in tokens if tokens.count(t) >= least} == set(kept) - set(special) | (
            set(special) & {t for t in tokens if tokens.count(t) >= least}
        )
        if open_to_others:
            read = vocabulary.decode(vocabulary.encode(tokens))
            assert read == [token if token in vocabulary else UNKNOWN for token in tokens]
        elif len(kept) < len(tokens):
            with pytest.raises(ValueError, match="not in this vocabulary"):
                vocabulary.encode(tokens)


def test_a_vocabulary_of_a_size_has_that_size(drawing):
    """Catches: a size that counts the special tokens twice, or not at all."""

    @drawing(st.lists(WORDS, min_size=1), st.integers(-2, 30))
    def _(tokens, size):
        if size < 4:
            with pytest.raises(ValueError, match="leaves no room"):
                Vocabulary.of(tokens, size)
            return
        found = Vocabulary.of(tokens, size)
        assert len(found) == min(size, 3 + len(set(tokens) - {UNKNOWN, BEGIN, END}))


def test_a_file_is_published_only_if_every_byte_is(drawing, tmp_path):
    """Catches: a size, a hash or a git id that is not compared."""
    path = tmp_path / "f"

    @drawing(CONTENTS, CONTENTS, st.booleans(), st.booleans())
    def _(content, other, by_git, with_size):
        path.write_bytes(content)
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        assert git_blob_of(path) == blob
        sha = None if by_git else hashlib.sha256(content).hexdigest()
        file = RemoteFile("f", "", len(content) if with_size else None, sha, blob)
        assert is_published(path, file)
        path.write_bytes(other)
        assert is_published(path, file) is (content == other)
        assert not is_published(path, RemoteFile("f", "", len(other)))


def test_what_is_added_comes_back_and_every_change_is_seen(drawing, monkeypatch):
    """Catches: a file under another's name, a change that is passed over, half a set."""

    @drawing(st.lists(CONTENTS, min_size=1, max_size=3, unique=True), st.data(), cases=60)
    def _(contents, data):
        with tempfile.TemporaryDirectory() as base:
            folder = Path(base)
            monkeypatch.setenv("COURSE_DATA", f"{base}/cache")
            given_files, remote = [], []
            for number, content in enumerate(contents):
                packed = data.draw(st.booleans())
                path = folder / f"other{number}{'.gz' * packed}"
                path.write_bytes(gzip.compress(content) if packed else content)
                given_files.append(path)
                sha = hashlib.sha256(content).hexdigest()
                remote.append(RemoteFile(f"f{number}", "https://x", len(content), sha))
            wanted = Entry("thing", "", "", "", tuple(remote), str)
            assert registry.add(wanted, given_files[1:]) == ["f0"]
            assert registry.problems(wanted) == ["thing is not in the cache"]
            assert registry.add(wanted, given_files[:1]) == []
            assert registry.problems(wanted) == []
            here = registry.fetch(wanted)
            assert [(here / f.name).read_bytes() for f in remote] == contents
            changed = data.draw(st.sampled_from(range(len(contents))))
            other = data.draw(CONTENTS.filter(lambda other: other != contents[changed]))
            (here / f"f{changed}").write_bytes(other)
            assert f"f{changed} is not the published file" in registry.problems(wanted)
            (folder / "wrong").write_bytes(other)
            if other not in contents:
                with pytest.raises(IntegrityError, match="is not a file of thing"):
                    registry.add(wanted, [folder / "wrong"])


def test_no_manifest_is_believed_that_does_not_fit(drawing, monkeypatch, tmp_path):
    """Catches: a set that counts as verified because its manifest is empty, odd or not JSON."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    wanted = Entry("thing", "", "", "", (RemoteFile("f", "https://x"),), str)
    (tmp_path / "thing").mkdir()
    (tmp_path / "thing" / "f").write_bytes(b"right")
    right = {"f": hashlib.sha256(b"right").hexdigest()}
    note = tmp_path / "thing" / registry.MANIFEST
    note.write_text(json.dumps(right))
    assert registry.problems(wanted) == []

    @drawing(JSON.map(json.dumps).map(str.encode) | CONTENTS, cases=300)
    def _(text):
        note.write_bytes(text)
        assert registry.problems(wanted)

    note.write_text("[" * 100_000)
    assert registry.problems(wanted) == ["thing is not in the cache"]


def test_archives_give_back_what_was_packed(drawing):
    """Catches: a plain name refused, content changed, and a name that is not said to be odd."""

    @drawing(st.dictionaries(NAMES, CONTENTS, max_size=4), cases=150)
    def _(members):
        folded = {name.casefold() for name in members}
        assume(len(folded) == len(members))
        with tempfile.TemporaryDirectory() as base:
            archive = Path(base) / "an archive"
            archive.write_bytes(zipped(members.items()))
            found = unpack(archive, Path(base) / "out")
            names = {p.relative_to(Path(base) / "out").as_posix(): p.read_bytes() for p in found}
            assert names == members


def test_any_name_stays_inside_or_is_refused(drawing):
    """Catches: a way out of the folder that nobody thought of."""
    parts = st.sampled_from(["..", ".", "", "a", "C:", "\\", "..\\", "\0", "~", "/", "con", " "])

    @drawing(st.lists(parts | st.text(max_size=3), max_size=5).map("/".join), cases=300)
    def _(name):
        with tempfile.TemporaryDirectory() as base:
            archive, out = Path(base) / "archive", Path(base) / "deep" / "out"
            archive.write_bytes(zipped([(name.split("\0")[0], b"x")]))
            with suppress(IntegrityError):
                unpack(archive, out)
            inside = {path for path in out.rglob("*") if path.is_file()}
            assert {p for p in Path(base).rglob("*") if p.is_file()} - inside == {archive}


def test_what_others_say_is_always_printable(drawing):
    """Catches: a sign that moves a cursor, and a text without end."""

    @drawing(st.text() | st.text(min_size=300), cases=300)
    def _(text):
        assert said(text).isprintable()
        assert len(said(text)) <= LONGEST_SAID + 4
        if text.isprintable() and len(text) <= LONGEST_SAID:
            assert said(text) == text
