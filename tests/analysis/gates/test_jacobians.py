"""Jacobians and gradients of gated networks against autograd and finite differences."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.autograd.functional import jacobian as autograd_jacobian

from course_utils.analysis import gates as ga
from course_utils.analysis.gates.highway import direct_path, state_gradients_by_lag
from course_utils.analysis.gates.jacobians import gru_back, lstm_step_jacobian, run_gru, run_lstm
from course_utils.analysis.gradients.bptt import gradient_norms_by_lag
from course_utils.analysis.gradients.jacobians import jacobian_products
from course_utils.models import GRU, LSTM, Elman, LSTMState, gru_step, lstm_step

T, B, D, H = 7, 3, 5, 11
EXACT = {"rtol": 0, "atol": 1e-10}


@pytest.fixture
def x(float64) -> torch.Tensor:
    return torch.randn(T, B, D)


def lively(layer: nn.RNNBase) -> nn.RNNBase:
    """Give the weights sizes at which no gate rests near one half."""
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.8)
    return layer


@torch.no_grad()
def lstm_jacobians(layer: LSTM, x: torch.Tensor) -> torch.Tensor:
    """Return every step's d(h_t, c_t)/d(h_{t-1}, c_{t-1}) from a zero state, (T, B, 2H, 2H)."""
    return lstm_step_jacobian(run_lstm(layer, x), layer.weights().U)


@torch.no_grad()
def gru_jacobians(layer: GRU, x: torch.Tensor) -> torch.Tensor:
    """Return every step's dh_t/dh_{t-1} from a zero state, (T, B, H, H): what e_1 to e_H become."""
    units = torch.eye(H)[:, None, None]
    return gru_back(units, run_gru(layer, x), layer.weights().U).movedim(0, -2)


def lstm_from(layer: LSTM, x: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
    """Run the readable step over x from one vector (h, c) to the next."""
    h, c = state.split(H)
    for x_t in x:
        h, c = lstm_step(x_t, LSTMState(h, c), layer.weights())[:2]
    return torch.cat([h, c])


def gru_from(layer: GRU, x: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
    for x_t in x:
        state = gru_step(x_t, state, layer.weights()).h
    return state


def case(kind: type, bias: bool = True, batch_first: bool = False):
    """Return a layer, its Jacobians' function, a run from a state, and the state's size."""
    layer = lively(kind(D, H, bias=bias, batch_first=batch_first))
    if kind is LSTM:
        return layer, lstm_jacobians, lambda x, s: lstm_from(layer, x, s), 2 * H
    return layer, gru_jacobians, lambda x, s: gru_from(layer, x, s), H


@pytest.mark.parametrize("kind", [LSTM, GRU])
@pytest.mark.parametrize("bias", [True, False])
def test_every_step_and_product_is_autograds(kind, bias, x):
    """Catches a gate's slope forgotten, c and h swapped, U transposed, PyTorch's b_U left out of r.

    The product over all lags also catches factors in the wrong order.
    """
    layer, jacobians_of, run, size = case(kind, bias)
    found = jacobians_of(layer, x)
    assert found.shape == (T, B, size, size)
    products = jacobian_products(found)
    for b in range(B):
        states = [torch.zeros(size)]
        for t in range(T):
            states.append(run(x[t : t + 1, b], states[-1]).detach())
        for t in range(T):
            step = autograd_jacobian(lambda s: run(x[t : t + 1, b], s), states[t])  # noqa: B023
            torch.testing.assert_close(found[t, b], step, **EXACT)
            far = autograd_jacobian(lambda s: run(x[t:, b], s), states[t])  # noqa: B023
            torch.testing.assert_close(products[T - t, b], far, **EXACT)


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_a_sequence_may_be_one_step_long(kind, x):
    """Catches a start that is made like the second step."""
    layer, jacobians_of, _, _ = case(kind)
    torch.testing.assert_close(jacobians_of(layer, x[:1]), jacobians_of(layer, x)[:1], **EXACT)


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_one_step_agrees_with_finite_differences(kind, x):
    """Catches a mistake that the readable step and the closed form would share."""
    layer, jacobians_of, _, size = case(kind)
    before = jacobians_of(layer, x)[3]
    states = layer.trace(x)[0]
    start = torch.cat([states.h[2], states.c[2]], -1) if kind is LSTM else states.h[2]
    eps = 1e-6
    for j in range(size):
        nudge = eps * torch.eye(size)[j]
        change = [fused_step(layer, x[3], start + sign * nudge) for sign in (1, -1)]
        torch.testing.assert_close(
            before[:, :, j], (change[0] - change[1]) / (2 * eps), rtol=1e-6, atol=1e-8
        )


@torch.no_grad()
def fused_step(layer: nn.RNNBase, x_t: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
    """Take one step with torch.nn's own kernel."""
    if isinstance(layer, LSTM):
        h, c = (part.unsqueeze(0).contiguous() for part in state.split(H, dim=-1))
        _, (h, c) = nn.LSTM.forward(layer, x_t.unsqueeze(0), (h, c))
        return torch.cat([h[0], c[0]], dim=-1)
    return nn.GRU.forward(layer, x_t.unsqueeze(0), state.unsqueeze(0))[1][0]


@pytest.mark.parametrize("kind", [LSTM, GRU])
@pytest.mark.parametrize("given", ["default", "one for all", "one a sequence"])
def test_gradients_by_lag_are_the_loss_gradient_times_the_product(kind, given, x):
    """Catches a path left out of the way back, the lag off by one, the loss gradient of one row."""
    layer, jacobians_of, _, size = case(kind)
    v = {"default": None, "one for all": torch.randn(H), "one a sequence": torch.randn(B, H)}[given]
    found = state_gradients_by_lag(layer, x, v)
    start = torch.zeros(B, size)
    start[:, :H] = H**-0.5 if v is None else v
    products = jacobian_products(jacobians_of(layer, x))[:T]
    expected = torch.einsum("bi,tbij->tbj", start, products)
    torch.testing.assert_close(found.h, expected[..., :H], **EXACT)
    if kind is LSTM:
        torch.testing.assert_close(found.c, expected[..., H:], **EXACT)
    torch.testing.assert_close(found.norms, expected.norm(dim=-1), **EXACT)
    torch.testing.assert_close(ga.state_gradient_norms(layer, x, v), found.norms, **EXACT)


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_gradients_by_lag_are_autograds(kind, x):
    """Catches a formula that agrees with its own Jacobians only: here torch differentiates."""
    layer, *_ = case(kind)
    pieces, state = [], None
    for x_t in x:
        _, state = kind.__mro__[2].forward(layer, x_t.unsqueeze(0), state)
        pieces.append(state)
    h_T = state[0][0] if kind is LSTM else state[0]
    v = torch.randn(B, H)
    found = state_gradients_by_lag(layer, x, v)
    for lag in range(1, T):  # at lag 0 the state is the loss's own
        piece = pieces[T - 1 - lag] if kind is LSTM else (pieces[T - 1 - lag],)
        for ours, theirs in zip(
            found, torch.autograd.grad((h_T * v).sum(), piece, retain_graph=True), strict=False
        ):
            torch.testing.assert_close(ours[lag], theirs[0], **EXACT)


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_batch_first_is_the_same_run(kind, x):
    """Catches time and batch swapped."""
    layer = case(kind)[0]
    other = kind(D, H, batch_first=True)
    other.load_state_dict(layer.state_dict())
    torch.testing.assert_close(
        ga.state_gradient_norms(other, x.transpose(0, 1)), ga.state_gradient_norms(layer, x)
    )


def test_an_elman_network_goes_its_own_way(x):
    """Catches axes that differ: all three give (T, B), lag 0 first, of length 1."""
    elman = Elman(D, H)
    torch.testing.assert_close(
        ga.state_gradient_norms(elman, x), gradient_norms_by_lag(elman, x), **EXACT
    )
    for layer in (elman, LSTM(D, H), GRU(D, H)):
        norms = ga.state_gradient_norms(layer, x)
        assert norms.shape == (T, B)
        torch.testing.assert_close(norms[0], torch.ones(B))


def test_direct_path_is_the_product_of_forget_gates_and_all_there_is_without_recurrence(x):
    """Catches lag 0 left out, products from the wrong end, and a direct path with gates in it."""
    layer = LSTM(D, H)
    f = layer.trace(x)[0].f.detach()
    path = direct_path(f, t=5)
    assert path.shape == (6, B, H)
    assert torch.equal(path[0], torch.ones(B, H))
    assert torch.equal(path[2], f[4] * f[3])
    nn.init.zeros_(layer.weight_hh_l0)  # the gates no longer hear the state
    f = layer.trace(x)[0].f.detach()
    memory = jacobian_products(lstm_jacobians(layer, x))[..., H:, H:]  # dc_T/dc
    torch.testing.assert_close(memory.diagonal(dim1=-2, dim2=-1), direct_path(f), **EXACT)


def test_half_life():
    """Catches the inverse, and a base that is not one half."""
    assert ga.half_life(0.9) == pytest.approx(6.5788, abs=1e-4)
    assert 0.9 ** ga.half_life(0.9) == pytest.approx(0.5)
    assert ga.half_life(0.5) == 1
    assert ga.gate_of_half_life(ga.half_life(0.97)) == pytest.approx(0.97)


def test_what_cannot_be_measured_is_told_what_to_pass(x):
    """Catches a plain torch layer, a stack, and vectors of another size taken silently."""
    for wrong, says in ((nn.LSTM(D, H), "models.LSTM"), (GRU(D, H), "not a GRU")):
        with pytest.raises(TypeError, match=says):
            lstm_jacobians(wrong, x)
    with pytest.raises(ValueError, match="several recurrences"):
        gru_jacobians(GRU(D, H, num_layers=2), x)
    with pytest.raises(ValueError, match=rf"\({B}, {H}\) or \({H},\)"):
        state_gradients_by_lag(GRU(D, H), x, torch.ones(H, B))
    for gate in (0, 1, math.nan):
        with pytest.raises(ValueError, match="between 0 and 1"):
            ga.half_life(gate)
    with pytest.raises(ValueError, match="positive"):
        ga.gate_of_half_life(0)
    with pytest.raises(ValueError, match="from 1 to 7"):
        direct_path(torch.ones(T, 2), 8)
