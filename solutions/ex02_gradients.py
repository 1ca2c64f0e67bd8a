"""Solutions of lecture 02."""

from __future__ import annotations

import math

import torch


def jacobian_of_a_step(a_t, U):
    slope = 1 - torch.tanh(a_t) ** 2  # (H,): tanh' at every unit
    return slope.unsqueeze(1) * U  # (H, H): row i is scaled by unit i


def product_of_jacobians(jacobians):
    product = jacobians[0]  # dh_1/dh_0
    for jacobian in jacobians[1:]:
        product = jacobian @ product  # later steps act from the left
    return product


def largest_allowed(U, slope, lag):
    return (slope * torch.linalg.matrix_norm(U, ord=2)) ** lag


def clip(gradients, threshold):
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    factor = min(1.0, threshold / norm.item())
    return [factor * g for g in gradients]


def lag_of_silence(rate):
    half_the_gap = torch.finfo(torch.float32).eps / 2  # 2 ** -24
    return math.ceil(math.log(half_the_gap) / math.log(rate))
