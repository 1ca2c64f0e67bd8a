"""A file embedded by several processes: nothing lost, nothing twice, and anybody can read it."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from course_utils import files
from course_utils.embedding import (
    Embedding,
    Source,
    embed_corpus,
    embed_file,
    embed_sentences,
    open_vectors,
    vector_file,
)
from course_utils.embedding.reading import read_lines
from course_utils.embedding.settings import SETTINGS, agree
from course_utils.models.elmo import BiLM, Options
from tests.command_line import course

OPTIONS = Options(projection=5, cells=11, layers=2, filters=((1, 3), (3, 4)), char_dim=3)
TEXT = "Let us stick to it .\n\nMarch\n" + "".join(f"a{n} b c\n" * (n % 3) for n in range(9))
SMALL = ("--shard", "150", "--batch-tokens", "24", "--kind", "hdf5")
SENTENCES = [line.split() for line in TEXT.splitlines()]


@pytest.fixture
def bilm():
    """Return a small model with fixed weights."""
    torch.manual_seed(20)
    return BiLM(OPTIONS).eval().requires_grad_(False)


@pytest.fixture
def text(tmp_path):
    """Return a file of sentences."""
    path = tmp_path / "sentences.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def silent(_: str) -> None:
    """Say nothing."""


def content(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# ── what goes in ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.txt.gz", "a.JSONL.gz", "plain"])
def test_every_kind_of_file_gives_the_same_sentences(tmp_path, name):
    """Catches a kind told by its last ending alone, and empty lines left out."""
    lines = [json.dumps(tokens) for tokens in SENTENCES] if "json" in name.lower() else [TEXT]
    data = ("\n".join(lines)).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = list(read_lines(tmp_path / name))
    assert [line.tokens for line in found] == SENTENCES
    assert [line.text for line in found] == TEXT.splitlines()


def test_objects_and_raw_lines(tmp_path):
    """Catches tokens cut again, a text taken for one token, a line cut into two sentences."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "It\'s late. Go!"}\n{"tokens": ["It\'s", "x y"]}\n"It is."')
    found = [line.tokens for line in read_lines(path, raw=True)]
    assert found == [["It", "'s", "late", ".", "Go", "!"], ["It's", "x y"], ["It", "is", "."]]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.txt", b"good\n\xff\xfe bad\n", "line 2: this is not UTF-8"),
        ("a.jsonl", b'["a"]\n["b"\n', "line 2: "),
        ("a.jsonl", b'["a", 3]', "line 1: neither tokens"),
        ("a.jsonl", b'{"sentence": "a"}', "line 1: neither tokens, nor a string, nor an object"),
        ("a.txt.gz", gzip.compress(b"one\ntwo\n" * 99, mtime=0)[:-9], "damaged after line "),
        ("a.txt.gz", b"plain text", "damaged after line 0"),
        ("a.jsonl", b'["a"]\n' + b"[" * 200_000, "line 2: brackets nested too deeply"),
    ],
)
def test_a_bad_line_is_named(tmp_path, name, data, says):
    """Catches half a file embedded as if it were the whole one."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=says):
        list(read_lines(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "says"),
    [("nowhere", "there is no file"), (".", "is a folder"), ("pipe", "is a pipe or a device")],
)
def test_what_is_no_file_is_refused_at_once(bilm, tmp_path, name, says):
    """Catches a pipe that is empty when it is read again, after which nothing is called whole."""
    path, ours, theirs = tmp_path / name, *os.pipe()
    with open(theirs, "w") as pipe:
        pipe.write(TEXT)
    path = Path(f"/dev/fd/{ours}") if name == "pipe" else path
    with pytest.raises((ValueError, OSError), match=says):
        embed_file(Embedding(bilm), Source(path, False, 5, ".hdf5"), tmp_path / "o", tell=silent)
    os.close(ours)
    assert not (tmp_path / "o").exists()


def test_a_named_pipe_does_not_hold_the_command_up(tmp_path):
    """Catches a wait without end for somebody who writes into it."""
    os.mkfifo(tmp_path / "fifo")
    command = [sys.executable, "-m", "course_utils.cli", "embed", str(tmp_path / "fifo")]
    ended = subprocess.run(
        [*command, "--out", str(tmp_path / "o")], capture_output=True, text=True, timeout=100
    )
    assert ended.returncode == 1
    assert "fifo is a pipe or a device" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "write them to a file first" in ended.stderr
    assert not (tmp_path / "o").exists()


def test_an_empty_file_is_not_called_whole(bilm, tmp_path):
    """Catches a mistaken name that ends as a success."""
    (tmp_path / "a.txt").touch()
    source = Source(tmp_path / "a.txt", False, 5, ".hdf5")
    with pytest.raises(ValueError, match=r"a\.txt is empty, so there is nothing to embed"):
        embed_file(Embedding(bilm), source, tmp_path / "o", tell=silent)
    assert not (tmp_path / "o").exists()


# ── what comes out ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
@pytest.mark.parametrize("size", [1, 4, 100])
def test_vectors_are_those_of_each_sentence_alone(bilm, text, tmp_path, kind, size):
    """Catches a sentence lost or moved where two shards meet."""
    assert embed_file(Embedding(bilm), Source(text, False, size, kind), tmp_path / "o", tell=silent)
    vectors = open_vectors(tmp_path / "o")
    assert len(vectors) == len(SENTENCES) == 12
    for n, sentence in enumerate(SENTENCES):
        alone = bilm([sentence]).layers[:, 0]
        np.testing.assert_allclose(vectors[n], alone, atol=1e-6, rtol=0)
    np.testing.assert_array_equal(vectors[-1], vectors[11])
    assert [v.shape for v in vectors[1:4]] == [(3, 0, 10), (3, 1, 10), (3, 3, 10)]
    with pytest.raises(IndexError, match="12 sentences"):
        vectors[12]


def test_old_readers_find_every_sentence(bilm, text, tmp_path):
    """Catches a file that h5py alone cannot follow: links astray, no sentence_to_index."""
    source = Source(text, False, 5, ".hdf5")
    embed_file(Embedding(bilm, layers="average"), source, tmp_path / "o", tell=silent)
    (tmp_path / "o").rename(tmp_path / "moved")
    with h5py.File(tmp_path / "moved" / "vectors.hdf5", "r") as file:
        places = json.loads(file["sentence_to_index"][0])
        assert len(file) == len(SENTENCES) + 1
        assert file["sentence_to_index"].shape == (1,)
        for line in TEXT.splitlines():
            expected = bilm([line.split()]).layers[:, 0].mean(0)
            np.testing.assert_allclose(file[places[line]][...], expected, atol=1e-6, rtol=0)


@pytest.mark.parametrize("layers", ["top", "average"])
def test_one_layer_takes_a_third_of_the_room(bilm, tmp_path, layers):
    """Catches the first layer for the top one, boundaries or padding in a mean."""
    sentences = [s for s in SENTENCES if s]
    embed_corpus(bilm, sentences, tmp_path / "a.hdf5", layers=layers, progress=False)
    every = embed_sentences(bilm, sentences, batch_tokens=13)
    chosen = embed_sentences(bilm, sentences, batch_tokens=13, layers=layers)
    with h5py.File(tmp_path / "a.hdf5") as file:
        for n, (layer, vectors) in enumerate(zip(every, chosen, strict=True)):
            alone = bilm([sentences[n]]).layers[:, 0]
            expected = alone[2] if layers == "top" else (alone[0] + alone[1] + alone[2]) / 3
            np.testing.assert_allclose(file[str(n)][...], expected, atol=1e-6, rtol=0)
            torch.testing.assert_close(vectors, expected, atol=1e-6, rtol=0)
            torch.testing.assert_close(layer, alone, atol=1e-6, rtol=0)


def test_another_choice_of_layers_is_another_file(bilm, tmp_path):
    """Catches a finished file of all layers taken for one of the top layer."""
    embed_corpus(bilm, SENTENCES, tmp_path / "a.hdf5", progress=False)
    with pytest.raises(FileExistsError, match="is not the complete file"):
        embed_corpus(bilm, SENTENCES, tmp_path / "a.hdf5", layers="top", progress=False)
    with pytest.raises(ValueError, match="layers='mean': choose all, top or average"):
        embed_corpus(bilm, SENTENCES, tmp_path / "b.hdf5", layers="mean")


# ── many at work ──────────────────────────────────────────────────────────────────────────────────


def test_who_comes_last_binds(bilm, text, tmp_path):
    """Catches an index of shards that are not there yet, and one that nobody writes."""
    embedding, source = Embedding(bilm), Source(text, False, 5, ".safetensors")
    out = tmp_path / "o"
    with files.only_writer(out / "shard-00001.safetensors.lock"):
        told: list[str] = []
        assert not embed_file(embedding, source, out, worker=0, workers=2, tell=told.append)
        assert {path.name for path in out.glob("shard*s")} == {
            "shard-00000.safetensors",
            "shard-00002.safetensors",
        }
        assert "making the last 1" in told[-1]
        assert "shard-00002.safetensors: sentences 10 to 11" in told
        with pytest.raises(FileNotFoundError, match="run the same `course embed` again"):
            open_vectors(out)
    assert embed_file(embedding, source, out, worker=1, workers=2, tell=silent)
    assert len(open_vectors(out)) == 12


def test_shards_of_something_else_are_refused(bilm, text, tmp_path):
    """Catches a folder that holds two corpora, and an index that leaves one of them out.

    The note of what the folder was begun with may be lost: then the shards themselves tell.
    """
    embedding, out = Embedding(bilm), tmp_path / "o"
    embed_file(embedding, Source(text, False, 5, ".hdf5"), out, tell=silent)
    (out / SETTINGS).unlink()
    before = content(out)
    with pytest.raises(FileExistsError, match=r"shard-00000\.hdf5 exists, and is not"):
        embed_file(embedding, Source(text, False, 4, ".hdf5"), out, tell=silent)
    assert content(out) == before
    assert embed_file(embedding, Source(text, False, 5, ".hdf5"), out, tell=silent)
    (out / SETTINGS).unlink()
    text.write_text("".join(TEXT.splitlines(keepends=True)[:10]))
    with pytest.raises(
        ValueError, match=r"shard-00002\.hdf5, which is not part of these sentences"
    ):
        embed_file(embedding, Source(text, False, 5, ".hdf5"), out, tell=silent)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"batch_tokens": 9}, "batch-tokens 4096, not 9"),
        ({"layers": "top"}, "layers all, not top"),
        ({"dtype": torch.float16}, "numbers float32, not float16"),
        ({"size": 4, "batch_tokens": 9}, "shard 5, not 4; batch-tokens 4096, not 9"),
        ({"raw": True}, "raw False, not True"),
        ({"kind": ".hdf5"}, "kind safetensors, not hdf5"),
        ({"text": TEXT.replace("March", "May")}, "other sentences or another model"),
        ({"text": TEXT + "more\n" * 9}, "other sentences or another model"),
        ({"projection": 6}, "other sentences or another model"),
    ],
)
@pytest.mark.parametrize("begun", ["half", "whole"])
def test_who_wants_something_else_is_told_at_once(bilm, text, tmp_path, change, difference, begun):
    """Catches two that interleave their shards, after which neither can go on."""
    change, out = dict(change), tmp_path / "o"
    text.write_text(TEXT.replace("it .", "it."))  # which --raw cuts
    first = Embedding(bilm), Source(text, False, 5, ".safetensors"), out
    with files.only_writer(out / f"shard-0000{1 if begun == 'half' else 7}.safetensors.lock"):
        assert embed_file(*first, tell=silent) == (begun == "whole")
        before, other = content(out), tmp_path / "other.txt"
        other.write_text(change.pop("text", text.read_text()))
        source = [change.pop(name, usual) for name, usual in (("raw", False), ("size", 5))]
        source = Source(other, *source, change.pop("kind", ".safetensors"))
        model = BiLM(replace(OPTIONS, **change)) if "projection" in change else bilm
        change.pop("projection", None)
        with pytest.raises(ValueError, match=rf"/o was begun with {difference}, and nothing was"):
            embed_file(Embedding(model, **change), source, out, tell=silent)
        assert content(out) == before
    assert embed_file(*first, tell=silent)


def test_the_same_sentences_in_another_file_go_on(bilm, text, tmp_path):
    """Catches a difference of names taken for one of vectors."""
    embedding, out, packed = Embedding(bilm), tmp_path / "o", tmp_path / "moved.txt.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    with files.only_writer(out / "shard-00001.safetensors.lock"):
        assert not embed_file(embedding, Source(text, False, 5, ".safetensors"), out, tell=silent)
    text.unlink()
    assert embed_file(embedding, Source(packed, False, 5, ".safetensors"), out, tell=silent)


def test_two_that_begin_together_do_not_both_come_first(tmp_path):
    """Catches two who find a folder empty, and each notes what only one of them makes."""
    told: list[str] = []

    def second() -> None:
        try:
            agree(tmp_path, {"shard": 6}, [{"file": "six"}], lambda: None)
        except ValueError as error:
            told.append(str(error))

    with files.only_writer(tmp_path / f".{SETTINGS}.lock"):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.3)
        note = json.dumps({"settings": {"shard": 5}, "shards": [{"file": "five"}]})
        (tmp_path / SETTINGS).write_text(note)
    thread.join()
    assert "was begun with shard 5, not 6" in told[0]
    assert content(tmp_path) == {SETTINGS: note.encode()}


def test_what_cannot_be_made_is_refused_before_anything_is_noted(bilm, text, tmp_path, monkeypatch):
    """Catches a folder bound to settings that never work."""
    monkeypatch.setattr(vector_file, "HEADER_LIMIT", 10)
    with pytest.raises(ValueError, match="too many for one"):
        embed_file(Embedding(bilm), Source(text, False, 5, ".safetensors"), tmp_path / "o")
    text.write_bytes(b"\xff")
    with pytest.raises(ValueError, match="not UTF-8"):
        embed_file(Embedding(bilm), Source(text, False, 5, ".hdf5"), tmp_path / "o")
    assert [*tmp_path.iterdir()] == [text]


@pytest.mark.parametrize("note", ["", "{}", "[]", '{"settings": 3, "shards": 4}'])
def test_a_note_of_somebody_elses_stays(bilm, text, tmp_path, note):
    """Catches a KeyError for a file that another program wrote, and the advice to delete it."""
    work = Embedding(bilm), Source(text, False, 5, ".safetensors"), tmp_path
    (tmp_path / SETTINGS).write_text(note)
    told = (
        r"settings\.json was not written by `course embed`, or is damaged .*: choose another folder"
    )
    with pytest.raises(ValueError, match=told):
        embed_file(*work, tell=silent)
    assert content(tmp_path) == {text.name: text.read_bytes(), SETTINGS: note.encode()}
    (tmp_path / SETTINGS).unlink()
    assert embed_file(*work, tell=silent)


@pytest.mark.parametrize("name", [SETTINGS, "index.json", "vectors.hdf5", ".index.json.lock"])
def test_a_folder_in_the_way_is_named(bilm, text, tmp_path, name):
    """Catches a bare IsADirectoryError, for some of them after hours of work."""
    (tmp_path / name).mkdir()
    with pytest.raises(FileExistsError, match=f"{name} is a folder where .*: move it away and try"):
        embed_file(Embedding(bilm), Source(text, False, 5, ".hdf5"), tmp_path, tell=silent)


@pytest.mark.parametrize("name", ["index.json", "vectors.hdf5"])
def test_a_readers_own_files_are_not_replaced(bilm, text, tmp_path, name):
    """Catches a web site's index and AllenNLP's vectors overwritten: before there is any work, and
    when they come while it is done."""
    work = Embedding(bilm), Source(text, False, 5, ".hdf5"), tmp_path / "o"
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / name).write_bytes(b"{}")
    with pytest.raises(FileExistsError, match=rf"{name} exists, and is not .* move it away"):
        embed_file(*work, tell=silent)
    assert content(tmp_path / "o") == {name: b"{}"}
    (tmp_path / "o" / name).unlink()
    for _ in range(2):  # the second time after the note was written
        with pytest.raises(FileExistsError, match=rf"{name} exists, and is not"):
            embed_file(*work, tell=lambda said: (tmp_path / "o" / name).write_bytes(b"{}"))
        assert (tmp_path / "o" / name).read_bytes() == b"{}"
    (tmp_path / "o" / name).unlink()
    assert embed_file(*work, tell=silent)
    assert embed_file(*work, tell=silent), "its own files stopped it"


@pytest.mark.parametrize("size", [5, 6])  # of 12 sentences: the last shard may grow, or is full
@pytest.mark.parametrize("later", ["more\n" * 9, "", "us\n" * 12])
def test_a_file_that_changes_while_it_is_read_ends_the_call(bilm, text, tmp_path, later, size):
    """Catches vectors of a file that never was, and an index of fewer shards than were planned."""

    def change(said: str) -> None:
        text.write_text(TEXT + later if later.startswith("more") else later)

    work = Embedding(bilm), Source(text, False, size, ".hdf5"), tmp_path / "o"
    with pytest.raises(ValueError, match=r"sentences\.txt was changed while it was read"):
        embed_file(*work, tell=change)
    assert not (tmp_path / "o" / "index.json").exists()
    text.write_text(TEXT)
    assert embed_file(*work, tell=silent)
    assert len(open_vectors(tmp_path / "o")) == 12


def test_nothing_is_called_whole_that_lacks_a_shard(bilm, text, tmp_path):
    """Catches an index of what was planned, written without a look at what was made."""
    out = tmp_path / "o"

    def lose(said: str) -> None:
        if "shard-00001" in said:  # the last one that this process makes, of three
            (out / "shard-00000.safetensors").rename(tmp_path / "moved")

    work = Embedding(bilm), Source(text, False, 5, ".safetensors"), out
    with pytest.raises(ValueError, match=r"shard-00000\.safetensors was made and has disappeared"):
        embed_file(*work, workers=3, worker=2, tell=lose)
    assert not (out / "index.json").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing argument 'FILE'"),
        (("a.txt",), "Missing option '--out'"),
        (("a.txt", "--out", "o", "--shard", "9" * 30), "'--shard'"),
        (("a.txt", "--out", "a.txt"), "is not a folder"),
    ],
)
def test_arguments_that_cannot_be_are_named(tmp_path, monkeypatch, capsys, arguments, says):
    """Catches islice's own words, and a traceback."""
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("one\n")
    assert course("embed", *arguments) == 2
    assert says in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def start_two(text: Path, out: Path) -> subprocess.Popen:
    """Start two real processes as torchrun does."""
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    work = ["-m", "course_utils.embedding", str(text), "--out", str(out), *SMALL]
    return subprocess.Popen(
        [*torchrun, "--nproc-per-node", "2", *work],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.slow
def test_two_processes_killed_anywhere_leave_the_same_bytes(tmp_path):
    """Catches a sentence repeated, lost or half written, an index of a file that is not whole."""
    chance, text, kills = random.Random(3), tmp_path / "a.txt", 0
    words = ["let", "us", "stick", "to", "the", "march", "of", "time", "in", "may", "and", "play"]
    lines = (" ".join(chance.choices(words, k=chance.randrange(20))) for _ in range(1200))
    text.write_text("\n".join(lines))
    assert course("embed", str(text), "--out", str(tmp_path / "one"), *SMALL) == 0
    expected, out = content(tmp_path / "one"), tmp_path / "two"
    while not (out / "index.json").exists():
        seen = progress_of(out)
        both = start_two(text, out)
        moves = chance.randrange(1, 9)
        while kills < 3 and both.poll() is None and moves:  # a few writes on, wherever that is
            if progress_of(out) != seen:
                seen, moves = progress_of(out), moves - 1
        if killed := kills < 3 and both.poll() is None:
            kill_workers(text)
            both.kill()
            kills += 1
        _, said = both.communicate()
        assert not both.returncode or killed, said
    assert kills == 3
    assert content(out) == expected


def progress_of(folder: Path) -> list[int]:
    """Return what is another list after anything was written."""
    with suppress(FileNotFoundError):
        return [path.stat().st_mtime_ns for path in sorted(folder.iterdir())]
    return []


def kill_workers(text: Path) -> None:
    """Kill what torchrun started for this very file: its workers lead sessions of their own."""
    import psutil

    for process in psutil.process_iter(["cmdline"]):
        if str(text) in (process.info["cmdline"] or []):
            process.kill()
            process.wait()
