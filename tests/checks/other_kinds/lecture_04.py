"""Lecture 04: a time constant, a start for the Elman network, what three seeds allow."""

from __future__ import annotations

import math

import numpy as np
import torch

# ── 4.4 the time constant of a bias ───────────────────────────────────────────────────────────────


def both_keep(bias, renews):
    return 1 / (1 - 1 / (1 + math.exp(-bias)))


def both_renew(bias, renews):
    z = 1 - 1 / (1 + math.exp(-bias))
    return 1 / (1 - z)


def turned_round(bias, renews):
    gate = 1 / (1 + math.exp(-bias))
    return 1 / (1 - gate) if renews else 1 / gate


def the_share(bias, renews):
    gate = 1 / (1 + math.exp(-bias))
    return 1 - gate if renews else gate


def without_the_one(bias, renews):
    return math.exp(-bias) if renews else math.exp(bias)


def half_life(bias, renews):
    gate = 1 / (1 + math.exp(-bias))
    return math.log(0.5) / math.log(1 - gate if renews else gate)


def to_one_over_e(bias, renews):
    gate = 1 / (1 + math.exp(-bias))
    return -1 / math.log(1 - gate if renews else gate)


def one_over_the_share(bias, renews):
    gate = 1 / (1 + math.exp(-bias))
    return 1 / (1 - gate) if renews else 1 / gate


def bias_as_gate(bias, renews):
    k = 1 - bias if renews else bias
    return 1 / (1 - k) if k != 1 else 0.0


def what_is_lost(bias, renews):
    gate = 1 / (1 + math.exp(-bias))
    return gate if renews else 1 - gate


def constant_in_short(bias, renews):
    return 1 + math.exp(-bias if renews else bias)


def constant_in_torch(bias, renews):
    gate = torch.sigmoid(torch.tensor(float(bias)))
    return 1 / gate if renews else 1 / (1 - gate)


# ── 4.6 a start ───────────────────────────────────────────────────────────────────────────────────


def pytorch_uniform(H):
    return (torch.rand(H, H) * 2 - 1) / H**0.5, torch.zeros(H)


def gaussian(H):
    return torch.randn(H, H) / H**0.5, torch.zeros(H)


def radius_one(H):
    U = torch.randn(H, H)
    return U / torch.linalg.eigvals(U).abs().max(), torch.zeros(H)


def norm_one(H):
    U = torch.randn(H, H)
    return U / torch.linalg.matrix_norm(U, ord=2), torch.zeros(H)


def normed_rows(H):
    U = torch.randn(H, H)
    return U / U.norm(dim=1, keepdim=True), torch.zeros(H)


def all_ones(H):
    return torch.ones(H, H), torch.zeros(H)


def mean_of_all(H):
    return torch.ones(H, H) / H, torch.zeros(H)


def no_weights(H):
    return torch.zeros(H, H), torch.zeros(H)


def bias_of_one(H):
    return torch.eye(H), torch.ones(H)


def half_identity(H):
    return 0.5 * torch.eye(H), torch.zeros(H)


def double_identity(H):
    return 2 * torch.eye(H), torch.zeros(H)


def divided_by_zero(H):
    return torch.eye(H) / torch.zeros(H, H), torch.zeros(H)


def only_U(H):
    return torch.eye(H)


def symmetric(H):
    U = torch.randn(H, H)
    return (U + U.T) / 2, torch.zeros(H)


def identity(H):
    return torch.eye(H), torch.zeros(H)


def by_init(H):
    return torch.nn.init.orthogonal_(torch.empty(H, H)), torch.zeros(H)


def in_numpy(H):
    return np.linalg.qr(np.random.default_rng(0).normal(size=(H, H)))[0], np.zeros(H)


def a_shift_in_lists(H):
    return [[float((row + 1) % H == column) for column in range(H)] for row in range(H)], [0.0] * H


# ── 4.5 and 4.7 choices as wholes ─────────────────────────────────────────────────────────────────


def _said(choices):
    return lambda: dict(zip("ABCDEF", choices.split(), strict=True))


def _all(letters, choice):
    return lambda: dict.fromkeys(letters, choice)


WRONG = {
    "4.2": [both_keep, both_renew, turned_round, the_share, without_the_one, half_life,
            to_one_over_e, one_over_the_share, bias_as_gate, what_is_lost],
    "4.5": [_all("ABCDEF", True), _all("ABCDEF", False),
            lambda: {"A": True, "B": False, "C": True, "D": False, "E": True, "F": False},
            lambda: {"A": True, "B": True, "C": False, "D": False, "E": True, "F": False},
            lambda: {"A": True, "B": False, "C": False, "D": False, "E": True, "F": True},
            lambda: {"A": True, "B": False, "C": False, "D": False, "E": False, "F": False}],
    "4.6": [half_identity, pytorch_uniform, gaussian, radius_one, norm_one, normed_rows, all_ones,
            mean_of_all, no_weights, bias_of_one, double_identity, divided_by_zero, only_U,
            symmetric],
    "4.7": [_all("ABCDEF", "open"), _all("ABCDEF", "shown"),
            _said("shown refuted shown refuted open shown"),
            _said("shown refuted open refuted shown shown"),
            _said("open open open open open shown")],
}  # fmt: skip

RIGHT = {
    "4.2": [constant_in_short, constant_in_torch],
    "4.5": [lambda: {"F": 0, "E": 1, "D": 0, "C": 0, "B": 0, "A": 1},
            lambda: {k: np.bool_(k in "AE") for k in "ABCDEF"}],
    "4.6": [identity, by_init, in_numpy, a_shift_in_lists],
    "4.7": [_said("shown refuted open refuted open shown")],
}  # fmt: skip
