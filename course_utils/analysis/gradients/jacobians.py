"""Compute dh_t/dh_{t-1} in closed form, products of it, their bound, and what x_1 leaves in h_t."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.analysis.gradients.elman import Network, elman_weights, trace


def step_jacobian(slope_t: Tensor, U: Tensor) -> Tensor:
    """Return dh_t/dh_{t-1} = diag(g'(a_t)) U: row i holds the slope of h_t[i]."""
    return slope_t.unsqueeze(-1) * U  # (..., H, H)


def step_jacobians(network: Network, x: Tensor) -> Tensor:
    """Return the Jacobian of every step, (T, B, H, H): [t - 1] is dh_t/dh_{t-1}, from h_0 = 0."""
    run = trace(network, x)
    return step_jacobian(run.slopes, run.U)


@torch.no_grad()
def jacobian_products(jacobians: Tensor, t: int | None = None) -> Tensor:
    """Return dh_t/dh_{t-lag} for the lags 0 to t, (t + 1, ..., H, H); t = T unless given.

    `jacobians` is (T, ..., H, H) as `step_jacobians` returns it; lag 0 is the identity.
    """
    T = len(jacobians)
    if jacobians.dim() < 3 or jacobians.shape[-1] != jacobians.shape[-2]:
        raise ValueError(
            f"jacobians have the shape {tuple(jacobians.shape)}: pass (T, B, H, H) or (T, H, H)"
        )
    t = T if t is None else t
    if not 1 <= t <= T:
        raise ValueError(f"there is no step {t}: pass t from 1 to {T}")
    product = torch.eye(jacobians.shape[-1], dtype=jacobians.dtype, device=jacobians.device)
    products = [product.expand_as(jacobians[0])]
    for jacobian in jacobians[:t].flip(0):
        products.append(products[-1] @ jacobian)
    return torch.stack(products)


def spectral_norms(matrices: Tensor) -> Tensor:
    """Return the largest factor by which each matrix, the last two axes, stretches a vector."""
    norms: Tensor = torch.linalg.matrix_norm(matrices, ord=2)
    return norms


def jacobian_bound(U: Tensor, slope: float, lag: int | Tensor) -> Tensor:
    """Return (slope x ||U||)^lag, which no product of `lag` Jacobians exceeds."""
    return (slope * spectral_norms(U.detach())) ** lag


@torch.no_grad()
def sensitivity_to_first_input(network: Network, x: Tensor) -> Tensor:
    """Return ||dh_t[i]/dx_1|| at every step, (T, B, H) (after Graves 2012, figure 4.1)."""
    run = trace(network, x)
    S_t = run.slopes[0].unsqueeze(-1) * elman_weights(network).W  # (B, H, D): dh_1/dx_1
    influence = [S_t]
    for slope_t in run.slopes[1:]:
        S_t = slope_t.unsqueeze(-1) * (run.U @ S_t)
        influence.append(S_t)
    lengths: Tensor = torch.stack(influence).norm(dim=-1)
    return lengths
