"""Gradients through time in closed form, against autograd once a step."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.autograd.functional import jacobian

from course_utils.analysis.gradients import gradient_norms_by_lag, step_jacobians
from tests.benchmarks.measure import Row, seconds_each, speedup

T, B, D, H = 100, 16, 64, 128


def rows() -> list[Row]:
    """Compare both functions with the obvious way, and one with itself on longer input."""
    layer = nn.RNN(D, H)
    x = torch.randn(T, B, D)
    return [
        speedup(
            "step_jacobians against autograd's jacobian at every step",
            lambda: step_jacobians(layer, x),
            lambda: jacobians_by_autograd(layer, x),
            ">= 10",
            repeats=3,
            warmup=0,
        ),
        speedup(  # both then spend most of their time filling 105 MB
            "the same, autograd vectorized over H by vmap",
            lambda: step_jacobians(layer, x),
            lambda: jacobians_by_autograd(layer, x, vectorize=True),
            repeats=5,
        ),
        speedup(
            "gradient_norms_by_lag against autograd once a lag",
            lambda: gradient_norms_by_lag(layer, x),
            lambda: norms_by_autograd(layer, x),
            ">= 10",
            repeats=7,
        ),
        growth_per_step(layer),
    ]


def growth_per_step(layer: nn.RNN) -> Row:
    """Return how much dearer a step is in a sequence ten times as long: 1 is linear growth."""
    short, long = torch.randn(T, B, D), torch.randn(10 * T, B, D)
    a, b = seconds_each(
        lambda: gradient_norms_by_lag(layer, short),
        lambda: gradient_norms_by_lag(layer, long),
        repeats=31,
    )
    detail = f"{a * 1e3:.2f} ms at T={T}, {b * 1e3:.2f} ms at T={10 * T}"
    return Row("gradient_norms_by_lag, cost of a step at 10 T over T", b / a / 10, "<= 1.2", detail)


def one_step(layer: nn.RNN, x_t: Tensor) -> Callable[[Tensor], Tensor]:
    """Return h -> the next h, for one step's input."""
    W, U, b, c = layer.all_weights[0]
    return lambda h: torch.tanh(x_t @ W.T + b + h @ U.T + c)


def jacobians_by_autograd(layer: nn.RNN, x: Tensor, vectorize: bool = False) -> Tensor:
    """Return what `step_jacobians` returns; one Jacobian of the batch's sum serves all of it."""
    h, found = x.new_zeros(B, H), []
    for x_t in x:
        step = one_step(layer, x_t)
        summed = lambda h, step=step: step(h).sum(0)  # noqa: E731
        batched = jacobian(summed, h, vectorize=vectorize)  # (H, B, H)
        found.append(batched.transpose(0, 1))
        h = step(h).detach()
    return torch.stack(found)


def norms_by_autograd(layer: nn.RNN, x: Tensor) -> Tensor:
    """Return what `gradient_norms_by_lag` returns, asking for one dJ_T/dh_k after the other."""
    h, states = x.new_zeros(B, H).requires_grad_(), []
    for x_t in x:
        h = one_step(layer, x_t)(h)
        states.append(h)
    loss = h.sum() / H**0.5
    gradients = [torch.autograd.grad(loss, h_k, retain_graph=True)[0] for h_k in reversed(states)]
    return torch.stack(gradients).norm(dim=-1)
