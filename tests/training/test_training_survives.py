"""A run that is killed at any moment goes on as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest
import torch

from course_utils.training import StreamLoss, load_checkpoint
from course_utils.training.resume.run_state import FILE
from tests.training.training_runs import forks, tiny_run

KILLS, STEPS = 55, 400


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


def train_until_killed(folder, steps, chance) -> bool:
    """Kill the run a few steps on, at a moment that nothing plans; return whether it lived."""
    ours, theirs = forks().Pipe(duplex=False)
    child = forks().Process(target=killable, args=(folder, steps, theirs))
    child.start()
    theirs.close()
    for _ in range(chance.randrange(1, 8)):
        if ours.recv_bytes() == b"done":
            child.join()
            return True
    time.sleep(chance.uniform(0, 0.004))  # the moment is the point: anywhere in a step or a save
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    return False


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
        if train_until_killed(folder, STEPS, chance):  # a busy machine may kill late
            ends_as_if_never_killed(folder)
            runs += 1
            continue
        kills += 1
        torn += len(list(folder.glob(".*.partial")))
        if (folder / FILE).exists():
            load_checkpoint(folder / FILE)  # raises when a byte is wrong
    ends_as_if_never_killed(folder)
    assert torn > 0, "no kill fell into a save: the test has lost its teeth"
