"""Vectors of a whole corpus on disk: right, complete, and unharmed by interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import h5py
import pytest
import torch
from safetensors import safe_open

import course_utils.models.elmo.embed_corpus as module
from course_utils.models.elmo import BiLM, Options
from course_utils.models.elmo.embed_corpus import batches, embed_corpus

OPTIONS = Options(projection=5, cells=11, layers=2, filters=((1, 3), (3, 4)), char_dim=3)
SENTENCES = [["word", str(n)] * (n % 7) + ["end"] * (n % 3) for n in range(40)]


@pytest.fixture
def bilm():
    """Return a small model with fixed weights."""
    torch.manual_seed(20)
    return BiLM(OPTIONS).eval().requires_grad_(False)


def read(path: Path) -> list[torch.Tensor]:
    """Return the arrays in order, through the public libraries alone."""
    if path.suffix == ".hdf5":
        with h5py.File(path) as file:
            return [torch.from_numpy(file[str(n)][()]) for n in range(len(file))]
    with safe_open(path, "pt") as file:
        return [file.get_tensor(str(n)) for n in range(len(file.keys()))]


def check(path: Path, bilm: BiLM, atol: float = 1e-6) -> None:
    """Every sentence is there once, with the vectors it has alone."""
    found = read(path)
    assert len(found) == len(SENTENCES)
    for layers, sentence in zip(found, SENTENCES, strict=True):
        expected = bilm([sentence]).layers[:, 0]
        assert layers.shape == expected.shape == (3, len(sentence), 10)
        torch.testing.assert_close(layers.float(), expected, atol=atol, rtol=0)


@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
@pytest.mark.parametrize("batch_tokens", [12, 10_000])
def test_every_sentence_has_the_vectors_it_has_alone(bilm, tmp_path, kind, batch_tokens):
    """Catches sentences in the order of length, padding stored, and offsets that overlap."""
    out = tmp_path / f"vectors{kind}"
    assert bilm.embed_corpus(SENTENCES, out, batch_tokens=batch_tokens, progress=False) == out
    check(out, bilm)
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


def test_half_precision_halves_the_file(bilm, tmp_path):
    """Catches a header that promises another number type than the bytes have."""
    sizes = []
    for dtype in (torch.float32, torch.float16):
        out = embed_corpus(bilm, SENTENCES, tmp_path / "v.safetensors", dtype=dtype, progress=False)
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
    """Catches a file that only a polite end leaves whole: the process is killed at many batches."""
    out = tmp_path / "v.hdf5"
    program = textwrap.dedent(f"""
        import os, signal, sys, torch
        import course_utils.models.elmo.embed_corpus as m
        from tests.test_elmo_corpus import OPTIONS, SENTENCES
        from course_utils.models.elmo import BiLM
        torch.manual_seed(20)
        bilm = BiLM(OPTIONS).eval().requires_grad_(False)
        write, left = m._Job.write, [4]
        def killed(self, number, rows, layers):
            if left[0] == 0:  # half a batch is in the file, nothing is noted
                self.file.seek(self.places[rows[0]])
                self.file.write(b"half")
                self.file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            write(self, number, rows, layers)
        m._Job.write = killed
        m.embed_corpus(bilm, SENTENCES, {str(out)!r}, batch_tokens=70, progress=False)
    """)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
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

    real_lay_out = module.lay_out
    for owner, name, deadly in (
        (module._Job, "finish", finish_and_die),
        (module, "lay_out", lay_out_and_die),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, deadly)
            with pytest.raises(KeyboardInterrupt):
                bilm.embed_corpus(SENTENCES, out, batch_tokens=12, progress=False)
    bilm.embed_corpus(SENTENCES, out, batch_tokens=12, progress=False)
    check(out, bilm)


def test_another_corpus_does_not_go_on_with_this_one(bilm, tmp_path, monkeypatch):
    """Catches vectors of two corpora, or of two models, in one file."""
    out = tmp_path / "v.safetensors"
    monkeypatch.setattr(
        module._Job, "finish", lambda self: (_ for _ in ()).throw(OSError("disk full"))
    )
    with pytest.raises(OSError, match="disk full"):
        embed_corpus(bilm, SENTENCES, out, progress=False)
    with pytest.raises(ValueError, match="begun with other sentences"):
        embed_corpus(bilm, SENTENCES[1:], out, progress=False)
    with torch.no_grad():
        bilm.encoder.projection.bias.add_(1)
    with pytest.raises(ValueError, match="another model"):
        embed_corpus(bilm, SENTENCES, out, progress=False)


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
        ({"out": "v.npz"}, "must end in .safetensors or .hdf5"),
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
