"""The parsers on the real files, brought with `add`: the numbers are the authors' own.

Where the files are not, test_parsers still reads lines of every format.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter
from pathlib import Path

import pytest

from course_utils.data.sets import registry
from course_utils.data.sets.catalogue import Entry
from course_utils.data.sets.digests import IntegrityError, RemoteFile
from tests.data.sets.copies import COPIES, needs_copies


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Give the test a cache of its own, without a network."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "cache"))
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    return tmp_path / "cache"


def added(name: str, *paths: str):
    """Bring a set from the copies and return its content."""
    assert registry.add(name, [COPIES / path for path in paths]) == []
    assert registry.problems(name) == []
    return registry.load(name)


@needs_copies
def test_tiny_shakespeare(cache):
    """Catches: line ends changed on the way in."""
    text = added("tiny_shakespeare", "tinyshakespeare.txt")
    assert len(text) == 1_115_394
    assert text.startswith("First Citizen:\nBefore we proceed")
    assert len(set(text)) == 65


@needs_copies
@pytest.mark.slow
def test_universal_dependencies_as_its_own_statistics_say(cache):
    """Catches: contracted and empty tokens counted as words, heads shifted by one."""
    names = [f"ud_english_ewt/en_ewt-ud-{part}.conllu.gz" for part in ("train", "dev", "test")]
    parts = added("ud_english_ewt", *names)
    assert {part: len(sentences) for part, sentences in parts.items()} == {
        "train": 12544, "dev": 2001, "test": 2077,
    }  # fmt: skip
    for sentence in parts["dev"]:
        assert sum(word.head == 0 for word in sentence) == 1, "every tree has one root"
        assert all(0 <= word.head <= len(sentence) for word in sentence)
    tags = Counter(word.upos for sentence in parts["dev"] for word in sentence)
    assert len(tags) == 17
    assert "_" not in tags


@needs_copies
def test_agreement_sets_point_at_their_verbs(cache):
    """Catches: positions counted from 1, right and wrong forms swapped, a cue that is no word."""
    files = [f"agreement_english/subj_agr_filtered.{part}" for part in ("text", "gold", "eval")]
    items = added("agreement_wikipedia", *files)
    assert len(items) == 7489 - 4
    assert all(item.words[item.position] == item.right != item.wrong for item in items)
    assert items[0].words[:12][-1] == "is"
    assert max(Counter(item.attractors for item in items)) == 4

    items = added(
        "agreement_nonsense", *(f"agreement_english/generated.{p}" for p in ("text", "gold"))
    )
    assert len(items) == 410
    assert items[1].words[items[1].cue] == "thing"
    assert items[1].words[items[1].position] == items[1].right == "is"
    assert all(item.cue < item.position < len(item.words) for item in items)
    real = [item for item in items if item.words[item.position] == item.right]
    assert len(real) >= 41


@needs_copies
def test_sentence_polarity_has_as_many_of_each(cache):
    """Catches: neg read as favourable, and lines cut at what Latin-1 text never meant as an end."""
    sentences = added("sentence_polarity", "sentence_polarity.zip")
    assert Counter(favourable for _, favourable in sentences) == {True: 5331, False: 5331}
    assert sentences[0][0][:3] == ["simplistic", ",", "silly"]
    assert sentences[0][1] is False


@needs_copies
def test_senseval_has_its_published_senses(cache):
    """Catches: a use without its word, tags that slip against words, senses lost to quotes."""
    uses = added("senseval", "senseval.zip")
    assert {word: len(found) for word, found in uses.items()} == {
        "hard": 4333, "interest": 2368, "line": 4146, "serve": 4378,
    }  # fmt: skip
    senses = {word: Counter(use.sense for use in found) for word, found in uses.items()}
    assert senses["hard"] == {"HARD1": 3455, "HARD2": 502, "HARD3": 376}
    assert senses["interest"]["interest_6"] == 1252
    assert senses["line"]["product"] == 2217
    assert {word: len(kinds) for word, kinds in senses.items()} == {
        "hard": 3, "interest": 6, "line": 6, "serve": 4,
    }  # fmt: skip
    for word, found in uses.items():
        for use in found:
            assert len(use.words) == len(use.tags)
            assert 0 <= use.position < len(use.words)
            assert use.words[use.position][:3].lower() == word[:3], use


def test_added_files_are_known_by_their_hash_not_by_their_name(cache, tmp_path):
    """Catches: any file accepted under the right name."""
    contents = {"a.txt": b"first", "b.txt": b"second"}
    files = tuple(RemoteFile(name, f"https://example.org/{name}", len(content),
                             hashlib.sha256(content).hexdigest())
                  for name, content in contents.items())  # fmt: skip
    wanted = Entry("pair", "", "", "", files, str)
    (tmp_path / "renamed").write_bytes(b"first")
    (tmp_path / "b.txt").write_bytes(b"SECOND")
    assert registry.add(wanted, [tmp_path / "renamed"]) == ["b.txt"]
    assert not (cache / "pair").exists()
    with pytest.raises(IntegrityError, match=r"is not a file of pair(.|\n)*b\.txt"):
        registry.add(wanted, [tmp_path / "b.txt"])
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"second"))
    assert registry.add(wanted, [tmp_path / "b.gz"]) == []
    assert (registry.fetch(wanted) / "b.txt").read_bytes() == b"second"
    (tmp_path / "c.gz").write_bytes(gzip.compress(b"second")[:-4])
    with pytest.raises(IntegrityError, match="damaged"):
        registry.add(wanted, [tmp_path / "c.gz"])
    with pytest.raises(FileNotFoundError, match="no file"):
        registry.add(wanted, [tmp_path / "absent"])


def test_official_elmo_files_are_taken_by_name_and_remembered_by_hash(cache, tmp_path):
    """Catches: a file without a published hash that may change unnoticed afterwards."""
    stem = tmp_path / "elmo_2x1024_128_2048cnn_1xhighway"
    options, weights = Path(f"{stem}_options.json"), Path(f"{stem}_weights.hdf5")
    options.write_text("{}")
    weights.write_bytes(b"stands for weights")
    with pytest.raises(IntegrityError, match="is not a file of elmo_small"):
        registry.add("elmo_small", [Path(__file__)])
    assert registry.add("elmo_small", [weights]) == [options.name]
    assert registry.add("elmo_small", [options]) == []
    kept = registry.load("elmo_small")
    assert [path.name for path in kept] == [options.name, weights.name]
    kept[1].write_bytes(b"stands for Weights")
    assert registry.problems("elmo_small") == [f"{weights.name} was changed"]
