"""Follow every dJ_t/dh_k back through time, and split dJ/dU into its terms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeAlias

import torch
from torch import Tensor

from course_utils.analysis.gradients.elman import Network, Trajectory, trace

StepLoss: TypeAlias = Callable[[Tensor], Tensor]  # states (T, B, H) -> J_t, (T,) or (T, B)


def gradient_norms_by_lag(
    network: Network, x: Tensor, loss_gradient: Tensor | None = None
) -> Tensor:
    """Return ||dJ_T/dh_{T-lag}|| for the lags 0 to T - 1, (T, B), from one backward pass.

    `loss_gradient` is dJ_T/dh_T, (B, H) or (H,); by default a unit vector, equal in all units.
    """
    norms: Tensor = gradients_by_lag(trace(network, x), loss_gradient).norm(dim=-1)
    return norms


@torch.no_grad()
def gradients_by_lag(run: Trajectory, loss_gradient: Tensor | None = None) -> Tensor:
    """Return dJ_T/dh_{T-lag} for the lags 0 to T - 1, (T, B, H)."""
    v = loss_gradient_of(loss_gradient, run.states)  # dJ_T/dh_T
    gradients = [v]
    for slope_k in run.slopes[1:].flip(0):
        v = (v * slope_k) @ run.U
        gradients.append(v)
    return torch.stack(gradients)


def loss_gradient_of(given: Tensor | None, states: Tensor) -> Tensor:
    """Return dJ_T/dh_T as (B, H): the given one, or a unit vector, equal in all units."""
    B, H = states.shape[1:]
    if given is None:
        given = states.new_full((H,), H**-0.5)
    if not isinstance(given, Tensor):
        raise TypeError(f"loss_gradient is a {type(given).__name__}: pass a tensor ({B}, {H})")
    if given.shape not in {(H,), (B, H)}:
        shape = tuple(given.shape)
        raise ValueError(f"loss_gradient has the shape {shape}: pass ({B}, {H}) or ({H},)")
    if given.dtype != states.dtype:
        raise TypeError(f"loss_gradient is {given.dtype}: pass loss_gradient.to({states.dtype})")
    if given.device != states.device:
        where = f"on {given.device}, the network on {states.device}"
        raise ValueError(f"loss_gradient is {where}: pass loss_gradient.to('{states.device}')")
    if not given.isfinite().all():
        raise ValueError("loss_gradient holds NaN or infinity: find out where the loss does")
    return given.detach().expand(B, H)


@torch.no_grad()
def gradient_norms_by_pair(network: Network, x: Tensor, loss: StepLoss) -> Tensor:
    """Return ||dJ_t/dh_k||, (T, T, B): row t, column k, zero where k > t."""
    run = trace(network, x)
    T, B, _ = run.states.shape
    norms = run.states.new_zeros(T, T, B)
    for lag, v in _walk_back(run, _loss_gradients(loss, run.states)):
        norms.diagonal(-lag).copy_(v.norm(dim=-1).T)  # diagonal() puts its axis last
    return norms


@torch.no_grad()
def contributions_by_lag(network: Network, x: Tensor, loss: StepLoss) -> Tensor:
    """Return the terms of dJ_t/dU that go through step k, summed over each lag t - k, (T, H, H).

    The sum over all lags is dJ/dU for J = sum of all J_t, over the batch too. `loss` gives J_t
    from the hidden states, each J_t from h_t alone.
    """
    run = trace(network, x)
    T, H = len(run.states), run.states.shape[-1]
    terms = run.states.new_zeros(T, H, H)
    for lag, v in _walk_back(run, _loss_gradients(loss, run.states)):
        delta = v * run.slopes[: T - lag]  # (T - lag, B, H): dJ_t/da_k
        terms[lag] = delta.flatten(0, 1).T @ run.previous[: T - lag].flatten(0, 1)
    return terms


def share_beyond(terms: Tensor, lag: int) -> float:
    """Return the share of the summed norms of all terms that comes from lags greater than `lag`."""
    lengths = terms.flatten(1).norm(dim=1)
    return float(lengths[lag + 1 :].sum() / lengths.sum())


def _walk_back(run: Trajectory, loss_gradients: Tensor) -> Iterator[tuple[int, Tensor]]:
    """Yield each lag with dJ_{k+lag}/dh_k for all k at once, (T - lag, B, H)."""
    v = loss_gradients
    for lag in range(len(run.states)):
        yield lag, v
        v = (v[1:] * run.slopes[1 : len(v)]) @ run.U


def _loss_gradients(loss: StepLoss, states: Tensor) -> Tensor:
    """Return dJ_t/dh_t of every step, (T, B, H)."""
    with torch.enable_grad():
        states = states.clone().requires_grad_()
        losses = loss(states)
        if not isinstance(losses, Tensor) or losses.shape not in {
            states.shape[:1],
            states.shape[:2],
        }:
            shape = tuple(losses.shape) if isinstance(losses, Tensor) else type(losses).__name__
            T, B, _ = states.shape
            raise ValueError(
                f"the loss gave {shape}: return one J_t a step, ({T},), or one a step and "
                f"sequence, ({T}, {B}); do not average over time"
            )
        return torch.autograd.grad(losses.sum(), states)[0]


def predicted_lag(rate: float, dtype: torch.dtype = torch.float32) -> int:
    """Return the first lag at which 1 + rate^lag is 1 in `dtype`: at most half the gap above 1."""
    if not 0 < rate < 1:
        raise ValueError(f"the rate is {rate}: a signal shrinks only for 0 < rate < 1")
    return math.ceil(math.log(torch.finfo(dtype).eps / 2) / math.log(rate))


def measured_lag(norms: Tensor, dtype: torch.dtype = torch.float32) -> int | None:
    """Return the first lag whose norm is rounded away when added to that of lag 0, or None."""
    lost = (norms <= torch.finfo(dtype).eps / 2 * norms[0]).nonzero()
    return int(lost[0]) if len(lost) else None
