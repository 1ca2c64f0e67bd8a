"""The gold-labelled tasks: labels that are true, parts that share nothing."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from random import Random

import pytest

from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.data.tagging import era_task, grammar_task, python_task
from course_utils.data.tagging.era import NEW, OLD, era_of, unseen_part_of
from course_utils.data.tagging.examples import most_frequent_label
from course_utils.data.tagging.grammar import ENDED, MOVED, TAGS, draw_sentence
from course_utils.data.tagging.python_tokens import LABELS, label_source

PARTS = ("train", "valid", "test")


@pytest.fixture(scope="module")
def tasks():
    return {"grammar": grammar_task(800, 200), "python": python_task(600, 100)}


@pytest.fixture(scope="module")
def eras():
    return {unseen: era_task(unseen) for unseen in (False, True)}


@pytest.mark.parametrize("name", ["grammar", "python"])
def test_no_sentence_is_in_two_parts_and_every_word_has_its_label(tasks, name):
    """Catches a leak between the parts, and labels that have slipped by a word."""
    task = tasks[name]
    texts = [{tuple(e.words) for e in getattr(task, part)} for part in PARTS]
    assert not (texts[0] & texts[1])
    assert not (texts[0] & texts[2])
    assert not (texts[1] & texts[2])
    assert all(len(e.words) == len(e.labels) for part in PARTS for e in getattr(task, part))
    assert set(task.labels) == set(TAGS if name == "grammar" else LABELS)


def test_the_grammar_is_ambiguous(tasks):
    """Catches a grammar in which knowing the word is knowing the tag."""
    task = tasks["grammar"]
    tags_of = defaultdict(set)
    for example in task.train:
        for word, tag in zip(example.words, example.labels, strict=True):
            tags_of[word].add(tag)
    assert tags_of["her"] == {"DET", "PRON"}
    assert tags_of["that"] == {"DET", "SCONJ"}
    assert tags_of["guard"] >= {"NOUN", "VERB"}
    assert tags_of["light"] >= {"NOUN", "VERB", "ADJ"}
    assert all(tags_of[word] == {"VERB", "PART"} for word in MOVED)
    usual = most_frequent_label(task)
    right = [usual.get(word, usual[""]) == tag for example in task.test
             for word, tag in zip(example.words, example.labels, strict=True)]  # fmt: skip
    assert 0.8 < sum(right) / len(right) < 0.93


def test_a_garden_path_begins_like_a_whole_sentence():
    """Catches a grammar where the left side already gives the participle away."""
    random, tags = Random(1), Counter()
    for _ in range(3000):
        example = draw_sentence(random)
        if "PART" not in example.labels or example.words[0] in ("has", "she", "he"):
            continue
        at = example.labels.index("PART")
        assert example.words[-1] in ENDED
        assert example.labels[-1] == "VERB"
        assert example.labels[:at][-1] == "NOUN"
        assert example.labels[at + 1] == "ADP"
        tags["seen"] += 1
    assert tags["seen"] > 200


def test_the_parser_and_the_labels_agree():
    """Catches roles that are put on the wrong word: line by line, known by reading."""
    source = (
        "import os.path as p\n"
        "def f(x, *, y=3):\n"
        "    z = x.real + g(y, key=h.up('a'))  # a comment\n"
        "    for i in z: print(i, end='')\n"
    )
    found = [" ".join(f"{w}:{n}" for w, n in zip(*e, strict=True) if n not in ("operator",))
             for e in label_source(source)]  # fmt: skip
    assert found == [
        "import:keyword os:imported path:imported as:keyword p:imported",
        "def:keyword f:defined x:parameter y:parameter 0:number",
        'z:bound x:read real:attribute g:called y:read key:argument h:read up:method "…":string',
        'for:keyword i:bound in:keyword z:read print:called i:read end:argument "…":string',
    ]
    with pytest.raises(ValueError, match="not Python"):
        label_source("def f(:\n")


def test_python_names_mean_different_things(tasks):
    """Catches labels that a dictionary of words would give."""
    roles = defaultdict(set)
    for example in tasks["python"].train:
        for word, role in zip(example.words, example.labels, strict=True):
            roles[word].add(role)
    assert sum(len(found) > 1 for found in roles.values()) > 100
    assert ast.parse("x").body  # what labels them is Python's own parser


@pytest.mark.parametrize("unseen", [False, True])
def test_eras_are_balanced_and_share_no_speech(eras, unseen):
    """Catches a sentence whose speech is in another part, and an era that is the easy guess."""
    task = eras[unseen]
    corpus = english(last=2026)
    where = defaultdict(set)
    for number, speeches in enumerate(corpus[:3]):
        for speech in speeches:
            for words in sentences(speech.text):
                where[tuple(words)].add((number, speech.year))
    for number, part in enumerate(PARTS):
        counts = Counter(e.labels[0] for e in getattr(task, part))
        assert counts[OLD] == counts[NEW] > (200 if part != "train" else 900)
        first = Counter(e.labels[0] for e in getattr(task, part)[:50])
        assert first[OLD] == first[NEW] == 25
        for example in getattr(task, part)[:300]:
            places = where[tuple(example.words)]
            assert any(era_of(year) == example.labels[0] for _, year in places)
            held = [n != 0 or year > 1988 for n, year in places]
            assert any(held) if unseen else any(n == number for n, _ in places)


def test_the_years_of_unseen_parts_are_the_shipped_models_held_out_ones():
    """Catches a task for lecture 10 whose texts the shipped biLM was trained on."""
    corpus = english()
    trained = {speech.year for speech in corpus.train}
    parts = unseen_part_of(range(1790, 1989))
    assert not trained & set(parts)
    assert {speech.year for speech in corpus.valid + corpus.test if era_of(speech.year)} <= set(
        parts
    )
    for era in (OLD, NEW):
        assert {parts[year] for year in parts if era_of(year) == era} == set(PARTS)
