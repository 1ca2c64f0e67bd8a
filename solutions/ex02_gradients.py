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


def fate_of_six():
    return {
        "A": "vanishes",  # inputs of size 1 flatten tanh, whatever the radius
        "B": "explodes",  # slope 1 everywhere: 1.5 ** 50
        "C": "stays",  # U keeps lengths, tanh stays where its slope is 1
        "D": "vanishes",  # U keeps lengths, the slopes do not
        "E": "vanishes",  # inputs of size 1 move it off its steepest point
        "F": "stays",  # a linear unit has no flat part
    }


def repaired_bptt(U, states, d_last):
    d_U, d_h = torch.zeros_like(U), d_last
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U = d_U + torch.outer(d_a, states[t - 1])  # added, and the state that went in
        d_h = U.T @ d_a
    return d_U


def what_follows():
    return {"B", "D", "F"}  # the others need an experiment that nobody made
