"""Vectors of a whole corpus on disk: right, complete, and unharmed by interruption."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import h5py
import pytest
import safetensors
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from course_utils.embedding import job as corpus_job
from course_utils.embedding import vector_file
from course_utils.embedding.corpus import batches, embed_corpus, threads_for
from course_utils.embedding.job import Job
from course_utils.files import only_writer
from course_utils.models.elmo import OFFICIAL, BiLM, Options, PackedBiLM

OPTIONS = Options(projection=5, cells=11, layers=2, filters=((1, 3), (3, 4)), char_dim=3)
SENTENCES = [["word", str(n)] * (n % 7) + ["end"] * (n % 3) for n in range(40)]


@pytest.fixture
def bilm():
    """Return a small model with fixed weights."""
    torch.manual_seed(20)
    return BiLM(OPTIONS).eval().requires_grad_(False)


def read(path: Path) -> list[torch.Tensor]:
    """Return the arrays in order, through the public libraries alone."""
    if path.suffix in (".hdf5", ".h5"):
        with h5py.File(path) as file:
            return [torch.from_numpy(file[str(n)][()]) for n in range(len(file))]
    with safe_open(path, "pt") as file:
        return [file.get_tensor(str(n)) for n in range(len(file.keys()))]


def contents(folder: Path) -> dict[str, tuple]:
    """Return everything below a folder: names, times and bytes."""
    return {
        str(path): (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else None)
        for path in folder.rglob("*")
    }


def stop_before_the_end(bilm: BiLM, out: Path, batch_tokens: int = 33) -> None:
    """Leave a `.partial` that has all its batches, and its `.progress`."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Job, "finish", lambda job: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            embed_corpus(bilm, SENTENCES, out, batch_tokens=batch_tokens, progress=False)


def check(path: Path, bilm: BiLM, atol: float = 1e-6) -> None:
    """Every sentence is there once, with the vectors it has alone."""
    found = read(path)
    assert len(found) == len(SENTENCES)
    for layers, sentence in zip(found, SENTENCES, strict=True):
        expected = bilm([sentence]).layers[:, 0]
        assert layers.shape == expected.shape == (3, len(sentence), 10)
        torch.testing.assert_close(layers.float(), expected, atol=atol, rtol=0)


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5", ".h5"])
@pytest.mark.parametrize("batch_tokens", [12, 10_000])
def test_every_sentence_has_the_vectors_it_has_alone(bilm, tmp_path, kind, batch_tokens):
    """Catches sentences in the order of length, padding stored, and offsets that overlap."""
    out = tmp_path / f"vectors{kind}"
    assert embed_corpus(bilm, SENTENCES, out, batch_tokens=batch_tokens, progress=False) == out
    check(out, bilm)
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


def test_half_precision_halves_the_file(bilm, tmp_path):
    """Catches a header that promises another number type than the bytes have."""
    sizes = []
    for dtype in (torch.float32, torch.float16):
        out = tmp_path / f"{dtype}.safetensors"
        embed_corpus(bilm, SENTENCES, out, dtype=dtype, progress=False)
        check(out, bilm, atol=1e-6 if dtype == torch.float32 else 2e-3)
        sizes.append(out.stat().st_size)
    assert sizes[1] < 0.7 * sizes[0]


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
def test_an_interrupted_run_goes_on(bilm, tmp_path, monkeypatch, kind):
    """Catches a resumed run that starts again, skips the batch it died in, or keeps half of it."""
    out = tmp_path / f"v{kind}"
    calls, call = [], PackedBiLM.__call__

    def interrupted(self, sentences):
        calls.append(sentences)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return call(self, sentences)

    monkeypatch.setattr(PackedBiLM, "__call__", interrupted)
    whole = len(batches([len(s) for s in SENTENCES], 33))
    with pytest.raises(KeyboardInterrupt):
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    assert not out.exists()
    embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    assert len(calls) == whole + 1
    check(out, bilm)


def test_a_killed_run_goes_on(bilm, tmp_path):
    """Catches a file that only a polite end leaves whole, and a batch counted before it is there.

    The half batch goes to the descriptor itself: nothing of what was counted may still wait in
    Python's buffer, which dies with the process.
    """
    out = tmp_path / "v.hdf5"
    program = textwrap.dedent(f"""
        import os, signal, sys, torch
        from course_utils.embedding import embed_corpus
        from course_utils.embedding.job import Job
        from tests.embedding.test_elmo_corpus import OPTIONS, SENTENCES
        from course_utils.models.elmo import BiLM
        torch.manual_seed(20)
        bilm = BiLM(OPTIONS).eval().requires_grad_(False)
        write, left = Job.write, [4]
        def killed(self, number, layers):
            if left[0] == 0:  # half a batch is in the file, nothing is noted
                os.pwrite(self.file.fileno(), b"half", self.places[self.batches[number][0]])
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            write(self, number, layers)
        Job.write = killed
        embed_corpus(bilm, SENTENCES, {str(out)!r}, batch_tokens=70, progress=False)
    """)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    codes = []
    while not out.exists():
        ended = subprocess.run([sys.executable, "-c", program], env=environment, check=False)
        codes.append(ended.returncode)
        assert len(codes) < 4
    assert codes == [-signal.SIGKILL, 0]
    check(out, bilm)


def test_the_journal_of_a_finished_file_counts_for_no_other(bilm, tmp_path, monkeypatch):
    """Catches a file of zeros after two kills: one before the journal went, one before the next."""
    out = tmp_path / "vectors.safetensors"

    def finish_and_die(job):
        job.file.close()
        os.replace(job.partial, job.out)
        raise KeyboardInterrupt

    def lay_out_and_die(*layout):
        real_lay_out(*layout)
        raise KeyboardInterrupt

    real_lay_out = corpus_job.lay_out
    for owner, name, deadly in (
        (Job, "finish", finish_and_die),
        (corpus_job, "lay_out", lay_out_and_die),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, deadly)
            with pytest.raises(KeyboardInterrupt):
                embed_corpus(bilm, SENTENCES, out, batch_tokens=12, progress=False)
        out.unlink(missing_ok=True)  # the finished file is moved away
    embed_corpus(bilm, SENTENCES, out, batch_tokens=12, progress=False)
    check(out, bilm)


def test_another_corpus_does_not_go_on_with_this_one(bilm, tmp_path):
    """Catches vectors of two corpora, or of two models, in one file."""
    out = tmp_path / "v.safetensors"
    stop_before_the_end(bilm, out)
    with pytest.raises(ValueError, match="begun with other sentences"):
        embed_corpus(bilm, SENTENCES[1:], out, batch_tokens=33, progress=False)
    with torch.no_grad():
        bilm.encoder.projection.bias.add_(1)
    with pytest.raises(ValueError, match="another model"):
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
@pytest.mark.parametrize("change", [-1, -5000, 7])
def test_a_partial_file_that_was_cut_is_not_believed(bilm, tmp_path, kind, change):
    """Catches zeros where a copy broke off, and HDF5's own error, which names no way out."""
    out = tmp_path / f"v{kind}"
    stop_before_the_end(bilm, out)
    partial = tmp_path / f"{out.name}.partial"
    os.truncate(partial, partial.stat().st_size + change)
    before = contents(tmp_path)
    with pytest.raises(ValueError, match=rf"was damaged.*delete .*{out.name}\.progress to start"):
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff", b"[]", b"{}", b'{"batches": null}', pytest.param(b"[" * 10**5, id="deep")],
)
def test_a_broken_note_says_what_to_do(bilm, tmp_path, text):
    """Catches a JSONDecodeError about line 1 column 1, batches believed without a count, and
    Python's own depth exceeded."""
    out = tmp_path / "v.safetensors"
    stop_before_the_end(bilm, out)
    (tmp_path / "v.safetensors.progress").write_bytes(text)
    before = contents(tmp_path)
    with pytest.raises(ValueError, match=r"progress cannot be read.*delete .*partial and .*start"):
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    assert contents(tmp_path) == before


def test_what_gets_a_name_is_on_the_disk_first(bilm, tmp_path, monkeypatch):
    """Catches a rename before its content: after a power cut the name would hold nothing."""
    synced, renamed = {}, []
    fsync, replace = os.fsync, os.replace

    def watched_fsync(descriptor):
        fsync(descriptor)
        number = os.fstat(descriptor).st_ino
        for path in tmp_path.iterdir():  # of the folder itself there is nothing to read
            if path.stat().st_ino == number:
                synced[number] = path.read_bytes()

    def watched_replace(source, target):
        path = Path(source)
        assert synced.get(path.stat().st_ino) == path.read_bytes(), f"{path.name} was not synced"
        renamed.append(Path(target).name)
        replace(source, target)

    def watched_line(number, digest):  # what is noted is there
        partial = tmp_path / "v.hdf5.partial"
        assert synced.get(partial.stat().st_ino) == partial.read_bytes()
        noted.append(number)
        return line(number, digest)

    noted, line = [], corpus_job._line
    monkeypatch.setattr(corpus_job, "_line", watched_line)
    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    embed_corpus(bilm, SENTENCES, tmp_path / "v.hdf5", batch_tokens=33, progress=False)
    assert noted == [*range(len(batches([len(s) for s in SENTENCES], 33)))]
    assert renamed == ["v.hdf5.progress", "v.hdf5"]


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5", ".h5"])
def test_a_finished_file_is_not_made_again(bilm, tmp_path, monkeypatch, kind):
    """Catches hours of work for a file that is there already."""
    out = embed_corpus(bilm, SENTENCES, tmp_path / f"v{kind}", progress=False)
    before = contents(tmp_path)
    monkeypatch.delattr(PackedBiLM, "__call__")
    assert embed_corpus(bilm, SENTENCES, out, progress=False) == out
    assert contents(tmp_path) == before


def test_a_finished_file_that_exceeds_the_memory_is_known(tmp_path):
    """Catches a look at the file that maps all of it: the larger the corpus, the worse to lose."""
    out = tmp_path / "v.safetensors"
    plan = vector_file.Plan(".safetensors", [(3, 10**8, 1024)], torch.float32, "5a7f")
    vector_file.lay_out(out, plan)  # holes: 1.2 TB take no room
    assert vector_file.read_fingerprint(out, plan.kind) == plan.fingerprint


def another_corpus(out: Path, bilm: BiLM) -> None:
    embed_corpus(bilm, SENTENCES[1:], out, progress=False)


def another_precision(out: Path, bilm: BiLM) -> None:
    embed_corpus(bilm, SENTENCES, out, dtype=torch.float16, progress=False)


def the_same_but_cut(out: Path, bilm: BiLM) -> None:
    embed_corpus(bilm, SENTENCES, out, progress=False)
    os.truncate(out, out.stat().st_size - 1)


def somebody_elses_arrays(out: Path, bilm: BiLM) -> None:
    if out.suffix == ".hdf5":
        with h5py.File(out, "w") as file:
            file["0"] = [7.0, 3.0]
            file.attrs["fingerprint"] = [5, 11]
    else:
        save_file({"0": torch.ones(7, 3)}, out)


def another_kind(out: Path, bilm: BiLM) -> None:
    out.write_text("no arrays")


def a_folder(out: Path, bilm: BiLM) -> None:
    out.mkdir()


def a_link_to_nothing(out: Path, bilm: BiLM) -> None:
    out.symlink_to(out.with_name("not there"))


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
@pytest.mark.parametrize(
    "make",
    [
        another_corpus,
        another_precision,
        the_same_but_cut,
        somebody_elses_arrays,
        another_kind,
        a_folder,
        a_link_to_nothing,
    ],
)
def test_what_stands_in_the_place_is_not_overwritten(bilm, tmp_path, monkeypatch, kind, make):
    """Catches the loss of somebody's file, and a folder that is found after hours of work."""
    out = tmp_path / f"v{kind}"
    make(out, bilm)
    before = contents(tmp_path)
    monkeypatch.delattr(PackedBiLM, "__call__")
    with pytest.raises(FileExistsError, match="choose another name, or move it away"):
        embed_corpus(bilm, SENTENCES, out, progress=False)
    assert contents(tmp_path) == before


def test_a_file_that_appears_meanwhile_is_not_overwritten(bilm, tmp_path, monkeypatch):
    """Catches a look at the place only before the work; when it is free, nothing is lost."""
    out = tmp_path / "v.safetensors"
    finish = Job.finish
    monkeypatch.setattr(Job, "finish", lambda job: [out.write_text("other"), finish(job)])
    with pytest.raises(FileExistsError):
        embed_corpus(bilm, SENTENCES, out, progress=False)
    assert out.read_text() == "other"
    out.unlink()
    monkeypatch.undo()
    monkeypatch.delattr(PackedBiLM, "__call__")
    embed_corpus(bilm, SENTENCES, out, progress=False)
    monkeypatch.undo()
    check(out, bilm)


def test_a_number_too_large_for_half_precision_is_refused(bilm, tmp_path):
    """Catches infinity stored in silence; 65504 is the largest number of IEEE 754 binary16."""
    projection = bilm.encoder.projection
    torch.nn.init.zeros_(projection.weight)
    torch.nn.init.constant_(projection.bias, 65504)
    out = tmp_path / "fits.hdf5"
    embed_corpus(bilm, SENTENCES, out, dtype=torch.float16, progress=False)
    assert max(layers[0].max() for layers in read(out) if layers.numel()) == 65504
    torch.nn.init.constant_(projection.bias, -65520)
    out = tmp_path / "v.hdf5"
    with pytest.raises(ValueError, match=r"65520 is too large.*65504.*dtype=torch.float32, and"):
        embed_corpus(bilm, SENTENCES, out, dtype=torch.float16, progress=False)
    assert not out.exists()
    for left in tmp_path.glob("v.hdf5.*"):
        left.unlink()
    check(embed_corpus(bilm, SENTENCES, out, progress=False), bilm)


def test_a_header_that_safetensors_would_not_open_is_refused_first(bilm, tmp_path, monkeypatch):
    """Catches a million sentences embedded to a file that nothing opens."""
    out = embed_corpus(bilm, SENTENCES, tmp_path / "v.safetensors", progress=False)
    length = int.from_bytes(out.read_bytes()[:8], "little")
    monkeypatch.setattr(vector_file, "HEADER_LIMIT", length - 1)
    new = tmp_path / "new"
    with pytest.raises(ValueError, match=r"40 sentences are too many.*\.hdf5, or .*several files"):
        embed_corpus(bilm, SENTENCES, new / "v.safetensors", progress=False)
    assert not new.exists()
    check(embed_corpus(bilm, SENTENCES, new / "v.hdf5", progress=False), bilm)
    monkeypatch.setattr(vector_file, "HEADER_LIMIT", length)
    check(embed_corpus(bilm, SENTENCES, new / "v.safetensors", progress=False), bilm)


def test_the_limit_of_headers_is_the_librarys():
    """Catches a limit that the installed safetensors does not have."""
    for more, match in ((0, "invalid header length"), (1, "header too large")):
        promise = (vector_file.HEADER_LIMIT + more).to_bytes(8, "little")
        with pytest.raises(safetensors.SafetensorError, match=match):
            safetensors.deserialize(promise + b"{}")  # the second looks no further than the limit


def test_the_fingerprint_is_no_array(bilm, tmp_path):
    """Catches a 41st array, and a note that is not where readers of notes look."""
    marks = []
    for kind in (".safetensors", ".hdf5"):
        out = embed_corpus(bilm, SENTENCES, tmp_path / f"v{kind}", progress=False)
        header = out.read_bytes()[8 : 8 + int.from_bytes(out.read_bytes()[:8], "little")]
        if kind == ".hdf5":
            with h5py.File(out) as file:
                names, notes = sorted(file), dict(file.attrs)
        else:
            names = sorted(json.loads(header))
            notes = json.loads(header)[names.pop()]
        assert names == sorted(str(n) for n in range(len(SENTENCES)))
        marks.append(notes)
    assert marks[0] == marks[1]


def test_batches_hold_like_lengths_and_no_more_than_asked():
    """Catches a batch whose padding exceeds what fits, and rows lost at the end."""
    lengths = [n * 7 % 31 for n in range(200)]
    found = batches(lengths, 100)
    assert sorted(n for batch in found for n in batch) == list(range(200))
    for batch in found:
        assert len(batch) * (max(lengths[n] for n in batch) + 2) <= 100
    padded = sum(len(b) * max(lengths[n] for n in b) for b in found)
    assert padded < 1.1 * sum(lengths)
    assert batches([], 100) == []
    assert batches([500], 100) == [[0]]  # a sentence that is too long goes alone


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"out": "v.npz"}, r"must end in \.safetensors, \.hdf5 or \.h5"),
        ({"dtype": torch.float64}, "cannot be stored"),
        ({"batch_tokens": 0}, "at least 1"),
    ],
)
def test_wrong_settings_are_refused_before_anything_is_written(bilm, tmp_path, change, match):
    """Catches a mistake that shows only after hours of work."""
    settings = {"out": "v.hdf5", "progress": False, **change}
    settings["out"] = tmp_path / settings["out"]
    with pytest.raises(ValueError, match=match):
        embed_corpus(bilm, SENTENCES, **settings)
    assert not list(tmp_path.iterdir())


def test_a_missing_h5py_is_named_before_anything_is_written(bilm, tmp_path, monkeypatch):
    """Catches an empty folder left behind, and no word about the format that needs nothing."""
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match=r"\[elmo\].*ends in \.safetensors"):
        embed_corpus(bilm, SENTENCES, tmp_path / "new/v.h5", progress=False)
    assert not list(tmp_path.iterdir())


def test_folders_are_made_and_sentences_may_come_one_by_one(bilm, tmp_path):
    """Catches hours of work that end on a missing folder, and a generator that is read twice."""
    out = tmp_path / "new/folder/v.safetensors"
    embed_corpus(bilm, (iter(s) for s in SENTENCES), out, batch_tokens=33, progress=False)
    check(out, bilm)
    for wrong in (["Hello", "world"], [["Hello", 7]]):
        with pytest.raises(TypeError):
            embed_corpus(bilm, wrong, tmp_path / "other/v.hdf5", progress=False)
    assert not (tmp_path / "other").exists()


def test_no_sentences_make_an_empty_file(bilm, tmp_path):
    """Catches a crash where there is nothing to do."""
    assert read(embed_corpus(bilm, [], tmp_path / "v.safetensors", progress=False)) == []
    assert read(embed_corpus(bilm, [], tmp_path / "v.hdf5", progress=False)) == []


def test_another_precision_or_clip_is_another_file(bilm, tmp_path):
    """Catches half a file in bfloat16, and vectors from before a clip was set taken for new."""
    out = embed_corpus(bilm, SENTENCES, tmp_path / "v.safetensors", progress=False)
    with pytest.raises(FileExistsError):
        embed_corpus(bilm.packed().to(torch.bfloat16), SENTENCES, out, progress=False)
    bilm.directions[0][1].cell_clip = 0.1
    with pytest.raises(FileExistsError):
        embed_corpus(bilm, SENTENCES, out, progress=False)


def test_a_packed_model_makes_the_same_file(bilm, tmp_path):
    """Catches a fingerprint of the object instead of its weights."""
    out = embed_corpus(bilm, SENTENCES, tmp_path / "v.hdf5", progress=False)
    before = contents(tmp_path)
    assert embed_corpus(bilm.packed(), SENTENCES, out, progress=False) == out
    assert contents(tmp_path) == before


def test_surrogates_are_no_letter(bilm, tmp_path):
    """Catches the vectors of an emoji given for the two halves that UTF-16 spells it with."""
    out = embed_corpus(bilm, [["\U0001f600"]], tmp_path / "v.hdf5", progress=False)
    with pytest.raises(FileExistsError):
        embed_corpus(bilm, [["\ud83d\ude00"]], out, progress=False)


def flipped(path: Path, place: int, bit: int = 0) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << bit
    path.write_bytes(content)


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
def test_a_flipped_bit_of_a_journal_is_harmless(bilm, tmp_path, kind):
    """Catches batches that are believed because a number in the journal grew: they were zeros."""
    out = tmp_path / f"v{kind}"
    write, left = Job.write, [3]

    def write_some(job, number, layers):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        write(job, number, layers)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Job, "write", write_some)
        with pytest.raises(KeyboardInterrupt):
            embed_corpus(bilm, SENTENCES, out, batch_tokens=60, progress=False)
    partial, journal = (tmp_path / f"{out.name}.{part}" for part in ("partial", "progress"))
    kept = partial.read_bytes(), journal.read_bytes()
    assert kept[1].count(b"\n") == 1 + 3
    refused = []
    counts = [found.end() for found in re.finditer(b'"batch": ', kept[1])]
    flips = [(place, bit) for place in counts for bit in range(3)]  # 0 becomes 1, 2 and 4, ...
    flips += [(place, place % 7) for place in range(0, len(kept[1]), 19)]
    for place, bit in flips:
        for path, content in zip((partial, journal), kept, strict=True):
            path.write_bytes(content)
        flipped(journal, place, bit)
        try:
            embed_corpus(bilm, SENTENCES, out, batch_tokens=60, progress=False)
        except ValueError as error:
            refused.append(str(error))
            continue
        check(out, bilm)
        out.unlink()
    assert 0 < len(refused) < 8  # where the fingerprint stands
    assert all("delete" in told for told in refused)


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
def test_a_partial_file_is_believed_as_far_as_its_hashes_reach(bilm, tmp_path, kind):
    """Catches a damaged header that the finished file keeps, and damaged numbers taken over."""
    out = tmp_path / f"v{kind}"
    stop_before_the_end(bilm, out, batch_tokens=60)
    partial, journal = (tmp_path / f"{out.name}.{part}" for part in ("partial", "progress"))
    kept, notes = partial.read_bytes(), journal.read_bytes()
    refused, mended = [], 0
    for place in range(0, len(kept), len(kept) // 20):
        partial.write_bytes(kept)
        journal.write_bytes(notes)
        flipped(partial, place)
        try:
            embed_corpus(bilm, SENTENCES, out, batch_tokens=60, progress=False)
        except ValueError as error:
            refused.append(str(error))
            continue
        assert out.read_bytes() == kept
        mended += 1
        out.unlink()
    assert mended
    assert refused
    assert all("was damaged" in told for told in refused)


def test_a_line_cut_by_a_kill_is_passed_over(bilm, tmp_path):
    """Catches a note glued to the half of another, and a resumed run that dies of it."""
    out = tmp_path / "v.hdf5"
    stop_before_the_end(bilm, out)
    journal = tmp_path / "v.hdf5.progress"
    journal.write_bytes(journal.read_bytes()[:-40])
    stop_before_the_end(bilm, out)
    count = len(batches([len(s) for s in SENTENCES], 33))
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [line["batch"] for line in lines[1:]] == [*range(count)]
    embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    check(out, bilm)


WRITER = """
    import sys, torch
    from course_utils.embedding import embed_corpus
    from course_utils.embedding.job import Job
    from course_utils.models.elmo import BiLM
    from tests.embedding.test_elmo_corpus import OPTIONS, SENTENCES
    torch.manual_seed(20)
    write = Job.write
    def slowly(self, number, layers):
        if number == 2:
            print("writing", flush=True)
            sys.stdin.readline()
        write(self, number, layers)
    Job.write = slowly
    embed_corpus(BiLM(OPTIONS), SENTENCES, sys.argv[1], batch_tokens=33, progress=False)
"""


@contextmanager
def writing(out: Path) -> Iterator[subprocess.Popen]:
    """Start a process that stops in its third batch, or has ended before; it outlives no test."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(out)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        try:
            assert process.stdout.readline() in ("writing\n", "")
            yield process
        finally:
            process.kill()


def test_one_file_has_one_writer(bilm, tmp_path):
    """Catches two runs that share a `.partial`: the second says who is writing, and ends."""
    out = tmp_path / "v.safetensors"
    with writing(out) as first:
        before = contents(tmp_path)
        with writing(out) as second:
            told = second.communicate(timeout=60)[1]
        assert f"CorpusInUse: {out} is just being written by process {first.pid} on " in told
        assert ": wait until that ends" in told
        assert contents(tmp_path) == before
        first.communicate("go on\n")
    assert first.returncode == 0
    check(out, bilm)
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


def test_the_lock_of_a_killed_run_holds_nobody_up(bilm, tmp_path):
    """Catches a lock that is a file's existence: a kill would leave it for ever."""
    out = tmp_path / "v.hdf5"
    with writing(out) as first:
        first.kill()
    assert (tmp_path / "v.hdf5.lock").exists()
    embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    check(out, bilm)
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


KILLED_AT_ITS_END = """
    import os, signal, sys, torch
    from course_utils.embedding import embed_corpus
    from course_utils.models.elmo import BiLM
    from tests.embedding.test_elmo_corpus import OPTIONS, SENTENCES
    torch.manual_seed(20)
    replace = os.replace
    def last(source, target):
        replace(source, target)
        if str(target) == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGKILL)
    os.replace = last
    embed_corpus(BiLM(OPTIONS), SENTENCES, sys.argv[1], batch_tokens=33, progress=False)
"""


def test_what_a_run_killed_at_its_end_leaves_is_swept(bilm, tmp_path):
    """Catches a journal and a lock that stay for ever beside a file that is whole."""
    out = tmp_path / "v.safetensors"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", textwrap.dedent(KILLED_AT_ITS_END), str(out)]
    ended = subprocess.run(command, env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    before = out.read_bytes()
    beside = {out.with_name(out.name + end) for end in (".lock", ".progress")}
    assert {*tmp_path.iterdir()} == {out, *beside}
    with only_writer(out.with_name(f"{out.name}.lock")):  # as a run that is just ending
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
        assert {*tmp_path.iterdir()} == {out, *beside}
    for left in ((".progress",), (".lock",), (".progress", ".lock")):
        for end in left:
            out.with_name(out.name + end).touch()
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
        assert [*tmp_path.iterdir()] == [out]
    assert out.read_bytes() == before


def test_a_finished_file_does_not_cost_another_its_journal(bilm, tmp_path):
    """Catches hours of an unfinished file lost because a finished one was moved to its place."""
    out, other = tmp_path / "v.safetensors", tmp_path / "other.safetensors"
    stop_before_the_end(bilm, out)
    journal = tmp_path / "v.safetensors.progress"
    before = journal.read_bytes()
    embed_corpus(bilm, SENTENCES[1:], other, batch_tokens=33, progress=False)
    other.rename(out)
    embed_corpus(bilm, SENTENCES[1:], out, batch_tokens=33, progress=False)
    assert journal.read_bytes() == before


@pytest.mark.parametrize("end", ["lock", "partial", "progress", "plan"])
def test_a_folder_in_the_way_is_named(bilm, tmp_path, end):
    """Catches a bare IsADirectoryError, which does not say what to do."""
    out = tmp_path / "v.safetensors"
    stop_before_the_end(bilm, out)
    (tmp_path / f"v.safetensors.{end}").unlink(missing_ok=True)
    (tmp_path / f"v.safetensors.{end}").mkdir()
    before = contents(tmp_path)
    told = rf"v\.safetensors\.{end} is a folder, .*: move it away and call again"
    with pytest.raises(FileExistsError, match=told):
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    assert contents(tmp_path) == before


def test_a_full_disk_is_told_with_advice(bilm, tmp_path, monkeypatch):
    """Catches a bare "No space left on device", which does not say that nothing is lost. (The
    system's answer is made here: a full disk needs a file system of one's own.)"""
    out, real, calls = tmp_path / "v.safetensors", os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) == 9:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(
            OSError, match=r"batches are safe in .*Make room and call again"
        ) as told:
            embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    assert told.value.errno == errno.ENOSPC
    embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    check(out, bilm)


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
def test_equal_runs_make_equal_bytes(bilm, tmp_path, kind):
    """Catches timestamps: the second run begins in another second of the clock."""
    begun = int(time.time())
    one = embed_corpus(bilm, SENTENCES, tmp_path / f"one{kind}", progress=False)
    while int(time.time()) == begun:  # HDF5 counts whole seconds
        time.sleep(0.05)
    other = embed_corpus(bilm, SENTENCES, tmp_path / f"other{kind}", progress=False)
    assert one.read_bytes() == other.read_bytes()


def test_old_readers_of_hdf5_can_open_the_file(bilm, tmp_path):
    """Catches structures newer than HDF5 1.8, the first of which is the superblock's version 3."""
    out = embed_corpus(bilm, SENTENCES, tmp_path / "v.hdf5", progress=False)
    assert out.read_bytes()[:9] == b"\x89HDF\r\n\x1a\n\x02"


def test_a_small_model_leaves_the_other_cores_alone(bilm, tmp_path, monkeypatch):
    """Catches products of a few thousand numbers shared among threads, and threads left reduced."""
    used, call, before = [], PackedBiLM.__call__, torch.get_num_threads()

    def watched(self, sentences):
        used.append(torch.get_num_threads())
        return call(self, sentences)

    monkeypatch.setattr(PackedBiLM, "__call__", watched)
    torch.set_num_threads(2)
    try:
        embed_corpus(bilm, SENTENCES, tmp_path / "v.hdf5", progress=False)
        assert set(used) == {1}
        assert torch.get_num_threads() == 2
        with threads_for(OFFICIAL):
            assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
