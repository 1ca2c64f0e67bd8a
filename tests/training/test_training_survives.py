"""A run that is killed at any moment goes on as if nothing had happened."""

from __future__ import annotations

import random
import time
from contextlib import suppress

import psutil
import pytest
import torch

from course_utils.training import StreamLoss, load_checkpoint
from course_utils.training.resume.run_state import FILE
from tests.training.training_runs import forks, tiny_run

KILLS, STEPS = 55, 400
HALTED = {psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD}


class ReportingLoss(StreamLoss):
    """Tell another process about every step that begins."""

    def __init__(self, pipe):
        super().__init__()
        self.pipe = pipe

    def __call__(self, model, batch):
        self.pipe.send_bytes(b".")
        return super().__call__(model, batch)


def killable(folder, steps, pipe):
    """Run in a child: save after every step."""
    tiny_run(folder, steps, loss=ReportingLoss(pipe), save_every=1, resume=True)
    pipe.send_bytes(b"done")


def train_until_killed(folder, steps, chance, in_a_save: bool) -> bool:
    """Kill the run a few steps on, at a moment that nothing plans; return whether it lived.

    Few such moments fall into a save, fewer on a busy machine: `in_a_save` waits for one.
    """
    ours, theirs = forks().Pipe(duplex=False)
    child = forks().Process(target=killable, args=(folder, steps, theirs))
    child.start()
    theirs.close()
    for _ in range(chance.randrange(1, 8)):
        if ours.recv_bytes() == b"done":
            child.join()
            return True
    if in_a_save:
        halt_in_a_save(child, folder)
    else:
        time.sleep(chance.uniform(0, 0.004))  # the moment is the point: anywhere in a step
    child.kill()
    child.join()
    return child.exitcode == 0


def halt_in_a_save(child, folder) -> None:
    """Halt the run where a file lies half written, or return when it has ended."""
    process = psutil.Process(child.pid)
    with suppress(psutil.NoSuchProcess):
        while child.is_alive():
            if partial_files(folder):
                process.suspend()
                while process.status() not in HALTED:
                    pass
                if partial_files(folder):
                    return
                process.resume()


def partial_files(folder) -> list:
    """Return what a save has begun to write."""
    return list(folder.glob(".*.partial"))


@pytest.mark.slow
def test_killed_anywhere_the_run_ends_with_the_same_weights(tmp_path):
    """Catches: a torn file, a place, state, moment or random number that is not saved."""
    chance, kills, torn, runs = random.Random(20), 0, 0, 1
    whole, unbroken = tiny_run(steps=STEPS)

    def ends_as_if_never_killed(folder):
        killed, history = tiny_run(folder, STEPS, resume=True)
        assert history.loss.tolist() == unbroken.loss.tolist()
        for name, value in whole.state_dict().items():
            assert torch.equal(value, killed.state_dict()[name]), name
        assert [path.name for path in folder.iterdir()] == [FILE]

    while kills < KILLS:
        folder = tmp_path / str(runs)
        in_a_save = kills % 5 == 0
        if train_until_killed(folder, STEPS, chance, in_a_save):  # a busy machine may kill late
            ends_as_if_never_killed(folder)
            runs += 1
            continue
        kills += 1
        torn += len(partial_files(folder))
        if (folder / FILE).exists():
            load_checkpoint(folder / FILE)  # raises when a byte is wrong
    ends_as_if_never_killed(folder)
    assert torn >= KILLS // 5 - 1, "no kill fell into a save: the test has lost its teeth"
