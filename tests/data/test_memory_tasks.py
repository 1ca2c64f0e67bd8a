"""What the memory tasks ask is what their sequences hold."""

from __future__ import annotations

import pytest
import torch

from course_utils.data.memory_tasks import Adding, Copy, DelayedRecall


def drawn(task, batch=2000, seed=3):
    return task.draw(batch, torch.Generator().manual_seed(seed))


def test_recall_asks_for_the_marked_sign_only():
    """Catches a target that a distractor gives away, and a lag that is off by one."""
    x, y = drawn(DelayedRecall(11))
    assert x.shape == (12, 2000, 2)
    assert torch.equal(x[..., 1].sum(0), torch.ones(2000))
    assert x[0, :, 1].all()
    assert torch.equal(x[0, :, 0], 2.0 * y - 1)
    agree = (x[1:, :, 0] == 2.0 * y - 1).float().mean(dim=1)
    assert (agree - 0.5).abs().max() < 0.05
    assert y.float().mean() == pytest.approx(0.5, abs=0.05)


def test_adding_marks_one_number_in_either_half():
    """Catches both marks at one step, and a chance level that answering 1 does not have."""
    task = Adding(7)
    x, y = drawn(task, 20_000)
    assert torch.equal(x[:3, :, 1].sum(0), torch.ones(20_000))
    assert torch.equal(x[3:, :, 1].sum(0), torch.ones(20_000))
    torch.testing.assert_close((x[..., 0] * x[..., 1]).sum(0), y)
    assert (y - 1).square().mean() == pytest.approx(task.chance, rel=0.05)


def test_copy_shows_its_symbols_once_and_asks_in_order():
    """Catches symbols that are shown again, an order turned round, a signal one step late."""
    task = Copy(pause=7, items=3, symbols=5)
    x, y = drawn(task)
    assert x.shape == (13, 2000, 7)
    assert y.shape == (3, 2000)
    tokens = x.argmax(-1)
    assert torch.equal(x.sum(-1), torch.ones(13, 2000))
    assert torch.equal(tokens[:3], y)
    assert (tokens[3:10] == 5).all()
    assert (tokens[10:] == 6).all()
    assert (y == 0).float().mean() == pytest.approx(task.chance, abs=0.02)


@pytest.mark.parametrize("task", [DelayedRecall(5), Adding(6), Copy(4)])
def test_a_seed_decides_a_batch_and_the_next_one_is_new(task):
    """Catches draws from the global generator, and a generator that starts again."""
    generator = torch.Generator().manual_seed(3)
    first, second = task.draw(50, generator), task.draw(50, generator)
    torch.manual_seed(99)
    again = drawn(task, 50)
    assert torch.equal(first.x, again.x)
    assert torch.equal(first.y, again.y)
    assert not torch.equal(first.x, second.x)
    assert first.x.shape[-1] == task.inputs
