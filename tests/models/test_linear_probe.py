"""Logistic regression that reads vectors."""

from __future__ import annotations

import torch
from torch.nn.functional import cross_entropy

from course_utils.models.linear_probe import LinearProbe


def test_the_fit_is_where_its_gradient_is_zero():
    """Catches a penalty on the mean, one that is forgotten, and a fit that stops on its way."""
    torch.manual_seed(4)
    x, y = torch.randn(130, 5) * 7 + 3, torch.randint(0, 3, (130,))
    probe = LinearProbe(5, 3).fit(x, y, penalty=0.02, rounds=300)
    weight = probe.linear.weight.detach().double().requires_grad_()
    bias = probe.linear.bias.detach().double().requires_grad_()
    spread = (x.double() - x.double().mean(0)).square().mean().sqrt()
    scaled = (x.double() - x.double().mean(0)) / spread
    loss = cross_entropy(scaled @ weight.T + bias, y) + 0.02 * weight.square().sum()
    for gradient in torch.autograd.grad(loss, (weight, bias)):
        assert gradient.abs().max() < 1e-3
    expected = (scaled @ weight.T + bias).argmax(-1) == y
    assert probe.accuracy(x, y) == expected.float().mean().item()


def test_no_seed_decides():
    """Catches a start by chance, which would make two layers differ by luck."""
    x, y = torch.randn(40, 7), torch.randint(0, 3, (40,))
    first, second = (LinearProbe(7, 3).fit(x, y)(x) for _ in range(2))
    assert torch.equal(first, second)
