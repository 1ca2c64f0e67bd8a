"""Vectors of a whole corpus on disk: right, complete, and unharmed by interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import h5py
import pytest
import safetensors
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from course_utils.embedding import job as corpus_job
from course_utils.embedding import vector_file
from course_utils.embedding.corpus import batches, embed_corpus
from course_utils.embedding.job import Job
from course_utils.models.elmo import BiLM, Options

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


def stop_before_the_end(bilm: BiLM, out: Path) -> None:
    """Leave a `.partial` that has all its batches, and its `.progress`."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Job, "finish", lambda job: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)


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
    calls = []

    class Interrupted(BiLM):
        def forward(self, sentences, state=None):
            calls.append(sentences)
            if len(calls) == 5:
                raise KeyboardInterrupt
            return super().forward(sentences, state)

    whole = len(batches([len(s) for s in SENTENCES], 33))
    weights = bilm.state_dict()
    flaky = Interrupted(OPTIONS).eval().requires_grad_(False)
    flaky.load_state_dict(weights)
    with pytest.raises(KeyboardInterrupt):
        embed_corpus(flaky, SENTENCES, out, batch_tokens=33, progress=False)
    assert not out.exists()
    embed_corpus(flaky, SENTENCES, out, batch_tokens=33, progress=False)
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
        def killed(self, number, rows, layers):
            if left[0] == 0:  # half a batch is in the file, nothing is noted
                os.pwrite(self.file.fileno(), b"half", self.places[rows[0]])
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            write(self, number, rows, layers)
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


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[]", b"{}", b'{"batches": null}'])
def test_a_broken_note_says_what_to_do(bilm, tmp_path, text):
    """Catches a JSONDecodeError about line 1 column 1, and batches believed without a count."""
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
        synced[number] = next(
            p for p in tmp_path.iterdir() if p.stat().st_ino == number
        ).read_bytes()

    def watched_replace(source, target):
        path = Path(source)
        assert synced.get(path.stat().st_ino) == path.read_bytes(), f"{path.name} was not synced"
        renamed.append(Path(target).name)
        if path.suffix == ".new":  # what is counted is there
            partial = tmp_path / "v.hdf5.partial"
            assert synced.get(partial.stat().st_ino) == partial.read_bytes()
        replace(source, target)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    embed_corpus(bilm, SENTENCES, tmp_path / "v.hdf5", batch_tokens=33, progress=False)
    count = len(batches([len(s) for s in SENTENCES], 33))
    assert renamed == ["v.hdf5.progress"] * (count + 1) + ["v.hdf5"]


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5", ".h5"])
def test_a_finished_file_is_not_made_again(bilm, tmp_path, monkeypatch, kind):
    """Catches hours of work for a file that is there already."""
    out = embed_corpus(bilm, SENTENCES, tmp_path / f"v{kind}", progress=False)
    before = contents(tmp_path)
    monkeypatch.delattr(BiLM, "forward")
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
    monkeypatch.delattr(BiLM, "forward")
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
    monkeypatch.delattr(BiLM, "forward")
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
    with torch.autocast("cpu", torch.bfloat16), pytest.raises(FileExistsError):
        embed_corpus(bilm, SENTENCES, out, progress=False)
    bilm.directions[0][1].cell_clip = 0.1
    with pytest.raises(FileExistsError):
        embed_corpus(bilm, SENTENCES, out, progress=False)
