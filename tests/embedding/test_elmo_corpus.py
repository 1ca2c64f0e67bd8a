"""Vectors of a whole corpus on disk: right, complete, and unharmed by interruption."""

from __future__ import annotations

import json
import os
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

from course_utils.embedding import vector_file
from course_utils.embedding.corpus import batches, embed_corpus, threads_for
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


STOPPED = """
    import os, signal, sys, torch
    from course_utils.embedding import embed_corpus
    from course_utils.models.elmo import BiLM, PackedBiLM
    from tests.embedding.test_elmo_corpus import OPTIONS, SENTENCES
    torch.manual_seed(20)
    bilm = BiLM(OPTIONS).eval().requires_grad_(False)
    call, left = PackedBiLM.__call__, [4]
    def stopped(self, sentences):
        if left[0] == 0:
            os.kill(os.getpid(), int(sys.argv[2]))
        left[0] -= 1
        return call(self, sentences)
    PackedBiLM.__call__ = stopped
    embed_corpus(bilm, SENTENCES, sys.argv[1], batch_tokens=33, progress=False)
"""


def run_python(program: str, *arguments: object) -> subprocess.CompletedProcess:
    """Run a program of its own, which finds this repository, to its end."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(os.name == "nt", reason="no program can be killed by a signal there")
@pytest.mark.parametrize("kind", [".safetensors", ".hdf5"])
@pytest.mark.parametrize("end", ["SIGINT", "SIGKILL"])
def test_a_run_that_ends_early_leaves_no_file(bilm, tmp_path, kind, end):
    """Catches half a file under the name of a whole one, and what a killed run leaves for ever."""
    out, number = tmp_path / f"v{kind}", getattr(signal, end)
    ended = run_python(STOPPED, out, int(number))
    assert ended.returncode == -number, ended.stderr
    assert not out.exists()
    left = [path.name for path in tmp_path.iterdir()]
    assert not left if number == signal.SIGINT else len(left) == 2  # the lock and what was begun
    embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    check(out, bilm)
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


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

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    embed_corpus(bilm, SENTENCES, tmp_path / "v.hdf5", batch_tokens=33, progress=False)
    assert renamed == ["v.hdf5"]


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
    """Catches a look at the place only before the work."""
    out, call = tmp_path / "v.safetensors", PackedBiLM.__call__

    def somebody_writes(self, sentences):
        out.write_text("other")
        return call(self, sentences)

    monkeypatch.setattr(PackedBiLM, "__call__", somebody_writes)
    with pytest.raises(FileExistsError, match="choose another name, or move it away"):
        embed_corpus(bilm, SENTENCES, out, progress=False)
    assert out.read_text() == "other"
    assert [p.name for p in tmp_path.iterdir()] == [out.name]


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
    with pytest.raises(ValueError, match=r"65520 is too large.*65504.*dtype=torch.float32"):
        embed_corpus(bilm, SENTENCES, out, dtype=torch.float16, progress=False)
    assert not out.exists()
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


WRITER = """
    import sys, torch
    from course_utils.embedding import embed_corpus
    from course_utils.models.elmo import BiLM, PackedBiLM
    from tests.embedding.test_elmo_corpus import OPTIONS, SENTENCES
    torch.manual_seed(20)
    call, left = PackedBiLM.__call__, [2]
    def slowly(self, sentences):
        if left[0] == 0:
            print("writing", flush=True)
            sys.stdin.readline()
        left[0] -= 1
        return call(self, sentences)
    PackedBiLM.__call__ = slowly
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
        assert f"CorpusInUse: {out} is being written by process {first.pid} on " in told
        assert ": wait until it ends" in told
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


@pytest.mark.skipif(os.name == "nt", reason="no program can be killed by a signal there")
def test_what_a_run_killed_at_its_end_leaves_is_swept(bilm, tmp_path):
    """Catches a lock that stays for ever beside a file that is whole, and one taken from a run
    that is just ending."""
    out = tmp_path / "v.safetensors"
    ended = run_python(KILLED_AT_ITS_END, out)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    before, lock = out.read_bytes(), out.with_name(f"{out.name}.lock")
    assert {*tmp_path.iterdir()} == {out, lock}
    with only_writer(lock):  # as a run that is just ending
        embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
        assert lock.exists()
    lock.touch()
    embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    assert [*tmp_path.iterdir()] == [out]
    assert out.read_bytes() == before


def test_a_folder_in_the_way_is_named(bilm, tmp_path):
    """Catches a bare IsADirectoryError, which does not say what to do."""
    (tmp_path / "v.safetensors.lock").mkdir()
    told = r"v\.safetensors\.lock is a folder where a file must go: move it away and try again"
    with pytest.raises(FileExistsError, match=told):
        embed_corpus(bilm, SENTENCES, tmp_path / "v.safetensors", progress=False)
    assert [p.name for p in tmp_path.iterdir()] == ["v.safetensors.lock"]


def test_a_full_disk_is_told_with_advice(bilm, tmp_path):
    """Catches a bare "No space left on device", and half a file that stays on a full disk.

    The disk is full for this process alone: no file of it may grow beyond 20,000 bytes.
    """
    out = tmp_path / "v.safetensors"
    ended = run_python(FULL, out)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "EFBIG\n"
    assert list(tmp_path.iterdir()) == []
    embed_corpus(bilm, SENTENCES, out, batch_tokens=33, progress=False)
    check(out, bilm)


FULL = """
    import errno, os, resource, signal, sys, torch
    from course_utils.embedding import embed_corpus
    from course_utils.models.elmo import BiLM
    from tests.embedding.test_elmo_corpus import OPTIONS, SENTENCES
    torch.manual_seed(20)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    bilm = BiLM(OPTIONS)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
    try:
        embed_corpus(bilm, SENTENCES, sys.argv[1], batch_tokens=33, progress=False)
    except OSError as error:
        assert "nothing of it is kept. Make room and call again" in str(error), error
        print(errno.errorcode[error.errno])
"""


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
