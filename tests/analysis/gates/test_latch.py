"""The latch set by hand: what it keeps, and how far the first input is felt in it."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_utils.analysis import gates as ga
from course_utils.analysis.gates.latch import commands, sensitivity_of_gates
from course_utils.models import GRU, LSTM, Elman
from course_utils.models.starts import (
    set_chrono_biases,
    set_keep_bias,
    set_long_biases,
    set_orthogonal,
    set_quiet_inputs,
)


@pytest.mark.parametrize("bit", [0, 1])
def test_latch_keeps_a_bit_for_1000_steps_of_distractors(bit):
    """Catches a gate that is a little open, a bit of the wrong sign, and tame distractors."""
    x = ga.distracted_bit(bit, 1000, sequences=5)
    assert x[1:, :, 0].std() > 0.9
    (step,) = ga.latch().trace(x)
    assert ((2 * bit - 1) * step.h[-1] > 0.7).all()
    (step,) = ga.latch(strength=4).trace(x)  # gates that leak lose it
    assert step.h[-1].abs().max() < 0.5


def test_commands_open_and_close_the_gates_they_name():
    """Catches write, keep and read mixed up, and `keep` taken for `erase`."""
    (step,) = ga.latch().trace(commands("o--", "-oo", "--o"))
    opened = [[round(v) for v in gate.flatten().tolist()] for gate in (step.i, step.f, step.o)]
    assert opened == [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    assert step.h.flatten().abs().gt(0.5).tolist() == [False, False, True]


def test_sensitivity_is_autograds():
    """Catches the first input followed through the wrong step, or only along the direct path."""
    layer = LSTM(5, 3, dtype=torch.float64)
    x = torch.randn(7, 1, 5, dtype=torch.float64)
    steps, found = sensitivity_of_gates(layer, x)

    def last(x_1):
        _, (h, c) = nn.LSTM.forward(layer, torch.cat([x_1[None, None], x[1:]]))
        return torch.cat([h.flatten(), c.flatten()])

    h, c = torch.autograd.functional.jacobian(last, x[0, 0]).norm(dim=1).split(3)
    torch.testing.assert_close(found.h[-1, 0], h)
    torch.testing.assert_close(found.c[-1, 0], c)
    assert steps.c.shape == found.c.shape == (7, 1, 3)


def test_closing_the_forget_gate_erases_the_first_input():
    """Catches a picture that shades by the gates instead of by the gradient."""
    _, felt = sensitivity_of_gates(ga.latch(20), commands("o-----", "-oo-oo", "oooooo"))
    left = (felt.c / felt.c[0]).flatten()
    assert left[2] > 0.999
    assert left[3:].max() < 1e-6


def test_bad_stories_are_told_what_to_write():
    """Catches letters that mean nothing, and a story without a second step."""
    with pytest.raises(ValueError, match="keep is 'x'"):
        commands("oo", "x", "oo")
    with pytest.raises(ValueError, match="two steps"):
        commands("", "", "")
    with pytest.raises(ValueError, match="0 or 1"):
        ga.distracted_bit(2, 10)
    with pytest.raises(ValueError, match="at least 1"):
        ga.distracted_bit(1, 0)


@pytest.mark.parametrize(("kind", "name", "gates"), [(LSTM, "f", 4), (GRU, "z", 3)])
def test_keep_bias_lands_on_the_gate_that_keeps(kind, name, gates):
    """Catches the bias on another gate's rows, or counted twice because PyTorch adds two."""
    layer = set_keep_bias(kind(5, 7, num_layers=2, bidirectional=True), 1.5)
    layer.weight_ih_l1_reverse.data.zero_()
    layer.weight_hh_l1_reverse.data.zero_()
    steps = layer.trace(torch.randn(3, 2, 5))[3]
    kept = torch.sigmoid(torch.tensor(1.5)).expand(3, 2, 7)
    torch.testing.assert_close(getattr(steps, name), kept)
    others = [getattr(steps, other) for other in steps._fields[-gates + 1 :] if other != name]
    assert all((other - kept).abs().max() > 0.1 for other in others)


def test_chrono_biases_spread_half_lives_up_to_the_longest_lag():
    """Catches log taken of the wrong thing, and the input gate not at the negative."""
    torch.manual_seed(0)
    layer = set_chrono_biases(LSTM(3, 500), longest=200)
    b_i, b_f, *_ = (layer.bias_ih_l0 + layer.bias_hh_l0).detach().chunk(4)
    assert torch.equal(b_i, -b_f)
    times = b_f.exp()  # 1 / (1 - sigmoid(b)) = 1 + exp(b) steps
    assert times.min() >= 0.999
    assert times.max() <= 199.001
    assert times.mean() == pytest.approx(100, abs=10)
    z = set_chrono_biases(GRU(3, 500), 200).bias_ih_l0.detach().chunk(3)[1]
    assert z.exp().mean() == pytest.approx(100, abs=10)


def test_biases_that_cannot_be_set_are_told_why():
    """Catches an Elman network taken for a gated one, a layer without biases, a lag of 1."""
    with pytest.raises(TypeError, match="no gate that keeps"):
        set_keep_bias(Elman(3, 5), 1)
    with pytest.raises(ValueError, match="bias=True"):
        set_keep_bias(LSTM(3, 5, bias=False), 1)
    with pytest.raises(ValueError, match="at least 3"):
        set_chrono_biases(GRU(3, 5), 2)


def test_an_orthogonal_start_has_one_orthogonal_matrix_for_every_gate_and_direction():
    """Catches a stack of gates taken for one matrix, and a direction or layer that is left out."""
    layer = set_orthogonal(LSTM(3, 5, num_layers=2, bidirectional=True).double())
    for name, part in layer.named_parameters():
        if name.startswith("weight_hh"):
            for block in part.detach().split(5):
                eye = torch.eye(5, dtype=torch.float64)
                torch.testing.assert_close(block @ block.T, eye, atol=1e-12, rtol=0)
        assert name.startswith("weight") or not part.any()


def test_one_bias_for_all_units_keeps_as_long_as_the_lag():
    """Catches an input gate left open, and a time constant that is one step off."""
    layer = set_long_biases(LSTM(3, 7), longest=200)
    b_i, b_f, *_ = (layer.bias_ih_l0 + layer.bias_hh_l0).detach().chunk(4)
    assert b_f.exp().tolist() == pytest.approx([199] * 7, rel=1e-5)
    assert torch.equal(b_i, -b_f)
    z = set_long_biases(GRU(3, 7), 200).bias_ih_l0.detach().chunk(3)[1]
    assert z.exp().tolist() == pytest.approx([199] * 7, rel=1e-5)


def test_quiet_inputs_add_up_to_one():
    """Catches a W that shrinks with the lag itself, and a U or a bias that shrinks with it."""
    layer, loud = Elman(1, 5, num_layers=2, bidirectional=True), {}
    for name, part in layer.named_parameters():
        loud[name] = part.detach().clone()
    set_quiet_inputs(layer, longest=400)
    for name, part in layer.named_parameters():
        factor = 20 if name.startswith("weight_ih") else 1
        torch.testing.assert_close(factor * part.detach(), loud[name])
