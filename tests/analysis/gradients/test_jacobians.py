"""Step Jacobians, their products and their bound, against autograd and finite differences."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.autograd.functional import jacobian as autograd_jacobian

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.elman import ElmanWeights, elman_weights, trace
from course_utils.analysis.gradients.jacobians import (
    jacobian_bound,
    jacobian_products,
    spectral_norms,
    step_jacobians,
)
from course_utils.analysis.gradients.random_networks import random_network

T, B, D, H = 7, 3, 5, 11
EXACT = {"rtol": 0, "atol": 1e-10}


def one_step(weights: ElmanWeights, x_t: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
    """Write the step out again, apart from the code under test."""
    a_t = x_t @ weights.W.T + h @ weights.U.T + weights.b
    return {
        "tanh": torch.tanh,
        "relu": torch.relu,
        "sigmoid": torch.sigmoid,
        "linear": lambda a: a,
    }[weights.activation](a_t)


def run_from(weights: ElmanWeights, x: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
    for x_t in x:
        h = one_step(weights, x_t, h)
    return h


def network_of(activation: str) -> ElmanWeights:
    weights = random_network(D, H, 1.3, activation, gain=0.7, seed=4)
    return weights._replace(b=torch.linspace(-0.5, 0.4, H, dtype=torch.float64))


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(T, B, D, dtype=torch.float64)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_step_jacobian_is_autograds(activation, x):
    """Catches a transposed U, and the slopes put on U's columns instead of its rows."""
    weights = network_of(activation)
    states = [torch.zeros(B, H, dtype=torch.float64), *trace(weights, x).states]
    found = step_jacobians(weights, x)
    assert found.shape == (T, B, H, H)
    for t in range(T):
        for b in range(B):
            expected = autograd_jacobian(lambda h: one_step(weights, x[t, b], h), states[t][b])  # noqa: B023
            torch.testing.assert_close(found[t, b], expected, **EXACT)


@pytest.mark.parametrize("activation", ["sigmoid", "tanh", "linear"])
def test_step_jacobian_agrees_with_finite_differences(activation, x):
    """Catches a slope that autograd and the closed form would share the mistake of."""
    weights, eps = network_of(activation), 1e-6
    h = trace(weights, x).states[2]  # (B, H), the state before step 4
    found = step_jacobians(weights, x)[3]
    for j in range(H):
        nudge = eps * torch.eye(H, dtype=torch.float64)[j]
        change = one_step(weights, x[3], h + nudge) - one_step(weights, x[3], h - nudge)
        torch.testing.assert_close(found[:, :, j], change / (2 * eps), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("t", [T, 4])
def test_products_are_autograds_at_every_lag(activation, t, x):
    """Catches factors multiplied in the wrong order, a lag that is off by one, t ignored."""
    weights = network_of(activation)
    states = [torch.zeros(B, H, dtype=torch.float64), *trace(weights, x).states]
    products = jacobian_products(step_jacobians(weights, x), t)
    assert products.shape == (t + 1, B, H, H)
    for lag in range(t + 1):
        k = t - lag
        for b in range(B):
            expected = autograd_jacobian(lambda h: run_from(weights, x[k:t, b], h), states[k][b])  # noqa: B023
            torch.testing.assert_close(products[lag, b], expected, **EXACT)


@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_layer_and_its_weights_give_the_same(nonlinearity, batch_first, bias, x, float64):
    """Catches one of the two biases forgotten, batch_first read as time first, tanh for relu."""
    layer = nn.RNN(D, H, nonlinearity=nonlinearity, batch_first=batch_first, bias=bias)
    given = x.transpose(0, 1) if batch_first else x
    expected, _ = layer(given)
    torch.testing.assert_close(
        trace(elman_weights(layer), x).states,
        expected.transpose(0, 1) if batch_first else expected,
        **EXACT,
    )
    torch.testing.assert_close(
        step_jacobians(layer, given), step_jacobians(elman_weights(layer), x), **EXACT
    )


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_no_product_exceeds_the_bound(activation):
    """Catches a bound made of the spectral radius (too small), or of a wrong largest slope."""
    weights = random_network(D, H, 0.8, activation, gain=0.01)  # small inputs: the bound is near
    x = torch.randn(40, B, D, dtype=torch.float64)
    products = jacobian_products(step_jacobians(weights, x))
    bound = jacobian_bound(weights.U, ACTIVATIONS[activation].max_slope, torch.arange(41))
    norms = spectral_norms(products)
    assert (norms <= bound[:, None] * (1 + 1e-12)).all()
    assert norms[1].max() > (0.4 if activation != "sigmoid" else 0.9) * bound[1]


def test_bound_is_reached_by_an_orthogonal_linear_network():
    """Catches a bound that is true only because it is loose: here it is an equality."""
    weights = random_network(D, H, 0.6, "linear", kind="orthogonal")
    products = jacobian_products(step_jacobians(weights, torch.randn(9, 2, D).double()))
    for lag in (0, 1, 9):
        bound = jacobian_bound(weights.U, 1.0, lag)
        torch.testing.assert_close(spectral_norms(products[lag])[1], bound)
        assert bound.item() == pytest.approx(0.6**lag)


@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
def test_slopes_are_autograds_and_stay_below_the_largest(activation):
    """Catches a derivative given in h where a belongs, and a slope lost by cancellation."""
    a = torch.linspace(-30, 30, 601, dtype=torch.float64).requires_grad_()
    h = activation.function(a)
    expected = torch.autograd.grad(h.sum(), a)[0]
    with torch.no_grad():
        torch.testing.assert_close(activation.slope_from_output(h), expected, **EXACT)
        torch.testing.assert_close(activation.slope(a), expected, **EXACT)
        assert activation.slope(a).max().item() == pytest.approx(activation.max_slope, abs=1e-12)
    if activation.name in ("sigmoid", "tanh"):  # still there where 1 - h^2 rounds to 0
        assert activation.slope(torch.tensor(25.0, dtype=torch.float64)) > 0


class Subclass(nn.RNN):
    """Stand for a course model: it must be taken as the nn.RNN that it is."""


def test_a_subclass_of_the_layer_is_welcome(x, float64):
    """Catches a check for the exact type."""
    assert step_jacobians(Subclass(D, H), x).shape == (T, B, H, H)


BAD = {
    "integers": (lambda x: x.long(), TypeError, r"x\.to\(torch\.float64\)"),
    "other precision": (lambda x: x.float(), TypeError, r"x\.to\(torch\.float64\)"),
    "a list": (lambda x: [x], TypeError, "one padded tensor"),
    "NaN": (lambda x: x * math.nan, ValueError, "nan_to_num"),
    "infinity": (lambda x: x / 0.0, ValueError, "NaN or infinity"),
    "length 0": (lambda x: x[:0], ValueError, "at least two steps"),
    "length 1": (lambda x: x[:1], ValueError, "at least two steps"),
    "no sequence": (lambda x: x[:, :0], ValueError, "at least two steps"),
    "no batch": (lambda x: x[:, 0], ValueError, "unsqueeze"),
    "wrong width": (lambda x: x[..., :-1], ValueError, rf"\(T, B, {D}\)"),
    "meta": (lambda x: x.to("meta"), ValueError, "holds no numbers"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("kind", ["layer", "weights"])
def test_bad_input_is_told_what_to_pass(name, kind, x, float64):
    """Catches a sequence that fails deep inside torch, or gives numbers that mean nothing."""
    spoil, error, says = BAD[name]
    network = nn.RNN(D, H) if kind == "layer" else network_of("sigmoid")
    with pytest.raises(error, match=says):
        step_jacobians(network, spoil(x))


def test_network_that_cannot_be_measured_is_told_what_to_pass(x):
    """Catches the first layer of a stack taken for the whole, and a gated layer for Elman's."""
    with pytest.raises(ValueError, match=r"nn\.RNN\(D, H\)"):
        step_jacobians(nn.RNN(D, H, num_layers=2).double(), x)
    with pytest.raises(ValueError, match="bidirectional"):
        step_jacobians(nn.RNN(D, H, bidirectional=True).double(), x)
    with pytest.raises(TypeError, match=r"nn\.RNN or ElmanWeights.*LSTM"):
        step_jacobians(nn.LSTM(D, H).double(), x)
    with pytest.raises(ValueError, match="meta"):
        step_jacobians(nn.RNN(D, H, device="meta").double(), x)
    with pytest.raises(ValueError, match="sigmoid, tanh, relu, linear"):
        step_jacobians(network_of("tanh")._replace(activation="softplus"), x)


@pytest.mark.parametrize("part", ["W", "U", "b"])
def test_a_network_that_has_exploded_is_told(part, x):
    """Catches weights of NaN after a diverged run: every norm would be NaN and nothing said so."""
    network = network_of("tanh")
    spoilt = network._replace(**{part: getattr(network, part) * math.nan})
    with pytest.raises(ValueError, match=r"weights hold NaN or infinity.*checkpoint"):
        step_jacobians(spoilt, x)


def test_products_refuse_what_is_no_jacobian():
    """Catches t counted from 0, and vectors passed where matrices belong."""
    jacobians = torch.eye(3).expand(5, 3, 3)
    for t in (0, 6):
        with pytest.raises(ValueError, match="from 1 to 5"):
            jacobian_products(jacobians, t)
    with pytest.raises(ValueError, match=r"\(T, B, H, H\)"):
        jacobian_products(torch.ones(5, 2, 3))
    assert jacobian_products(jacobians).shape == (6, 3, 3)


@pytest.mark.parametrize("steps", [1, T])
def test_products_from_the_first_step_alone(steps):
    """Catches a first step that is refused, and a text of one step that is too short to read."""
    jacobians = torch.randn(steps, B, H, H, dtype=torch.float64)
    found = jacobian_products(jacobians, t=1)
    unit = torch.eye(H, dtype=torch.float64).expand(B, H, H)
    torch.testing.assert_close(found, torch.stack([unit, jacobians[0]]), **EXACT)
    for t in (0, steps + 1):
        with pytest.raises(ValueError, match=f"pass t from 1 to {steps}"):
            jacobian_products(jacobians, t=t)
