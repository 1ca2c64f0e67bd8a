"""Every parser on a few lines in its set's own format; the real sets are in test_data_sets."""

from __future__ import annotations

import pytest

from course_utils.data.sets import registry
from course_utils.data.sets.catalogue import ENTRIES, Entry, entry
from course_utils.data.sets.digests import RemoteFile, sha256_of
from course_utils.data.sets.parsers import AgreementItem, SenseUse
from tests.data.sets.small_sets import SMALL, zipped


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "cache"))
    monkeypatch.setenv("COURSE_OFFLINE", "1")


def parsed(name: str, tmp_path):
    """Bring a small set through the registry, verified and unpacked, and return its content."""
    folder = tmp_path / "own"
    folder.mkdir()
    SMALL[name](folder)
    known = entry(name)
    files = sorted(path for path in folder.iterdir() if path.is_file())
    if known.archives:
        files = [zipped(folder, tmp_path / f"{name}.zip")]
    remote = tuple(RemoteFile(f.name, "https://x", f.stat().st_size, sha256_of(f)) for f in files)
    small = Entry(name, "", "", "", remote, known.parse, known.archives)
    assert registry.add(small, files) == []
    assert registry.problems(small) == []
    return registry.load(small)


def test_every_set_has_a_small_one():
    """Catches: a parser that no test reads a line with."""
    assert SMALL.keys() == {known.name for known in ENTRIES}


def test_one_text_keeps_its_lines(cache, tmp_path):
    """Catches: line ends of other kinds taken for the text's own, or removed."""
    text = parsed("tiny_shakespeare", tmp_path)
    assert text == "FOX:\nWho goes?\n\nHEN:\nNobody.\u2028No.\n"


def test_word_texts_have_words_and_no_empty_lines(cache, tmp_path):
    """Catches: empty lines as sentences, parts mixed up, a line cut where none ends."""
    assert parsed("wikitext2", tmp_path) == {
        "train": [["=", "Hens", "="], ["A", "hen", "<unk>", "lays", "eggs", "."]],
        "valid": [["=", "Foxes", "="], ["A", "fox", "waits", "."]],
        "test": [],
    }


def test_trees_have_words_only(cache, tmp_path):
    """Catches: contracted or elided tokens among the words, and a head that counts from 0."""
    parts = parsed("ud_english_ewt", tmp_path)
    assert list(parts) == ["dev", "test", "train"]
    curl, rain = parts["dev"]
    assert [word.form for word in curl] == ["Do", "n't", "cats", "tails", "curl"]
    assert [word.head for word in curl] == [5, 5, 4, 5, 0]
    assert curl[0] == ("Do", "do", "AUX", "VBP", {"Mood": "Ind", "Tense": "Pres"}, 5, "aux")
    assert curl[2].deprel == "nmod:poss"
    assert [(word.form, word.head, word.feats) for word in rain] == [
        ("Rain", 0, {"Number": "Sing"})
    ]


def test_nonsense_points_at_cue_and_verb(cache, tmp_path):
    """Catches: columns that slip, and right and wrong swapped."""
    items = parsed("agreement_nonsense", tmp_path)
    assert [(i.position, i.right, i.wrong, i.cue, i.construction) for i in items] == [
        (8, "glow", "glows", 1, "rel"),
        (8, "glow", "glows", 1, "rel"),
        (6, "leans", "lean", 1, "obj"),
    ]
    assert items[0].words[1] == "lamps"
    assert items[2].attractors is None


def test_wikipedia_is_in_lower_case_and_leaves_out_what_decides_nothing(cache, tmp_path):
    """Catches: "Is" that no lower-case model can say, and an item with one form twice."""
    key = ["the", "key", "to", "the", "cabinets", "is", "lost", "here"]
    doors = ["two", "doors", "of", "the", "old", "barn", "are", "shut"]
    assert parsed("agreement_wikipedia", tmp_path) == [
        AgreementItem(key, 5, "is", "are", None, 1),
        AgreementItem(doors, 6, "are", "is", None, 1),
    ]


def test_polarity_reads_latin_1_by_lines(cache, tmp_path):
    """Catches: neg read as favourable, and \\x85 taken for the end of a line."""
    assert parsed("sentence_polarity", tmp_path) == [
        (["dull", ",", "dull", "na\xefve", "."], False),
        (["not", "for", "me"], False),
        (["a", "joy", "."], True),
    ]


def test_senses_come_from_text_that_is_not_quite_xml(cache, tmp_path):
    """Catches: an XML parser, which stops at the first bare ampersand, and a word lost."""
    words, tags = ['"', "a", "hen", "r&d", "&", "<"], ['"', "DT", "NN", "NN", "CC", "JJR"]
    assert parsed("senseval", tmp_path) == {
        "hen": [
            SenseUse(words, tags, 2, "BIRD"),
            SenseUse(["hen", "night"], ["NN", "NN"], 0, "PARTY"),
        ]
    }


@pytest.mark.parametrize("size", ["small", "medium", "original"])
def test_elmo_gives_options_first(cache, tmp_path, size):
    """Catches: weights handed on as options."""
    options, weights = parsed(f"elmo_{size}", tmp_path)
    assert options.read_text() == "{}"
    assert weights.read_text() == "stands for weights"
