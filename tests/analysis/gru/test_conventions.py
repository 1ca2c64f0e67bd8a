"""The GRU's conventions against torch.nn.GRU, and the proof that two of them are not one."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_utils.analysis.gru.conventions import (
    circular_candidate,
    run_gru_in,
    swap_update_gate,
)
from course_utils.models import GRU, Weights

T, B, D, H = 7, 3, 5, 11
EXACT = {"rtol": 0, "atol": 1e-12}


@pytest.fixture
def weights(float64) -> Weights:
    return Weights(torch.randn(3 * H, D), torch.randn(3 * H, H), *torch.randn(2, 3 * H))


@pytest.fixture
def x(float64) -> torch.Tensor:
    return torch.randn(T, B, D)


@pytest.mark.parametrize("bias", [True, False])
def test_pytorchs_convention_is_keep_and_after(x, bias):
    """Catches gates in another order than PyTorch's, a bias on the wrong side of the reset."""
    layer = GRU(D, H, bias=bias)
    found = run_gru_in(x, layer.weights())
    for ours, theirs in zip(found, layer.trace(x)[0], strict=True):
        torch.testing.assert_close(ours, theirs, **EXACT)
    torch.testing.assert_close(found.h, nn.GRU.forward(layer, x)[0], **EXACT)


@pytest.mark.parametrize("reset", ["before", "after"])
def test_swapping_the_update_gate_changes_nothing_but_its_meaning(weights, x, reset):
    """Catches the sign put on another gate's rows, or on W and not on U and the biases."""
    keep = run_gru_in(x, weights, "keep", reset)
    renew = run_gru_in(x, swap_update_gate(weights), "renew", reset)
    torch.testing.assert_close(renew.h, keep.h, **EXACT)
    torch.testing.assert_close(renew.z, 1 - keep.z, **EXACT)
    back = swap_update_gate(swap_update_gate(weights))
    assert all(torch.equal(a, b) for a, b in zip(back, weights, strict=True))
    assert (run_gru_in(x, weights, "renew", reset).h - keep.h).abs().max() > 0.1


def test_reset_before_and_after_differ_unless_the_matrix_is_diagonal(weights, x):
    """Catches a toggle that toggles nothing; agree where theory says so."""
    before, after = (run_gru_in(x, weights, reset=reset).h for reset in ("before", "after"))
    assert (before - after).abs().max() > 0.1
    U, b_U = weights.U.clone(), weights.b_U.clone()
    U[2 * H :] = torch.diag(torch.randn(H))
    b_U[2 * H :] = 0
    diagonal = weights._replace(U=U, b_U=b_U)
    before, after = (run_gru_in(x, diagonal, reset=reset).h for reset in ("before", "after"))
    torch.testing.assert_close(before, after, **EXACT)


def test_misprint_has_several_solutions():
    """Catches crossings missed or counted twice."""
    many = circular_candidate(weight=3.0).solutions
    assert len(many) == 3
    torch.testing.assert_close(many[1], torch.zeros((), dtype=torch.float64))
    torch.testing.assert_close(many, 0.9 * torch.tanh(3 * many), rtol=0, atol=1e-6)
    assert len(circular_candidate(weight=0.5, h_prev=0.4).solutions) == 1


def test_unknown_conventions_are_refused(weights, x):
    """Catches a misspelt convention that falls back to PyTorch's in silence."""
    with pytest.raises(ValueError, match="keep or renew"):
        run_gru_in(x, weights, "reset")
    with pytest.raises(ValueError, match="before or after"):
        run_gru_in(x, weights, reset="Before")
