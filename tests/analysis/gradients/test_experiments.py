"""Random networks of a given radius, the lag of float32, and the dependency experiment."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_utils.analysis.gradients.bptt import gradient_norms_by_lag, measured_lag, predicted_lag
from course_utils.analysis.gradients.dependency import (
    delayed_sign,
    gradient_profile,
    shuffle_targets,
)
from course_utils.analysis.gradients.random_networks import (
    random_network,
    recurrent_matrix,
    spectral_radius,
)


@pytest.mark.parametrize("kind", ["gaussian", "orthogonal"])
@pytest.mark.parametrize("radius", [0.0, 0.5, 1.5])
def test_a_recurrent_matrix_has_its_radius(kind, radius):
    """Catches the norm scaled in place of the largest eigenvalue."""
    U = recurrent_matrix(11, radius, kind, seed=3)
    assert abs(torch.linalg.eigvals(U)).max().item() == pytest.approx(radius, abs=1e-12)
    if kind == "orthogonal":
        torch.testing.assert_close(U @ U.T, radius**2 * torch.eye(11).double())
    elif radius:
        assert torch.linalg.matrix_norm(U, 2) > 1.1 * radius
    assert spectral_radius(U) == pytest.approx(radius, abs=1e-12)
    assert not torch.equal(recurrent_matrix(11, 1.0, kind, 3), recurrent_matrix(11, 1.0, kind, 4))


def test_random_network_scales_its_inputs_by_the_gain():
    """Catches a gain that acts on U, and W drawn from the same numbers as U."""
    one, three = (random_network(5, 11, 0.9, gain=gain, seed=2) for gain in (1.0, 3.0))
    torch.testing.assert_close(three.W, 3 * one.W)
    assert torch.equal(three.U, one.U)
    assert (one.W * 5**0.5).std().item() == pytest.approx(1, abs=0.3)
    ratios = one.W.flatten()[:32] / one.U.flatten()[:32]
    assert not torch.allclose(ratios, ratios[0])


@pytest.mark.parametrize("bad", [(0, 1.0, "gaussian"), (3, -1.0, "gaussian"), (3, 1.0, "sparse")])
def test_recurrent_matrix_refuses_what_it_cannot_draw(bad):
    """Catches a misspelt kind taken for Gaussian."""
    with pytest.raises(ValueError, match=r"pass a size|use gaussian or orthogonal"):
        recurrent_matrix(*bad)


@pytest.mark.parametrize("rate", [0.25, 0.3, 0.5, 0.6, 0.9])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_predicted_lag_is_the_first_that_a_sum_loses(rate, dtype):
    """Catches the lag before or after, the whole gap for half of it, and another number type."""
    lag = predicted_lag(rate, dtype)
    one = torch.ones((), dtype=dtype)
    assert one + rate**lag == 1
    assert one + rate ** (lag - 1) > 1


def test_measured_lag_of_a_pure_decay_is_the_predicted_one():
    """Catches an absolute limit: the signal counts against that of lag 0."""
    network = random_network(5, 11, 0.6, "linear", kind="orthogonal")
    norms = gradient_norms_by_lag(network, torch.randn(60, 1, 5).double())[:, 0]
    assert measured_lag(norms) == measured_lag(1e9 * norms) == predicted_lag(0.6) == 33
    assert measured_lag(norms[:20]) is None
    assert measured_lag(0.5 ** torch.arange(40.0)) == 24, "half the gap above 1 is rounded to even"
    for rate in (0.0, 1.0, 1.2):
        with pytest.raises(ValueError, match="0 < rate < 1"):
            predicted_lag(rate)


def test_delayed_sign_puts_the_target_where_it_says():
    """Catches a target that stands one step beside its lag."""
    x, y = delayed_sign(batch=64, length=9, lag=3, seed=1)
    assert x.shape == (9, 64, 1)
    assert y.shape == (64,)
    agreement = ((x[:, :, 0] > 0) == (y > 0.5)).double().mean(1)
    assert agreement[5] == 1
    assert agreement[[0, 1, 2, 3, 4, 6, 7, 8]].max() < 0.8
    for lag in (-1, 9):
        with pytest.raises(ValueError, match="0 <= lag < length"):
            delayed_sign(4, 9, lag)


def test_shuffled_targets_are_the_same_targets_elsewhere():
    """Catches a shuffle that draws new targets, or changes the inputs."""
    data = delayed_sign(batch=63, length=9, lag=3)
    mixed = shuffle_targets(data)
    assert torch.equal(mixed.x, data.x)
    assert mixed.y.sum() == data.y.sum()
    assert not torch.equal(mixed.y, data.y)


def test_profile_is_autograds():
    """Catches the profile of the wrong sequence, and lags counted from the first step."""
    data = delayed_sign(batch=5, length=7, lag=3)
    network = random_network(1, 11, 1.1, "tanh")
    readout = torch.randn(11).double()
    W = network.W.expand(7, 11, 1).clone().requires_grad_()  # one copy a step
    h, states = torch.zeros(5, 11).double(), []
    for x_t, W_t in zip(data.x, W, strict=True):
        h = torch.tanh(x_t @ W_t.T + h @ network.U.T)
        states.append(h)
    losses = nn.functional.binary_cross_entropy_with_logits(h @ readout, data.y, reduction="none")
    by_state = torch.stack(torch.autograd.grad(losses.sum(), states, retain_graph=True))
    [by_weight] = torch.autograd.grad(losses.mean(), W)
    profile = gradient_profile(network, data, readout)
    torch.testing.assert_close(profile.seen, by_state.norm(dim=-1).mean(1).flip(0))
    torch.testing.assert_close(profile.learned, by_weight.flatten(1).norm(dim=1).flip(0))
