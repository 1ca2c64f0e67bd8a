"""Checkpoints are whole or absent, exactly what was saved, and never code."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
import stat
import subprocess
from contextlib import suppress

import pytest
import torch
from torch import nn

from course_utils.training import CheckpointError, StreamLoss, fit, load_checkpoint, save_checkpoint
from course_utils.training.batches import BatchSource
from course_utils.training.resume.checkpoints import FORMAT
from course_utils.training.resume.run_state import FILE, RunState
from tests.training.training_runs import Shuffled, TinyLM, forks, tiny_run

NOBODY = 65534


def rich_state() -> dict:
    """Return state with everything that a run may hold."""
    weight = torch.randn(3, 5)
    return {
        "weights": {"tied": weight, "again": weight, "row": weight[1], "scalar": torch.tensor(7.0)},
        "kinds": [torch.ones(2, dtype=torch.bfloat16), torch.arange(3), torch.zeros(0, 4)],
        "numbers": {0: (1, 2.5, None, True), "inf": float("inf"), "name": 'quote " and é'},
        "hash": '"sha256":"' + "0" * 64 + '"',
        "hash in bytes": torch.tensor(list(b'"sha256":"' + b"0" * 64 + b'"'), dtype=torch.uint8),
        "view": torch.arange(12.0).reshape(3, 4).T[1:],
    }


def same(a, b) -> bool:
    """Compare nested state exactly, kinds and number types included."""
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and torch.equal(a, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def test_what_is_loaded_is_what_was_saved(tmp_path):
    """Catches: a tuple that comes back as a list, a key that becomes text, a view cut wrong, and
    tensors that overlap, which the format knows nothing of."""
    state = rich_state()
    save_checkpoint(tmp_path / "deep" / "x.safetensors", state)
    assert same(load_checkpoint(tmp_path / "deep" / "x.safetensors"), state)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["x.safetensors"]


def test_what_shares_memory_is_written_once(tmp_path):
    """Catches: a tied matrix that is written twice because two parameters look at it, and two
    tensors taken for one because neither has a number in it."""
    weight, empty = torch.randn(3, 5), torch.zeros(0, 4)
    state = {"one": weight, "other": weight.detach(), "row": weight[:1], "no": [empty, empty.T]}
    save_checkpoint(tmp_path / "x.safetensors", state)
    loaded = load_checkpoint(tmp_path / "x.safetensors")
    assert same(loaded, state)
    assert loaded["one"] is loaded["other"]


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be opened there")
def test_bytes_are_on_the_disk_before_the_name_and_the_name_before_the_end(tmp_path, monkeypatch):
    """Catches: no fsync, or one after the rename: a power cut then leaves an empty checkpoint."""
    seen, sync, replace = [], os.fsync, os.replace

    def listened_sync(descriptor):
        sync(descriptor)
        of_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        seen.append("folder" if of_folder else os.fstat(descriptor).st_size)

    def listened_replace(old, new):
        replace(old, new)
        seen.append("renamed")

    monkeypatch.setattr(os, "fsync", listened_sync)
    monkeypatch.setattr(os, "replace", listened_replace)
    save_checkpoint(tmp_path / "x.safetensors", {"w": torch.randn(3, 5)})
    assert seen == [(tmp_path / "x.safetensors").stat().st_size, "renamed", "folder"]


def test_every_changed_byte_and_every_cut_is_noticed(tmp_path):
    """Catches: a hash that leaves out the header, the lengths, or the hash itself."""
    path = tmp_path / "x.safetensors"
    save_checkpoint(path, {"w": torch.randn(3, 5), "step": 7})
    good = path.read_bytes()
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(CheckpointError, match=r"x\.safetensors"):
            load_checkpoint(path)
    for length in range(0, len(good), 5):
        path.write_bytes(good[:length])
        with pytest.raises(CheckpointError, match=r"cut off|not those"):
            load_checkpoint(path)
    path.write_bytes(good + b"x")
    with pytest.raises(CheckpointError, match="not those"):
        load_checkpoint(path)


def test_a_pickle_is_refused_and_does_not_run(tmp_path):
    """Catches: loading through torch.load with weights_only=False."""

    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "sprung"),))

    torch.save(Trap(), tmp_path / "x.safetensors")
    with pytest.raises(CheckpointError, match="no checkpoint at all"):
        load_checkpoint(tmp_path / "x.safetensors")
    assert not (tmp_path / "sprung").exists()
    with pytest.raises(TypeError, match="not Trap"):
        save_checkpoint(tmp_path / "y.safetensors", {"bad": Trap()})


def test_another_format_is_named(tmp_path):
    """Catches: reading a file of another version as if it were ours."""
    from safetensors.torch import save_file

    save_file({"w": torch.ones(3)}, tmp_path / "x", {"format": "recurrent-course checkpoint 9"})
    with pytest.raises(CheckpointError, match="checkpoint 9"):
        load_checkpoint(tmp_path / "x")
    save_file({"w": torch.ones(3)}, tmp_path / "y")
    with pytest.raises(CheckpointError, match="no checkpoint at all"):
        load_checkpoint(tmp_path / "y")
    with pytest.raises(CheckpointError, match="No such file"):
        load_checkpoint(tmp_path / "absent")


@pytest.mark.parametrize("plain", ['{"tensor": "7"}', "[" * 100_000, "half a st"])
def test_a_whole_file_that_means_nothing_is_refused(tmp_path, plain):
    """Catches: PyTorch's, Python's or JSON's own error, where advice should stand."""
    from safetensors.torch import save

    def field(digest):
        return f'"sha256":"{digest}"'.encode()

    zeros = "0" * 64
    blank = save({}, {"format": FORMAT, "sha256": zeros, "state": plain})
    digest = hashlib.sha256(blank).hexdigest()
    (tmp_path / "x").write_bytes(blank.replace(field(zeros), field(digest)))
    with pytest.raises(CheckpointError, match="its content does not fit"):
        load_checkpoint(tmp_path / "x")
    header = b"[" * 100_000
    (tmp_path / "y").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(CheckpointError, match="no checkpoint at all"):
        load_checkpoint(tmp_path / "y")


def save_in_child(path, answer, limit, user):
    """Try to save a large state under a limit, and send back what was said."""
    if limit:
        import resource  # not on Windows

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    if user:
        os.setuid(user)
    try:
        save_checkpoint(path, {"w": torch.zeros(100_000)})
        answer.send("saved")
    except CheckpointError as error:
        answer.send(f"{type(error.__cause__).__name__} {error.__cause__.errno} {error}")


def said_by_child(path, limit=0, user=0) -> str:
    ours, theirs = forks().Pipe(duplex=False)
    child = forks().Process(target=save_in_child, args=(path, theirs, limit, user))
    child.start()
    theirs.close()
    said = ours.recv()
    child.join()
    return said


@pytest.mark.skipif(os.name == "nt", reason="limits and users are set the POSIX way")
@pytest.mark.parametrize("trouble", ["no room", "read-only"])
def test_what_cannot_be_written_leaves_the_last_one_alone(tmp_path, trouble):
    """Catches: writing in place, and a half file left behind when the disk is full."""
    path = tmp_path / "x.safetensors"
    save_checkpoint(path, {"step": 7})
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    if trouble == "no room":
        said, reason = said_by_child(path, limit=50_000), errno.EFBIG
    else:
        tmp_path.chmod(0o555)
        said, reason = said_by_child(path, user=NOBODY if os.getuid() == 0 else 0), errno.EACCES
        tmp_path.chmod(0o755)
    assert f" {reason} " in said
    assert "untouched" in said
    assert "choose another folder" in said
    assert load_checkpoint(path) == {"step": 7}
    assert [file.name for file in tmp_path.iterdir()] == ["x.safetensors"]


def test_a_folder_that_takes_nothing_is_told_before_the_first_step(tmp_path):
    """Catches: hours of training that end at the first checkpoint."""
    (tmp_path / "file").write_text("in the way")

    def never(model, batch):
        raise AssertionError("this was computed for nothing")

    with pytest.raises(CheckpointError, match="choose another folder"):
        tiny_run(tmp_path / "file" / "run", steps=3, loss=never)


@pytest.fixture
def small_disk(tmp_path):
    """Mount a file system of 256 kB, where this user may."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this user may not mount a small file system to fill")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)  # busy where a file stayed open


def fill(path):
    """Write until the disk takes no more."""
    with suppress(OSError), path.open("wb", buffering=0) as junk:
        while junk.write(bytes(4096)):
            pass


def test_a_disk_that_takes_a_lock_and_no_more_is_told_too(small_disk):
    """Catches: a trial that creates a file and writes nothing, which a full disk lets through."""

    def never(model, batch):
        raise AssertionError("this was computed for nothing")

    fill(small_disk / "junk")
    with pytest.raises(CheckpointError, match=r"run.safetensors: No space left.*make room"):
        tiny_run(small_disk, steps=3, loss=never)
    assert [path.name for path in small_disk.iterdir()] == ["junk"]


def test_a_disk_that_fills_up_during_a_run_costs_only_time(small_disk):
    """Catches: a full disk that takes the last good checkpoint with it."""

    class Filling(StreamLoss):
        steps = 0

        def __call__(self, model, batch):
            self.steps += 1
            if self.steps == 5:
                fill(small_disk / "junk")
            return super().__call__(model, batch)

    with pytest.raises(CheckpointError, match=r"No space left.*make room"):
        tiny_run(small_disk, steps=12, save_every=2, loss=Filling())
    assert len(load_checkpoint(small_disk / FILE)["history"]["steps"]["loss"]) == 4
    (small_disk / "junk").unlink()
    model, history = tiny_run(small_disk, steps=12, resume=True)
    whole, unbroken = tiny_run(steps=12)
    assert history.loss.tolist() == unbroken.loss.tolist()
    assert torch.equal(model.out.weight, whole.out.weight)
    assert [path.name for path in small_disk.iterdir()] == [FILE]


def test_a_run_is_not_continued_with_another_model_or_optimiser(tmp_path):
    """Catches: loading with strict=False, and an error that does not say which weight differs."""
    tiny_run(tmp_path, steps=3)
    model = TinyLM(hidden=6)
    with pytest.raises(
        CheckpointError, match=r"recur.weight_ih_l0: saved \(20, 3\), here \(24, 3\)"
    ):
        resume_with(model, tmp_path)
    with pytest.raises(CheckpointError, match="made with Adam, not SGD"):
        resume_with(TinyLM(), tmp_path, optimizer=torch.optim.SGD)
    larger = TinyLM()
    larger.extra = nn.Parameter(torch.zeros(2))
    with pytest.raises(CheckpointError, match="extra: saved not at all"):
        resume_with(larger, tmp_path)
    with pytest.raises(CheckpointError, match="holds a run already"):
        tiny_run(tmp_path, steps=5)
    (tmp_path / FILE).write_bytes((tmp_path / FILE).read_bytes()[:-3])
    with pytest.raises(CheckpointError, match="must not be used"):
        tiny_run(tmp_path, steps=5, resume=True)


def test_a_run_sweeps_what_a_killed_one_left_in_its_folder(tmp_path):
    """Catches half-written checkpoints that stay for ever, one for every kill."""
    tiny_run(tmp_path, steps=3)
    left = tmp_path / f".{FILE}.0a1b2c3d.partial"
    left.write_bytes(b"half a checkp")
    tiny_run(tmp_path, steps=5, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.filterwarnings("ignore:.*no-op:UserWarning")  # weights have no values there
def test_what_a_loss_carries_comes_back_where_the_model_is(tmp_path):
    """Catches: a carried state left on the CPU, which ends every resumption on a GPU."""
    tiny_run(tmp_path, steps=3)
    model = TinyLM().to("meta")  # the device that this machine has besides the CPU
    run = RunState(
        model, torch.optim.Adam(model.parameters()), BatchSource(Shuffled()), StreamLoss()
    )
    run.resume(tmp_path)
    assert {part.device.type for part in run.loss.state} == {"meta"}


def resume_with(model, folder, optimizer=torch.optim.Adam):
    fit(model, Shuffled(), StreamLoss(), steps=5, folder=folder, resume=True, device="cpu",
        optimizer=optimizer(model.parameters(), lr=1e-3), progress=False)  # fmt: skip
