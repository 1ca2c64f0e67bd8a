"""Gradients through time, by lag, by pair and as terms of dJ/dU, against autograd."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.bptt import (
    contributions_by_lag,
    gradient_norms_by_lag,
    gradient_norms_by_pair,
    share_beyond,
)
from course_utils.analysis.gradients.elman import elman_weights, trace
from course_utils.analysis.gradients.jacobians import sensitivity_to_first_input
from course_utils.analysis.gradients.random_networks import random_network

T, B, D, H = 7, 3, 5, 11
EXACT = {"rtol": 0, "atol": 1e-10}


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(T, B, D, dtype=torch.float64)


@pytest.fixture
def loss():
    """Give each step a loss of its own, so that no two steps can be exchanged unseen."""
    V = torch.randn(T, H, dtype=torch.float64)
    return lambda h: ((h * V[:, None]).sum(-1) - 0.3) ** 2 * torch.arange(1.0, T + 1)[:, None]


def autograd_states(weights, x: torch.Tensor, U_of_step=None) -> list[torch.Tensor]:
    """Run step by step with autograd on, each state keeping its gradient."""
    g = {"tanh": torch.tanh, "relu": torch.relu, "sigmoid": torch.sigmoid, "linear": lambda a: a}
    h, states = torch.zeros(x.shape[1], len(weights.U), dtype=x.dtype), []
    for t, x_t in enumerate(x):
        U = weights.U if U_of_step is None else U_of_step[t]
        h = g[weights.activation](x_t @ weights.W.T + h @ U.T + weights.b)
        if not h.requires_grad:
            h.requires_grad_()
        states.append(h)
    return states


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_norms_by_lag_are_autograds(activation, x):
    """Catches a lag that is off by one, U transposed on the way back, the slope of another step."""
    weights = random_network(D, H, 1.2, activation, gain=0.6)
    direction = torch.randn(B, H, dtype=torch.float64)
    states = autograd_states(weights, x)
    gradients = torch.autograd.grad((states[-1] * direction).sum(), states)
    expected = torch.stack(gradients[::-1]).norm(dim=-1)
    found = gradient_norms_by_lag(weights, x, direction)
    assert found.shape == (T, B)
    torch.testing.assert_close(found, expected, **EXACT)
    assert gradient_norms_by_lag(weights, x)[0].tolist() == pytest.approx([1.0] * B)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_a_vanished_gradient_is_still_right(activation):
    """Catches an error of 1e-10 that would pass at lag 60 as the whole gradient: 1e-50 of 1."""
    weights = random_network(D, H, 0.5, activation)
    x = torch.randn(61, B, D, dtype=torch.float64)
    states = autograd_states(weights, x)
    gradients = torch.autograd.grad(states[-1].sum() / H**0.5, states)
    expected = torch.stack(gradients[::-1]).norm(dim=-1)
    assert expected[60].max() < 1e-12
    torch.testing.assert_close(gradient_norms_by_lag(weights, x), expected, rtol=1e-10, atol=0)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_norms_by_pair_are_autograds(activation, x, loss):
    """Catches rows and columns exchanged: J_t reaches back to k <= t, never ahead."""
    weights = random_network(D, H, 1.2, activation, gain=0.6)
    found = gradient_norms_by_pair(weights, x, loss)
    assert found.shape == (T, T, B)
    states = autograd_states(weights, x)
    losses = loss(torch.stack(states)).sum(1)
    for t in range(T):
        reached = torch.autograd.grad(losses[t], states[: t + 1], retain_graph=True)
        torch.testing.assert_close(found[t, : t + 1], torch.stack(reached).norm(dim=-1), **EXACT)
        assert (found[t, t + 1 :] == 0).all()


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_a_lag_holds_the_gradients_of_its_copies_of_u(activation, x, loss):
    """Catches h_k where h_{k-1} belongs, a missing slope, and lags summed into their neighbour."""
    weights = random_network(D, H, 1.2, activation, gain=0.6)
    copies = [weights.U.clone().requires_grad_() for _ in range(T)]
    losses = loss(torch.stack(autograd_states(weights, x, copies))).sum(1)
    expected = torch.zeros(T, H, H, dtype=torch.float64)
    for t in range(T):
        terms = torch.autograd.grad(losses[t], copies[: t + 1], retain_graph=True)
        expected[: t + 1] += torch.stack(terms[::-1])  # the last copy is lag 0
    torch.testing.assert_close(contributions_by_lag(weights, x, loss), expected, **EXACT)


@pytest.mark.parametrize("batch_first", [False, True])
def test_contributions_sum_to_the_layers_gradient(batch_first, x, loss, float64):
    """Catches a term left out or counted twice, in a real layer with two biases."""
    layer = nn.RNN(D, H, batch_first=batch_first)
    given = x.transpose(0, 1) if batch_first else x
    h, _ = layer(given)
    loss(h.transpose(0, 1) if batch_first else h).sum().backward()
    terms = contributions_by_lag(layer, given, loss)
    torch.testing.assert_close(terms.sum(0), layer.weight_hh_l0.grad, **EXACT)


def test_the_share_beyond_a_lag_is_that_of_the_norms(x, loss):
    """Catches the lag itself counted among those beyond it, and a share of squares."""
    found = contributions_by_lag(random_network(D, H, 1.2, "tanh"), x, loss)
    lengths = [term.norm().item() for term in found]
    assert share_beyond(found, 2) == pytest.approx(sum(lengths[3:]) / sum(lengths))
    assert share_beyond(found, T - 1) == 0


def test_loss_may_also_be_summed_over_the_batch(x, loss):
    """Catches a loss of one number a step read as one a sequence."""
    weights = random_network(D, H, 1.2, "sigmoid")
    torch.testing.assert_close(
        contributions_by_lag(weights, x, lambda h: loss(h).sum(1)),
        contributions_by_lag(weights, x, loss),
    )


@pytest.mark.parametrize("wrong", [lambda h: h.sum(), lambda h: h, lambda h: 1.0])
def test_loss_of_another_shape_is_told_what_to_return(wrong, x):
    """Catches a loss averaged over time, which has no terms (t, k) any more."""
    with pytest.raises(ValueError, match=r"one J_t a step, \(7,\)"):
        contributions_by_lag(random_network(D, H, 1.2), x, wrong)


def test_loss_gradient_of_another_shape_is_told_what_to_pass(x):
    """Catches (H, B), or (B, 1), spread out over what it does not fit."""
    for shape in [(H, B), (B, 1), (1,), (T, B, H)]:
        with pytest.raises(ValueError, match=r"pass \(3, 11\) or \(11,\)"):
            gradient_norms_by_lag(random_network(D, H, 1.2), x, torch.ones(shape).double())


BAD_GRADIENTS = {
    "a list": ([1.0], TypeError, "pass a tensor"),
    "other precision": (torch.ones(H), TypeError, r"loss_gradient\.to\(torch\.float64\)"),
    "integers": (torch.ones(H, dtype=torch.int64), TypeError, r"\.to\(torch\.float64\)"),
    "elsewhere": (torch.ones(H, device="meta").double(), ValueError, r"loss_gradient\.to\('cpu'\)"),
    "NaN": (torch.full((H,), torch.nan).double(), ValueError, "where the loss does"),
}


@pytest.mark.parametrize("name", BAD_GRADIENTS)
def test_a_loss_gradient_that_cannot_be_used_is_told(name, x):
    """Catches a norm of NaN that looks measured, and an error from deep inside torch."""
    bad, error, says = BAD_GRADIENTS[name]
    with pytest.raises(error, match=says):
        gradient_norms_by_lag(random_network(D, H, 1.2), x, bad)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_sensitivity_to_the_first_input_is_autograds(activation, x):
    """Catches W's or the first step's slope left out, and units or inputs exchanged."""
    weights = random_network(D, H, 1.2, activation, gain=0.6)
    first = x[:1].clone().requires_grad_()
    states = torch.stack(autograd_states(weights, torch.cat([first, x[1:]])))
    found = sensitivity_to_first_input(weights, x)
    assert found.shape == (T, B, H)
    for t in range(T):
        for i in range(H):
            [gradient] = torch.autograd.grad(states[t, :, i].sum(), first, retain_graph=True)
            torch.testing.assert_close(found[t, :, i], gradient[0].norm(dim=-1), **EXACT)


def test_nothing_is_left_behind_on_the_layer(x, loss, float64):
    """Catches gradients written into a layer that is only being measured."""
    layer = nn.RNN(D, H)
    gradient_norms_by_lag(layer, x)
    gradient_norms_by_pair(layer, x, loss)
    contributions_by_lag(layer, x, loss)
    assert all(p.grad is None for p in layer.parameters())
    assert not trace(layer, x).states.requires_grad
    assert not elman_weights(layer).U.requires_grad


@pytest.mark.parametrize(
    "measure",
    [
        gradient_norms_by_lag,
        trace,
        sensitivity_to_first_input,
        lambda net, x: gradient_norms_by_pair(net, x, lambda h: h.sum((1, 2))),
        lambda net, x: contributions_by_lag(net, x, lambda h: h.sum((1, 2))),
    ],
)
def test_every_measurement_refuses_bad_input(measure, x):
    """Catches a measurement that goes round the checks that the Jacobians' tests try singly."""
    network = random_network(D, H, 1.2)
    with pytest.raises(ValueError, match="at least two steps"):
        measure(network, x[:1])
    with pytest.raises(ValueError, match="nan_to_num"):
        measure(network, x * float("nan"))
    with pytest.raises(TypeError, match="embed the integers"):
        measure(network, x.long())
    with pytest.raises(ValueError, match="meta"):
        measure(nn.RNN(D, H, device="meta").double(), x)
