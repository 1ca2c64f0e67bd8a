"""Gradients through time in closed form, against autograd once a step."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.autograd.functional import jacobian

from course_utils.analysis.gradients.bptt import gradient_norms_by_lag
from course_utils.analysis.gradients.jacobians import step_jacobians
from tests.benchmarks.measure import Row, slowdown, speedup

T, B, D, H = 100, 16, 64, 128


def rows() -> list[Row]:
    """Compare both functions with the obvious way, and one of them with itself on longer input."""
    layer = nn.RNN(D, H)
    x, long = torch.randn(T, B, D), torch.randn(10 * T, B, D)
    return [
        speedup(
            "step_jacobians against autograd's jacobian at every step",
            lambda: step_jacobians(layer, x),
            lambda: jacobians_by_autograd(layer, x),
            ">= 10",
            repeats=1,  # seconds a run, and ten times above its bar
            warmup=1,
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
        slowdown(  # 1 is linear growth
            "gradient_norms_by_lag at 10 T against ten times at T",
            lambda: gradient_norms_by_lag(layer, long),
            lambda: [gradient_norms_by_lag(layer, x) for _ in range(10)],
            "<= 1.2",
        ),
    ]


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
