"""Networks trained together end where each would have ended alone."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_

from course_utils.training.batched.cells import CELLS
from course_utils.training.batched.together import Adam, Together, train_together
from course_utils.training.batched.unroll import Tape

T, B, D, H, O, P, ANSWERS = 7, 3, 5, 11, 2, 4, 3
KINDS = {"elman": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}
RATES = (0.3, 0.03, 0.01, 0.001)
pytestmark = pytest.mark.usefixtures("float64")


def networks(cell: str) -> list[tuple[nn.RNNBase, nn.Linear]]:
    """Return P networks, of which the first has weights so large that clipping acts."""
    torch.manual_seed(1)
    made = [(KINDS[cell](D, H), nn.Linear(H, O)) for _ in range(P)]
    with torch.no_grad():
        made[0][1].weight.mul_(30)
    return made


def draw(number: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return other sequences for every network and update."""
    generator = torch.Generator().manual_seed(number)
    x = torch.randn(T, P, D, B, generator=generator)
    return x, torch.randn(ANSWERS, P, O, B, generator=generator)


def losses(answers: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return each network's squared error."""
    return ((answers - y) ** 2).mean(dim=(0, 2, 3))


def alone(layer: nn.RNNBase, readout: nn.Linear, x: torch.Tensor) -> torch.Tensor:
    """Return what torch's layer answers to x (T, D, B), as (answers, O, B)."""
    return readout(layer(x.mT)[0][-ANSWERS:]).mT


@pytest.mark.parametrize("cell", KINDS)
def test_answers_and_gradients_are_torchs(cell):
    """Catches a gate in another's place, a slope left out, a bias counted once."""
    made, (x, y) = networks(cell), draw(0)
    together = Together(cell, made, ANSWERS)
    answers = together(x)
    losses(answers, y).sum().backward()
    for k, (layer, readout) in enumerate(made):
        expected = alone(layer, readout, x[:, k])
        torch.testing.assert_close(answers[:, k], expected, atol=1e-12, rtol=0)
        mse_loss(expected, y[:, k]).backward()
        parts = [*layer.parameters(), *readout.parameters()]
        own = torch.cat([part.grad.flatten() for part in parts])
        torch.testing.assert_close(together.rows.grad[k], own, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("cell", KINDS)
def test_training_together_is_training_alone(cell):
    """Catches a rate, a clipping or a moment that one network shares with another."""
    made = networks(cell)
    together = Together(cell, made, ANSWERS)
    done = list(train_together(together, draw, losses, torch.tensor(RATES), steps=5))
    assert done == [1, 2, 3, 4, 5]
    clipped = []
    for k, (layer, readout) in enumerate(made):
        parts = [*layer.parameters(), *readout.parameters()]
        adam = torch.optim.Adam(parts, lr=RATES[k])
        for number in range(5):
            x, y = (part[:, k] for part in draw(number))
            adam.zero_grad()
            mse_loss(alone(layer, readout, x), y).backward()
            clipped.append(clip_grad_norm_(parts, 1.0).item() > 1)
            adam.step()
        expected = torch.cat([part.detach().flatten() for part in parts])
        torch.testing.assert_close(together.rows[k].detach(), expected, atol=1e-10, rtol=0)
    assert {*clipped} == {True, False}


def test_a_tape_forgets_what_it_held():
    """Catches a memory or a state of the last sequences that the next ones start from."""
    together = Together("lstm", networks("lstm"), ANSWERS)
    first, second = draw(0)[0], draw(1)[0]
    tape = Tape.make(CELLS["lstm"], torch.empty(P, 4 * H, H + D + 1), first, T)
    together(first, tape)
    torch.testing.assert_close(together(second, tape), together(second))


def test_a_network_that_diverges_stays_and_leaves_the_others_alone():
    """Catches a NaN that spreads, or that gets into the weights."""
    rows = nn.Parameter(torch.ones(2, 3))
    adam = Adam(rows, torch.tensor([0.1, 0.1]))
    rows.grad = torch.tensor([[1.0, float("nan"), 1.0], [1.0, 1.0, 1.0]])
    adam.step()
    rows.grad = torch.ones(2, 3)
    adam.step()
    assert rows.isfinite().all()
    torch.testing.assert_close(rows[1].detach(), torch.full((3,), 0.8))
