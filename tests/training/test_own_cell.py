"""A cell that somebody wrote runs in the fair race as the course's own cells do."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from course_utils.data.memory_tasks import Copy, DelayedRecall
from course_utils.training.batched.together import Together
from course_utils.training.race.memory import MemoryRace, measure
from course_utils.training.race.own_cell import OwnCells, run_own

TINY = MemoryRace(DelayedRecall(3), lag=3, steps=6, width=5, batch=64, looks=2)


def elman(x_t, h, W, U, b):
    """Return h_t of an Elman network."""
    return torch.tanh(x_t @ W.mT + h @ U.mT + b)


@pytest.mark.parametrize("task", [DelayedRecall(3), Copy(2, items=2)])
def test_an_own_cell_is_trained_as_the_courses_is(task):
    """Catches a step that gets its input turned round, other batches, states asked too early."""
    race = replace(TINY, task=task)
    layers = [torch.nn.RNN(task.inputs, 5) for _ in range(3)]
    for layer in layers:
        layer.bias_hh_l0.data.zero_()
    readouts = [torch.nn.Linear(5, task.outputs) for _ in layers]
    pairs = list(zip(layers, readouts, strict=True))
    answers = 2 if isinstance(task, Copy) else 1
    theirs = Together("elman", pairs, answers)
    parts = [[*list(layer.parameters())[:3], *readout.parameters()] for layer, readout in pairs]
    ours = OwnCells(elman, parts, answers)
    x = torch.randn(6, 3, task.inputs, 4)
    torch.testing.assert_close(ours(x), theirs(x))
    measure(race, ours, (0.0,), (0, 1, 2), steps=2)
    torch.testing.assert_close(ours(x), theirs(x))


def test_a_start_and_a_seed_decide_what_comes_out():
    """Catches a start that is never called, and runs that cannot be repeated."""
    first = run_own(TINY, elman, 1, (0.1,), seeds=(1, 2))
    torch.manual_seed(77)
    again = run_own(TINY, elman, 1, (0.1,), seeds=(1, 2))
    assert torch.equal(first.scores, again.scores)
    assert first.steps == [3, 6]

    def silent(W, U, b):
        W.zero_()

    deaf = run_own(TINY, elman, 1, (0.0,), start=silent, seeds=(1,))
    assert deaf.scores.unique().numel() == 1  # the same answer whatever was read
    assert 0.4 < deaf.scores[0, 0, 0] < 0.6


def test_a_step_of_another_size_is_told():
    """Catches a broadcast that trains something else than was written."""
    with pytest.raises(ValueError, match="return h_t, as large as h"):
        run_own(TINY, lambda x_t, h, W, U, b: h[:, :1], 1, (0.1,), seeds=(1,))
