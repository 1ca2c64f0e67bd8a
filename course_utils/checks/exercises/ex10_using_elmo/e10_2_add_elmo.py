"""Exercise 10.2: add ELMo to a tagger."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def add_elmo(x: Tensor, layers: Tensor, s: Tensor, gamma: float) -> Tensor:
    """Return [x_k; γ Σ_j softmax(s)_j h_kj] for every word, (T, D + 2P)."""
    mixed = gamma * torch.tensordot(torch.softmax(s, dim=0), layers, dims=1)
    return torch.cat([x, mixed], dim=-1)


EXERCISE = Exercise(
    number="10.2",
    task="add ELMo to a tagger",
    reference=add_elmo,
    takes="x: (T, D), layers: (L + 1, T, 2P), s: (L + 1,), gamma: a number",
    gives="an array (T, D + 2P)",
    example=(
        torch.tensor([[5.0]]).double(),
        torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]]).double(),
        torch.zeros(2).double(),
        2.0,
    ),
    cases=lambda: [
        (some(T, D, seed=T), some(L + 1, T, 2 * P, seed=D), some(L + 1, seed=P), 1.5 + P)
        for T, D, L, P in ((2, 3, 2, 1), (5, 4, 3, 2), (7, 3, 1, 4))
    ],
    hints=(
        "Two steps: one vector a word out of all layers, then put it beside x.",
        "softmax(s) has one share for each layer; sum the layers with these shares, times γ.",
        "mixed = gamma * (softmax(s)[:, None, None] * layers).sum(0); then concatenate x and mixed "
        "along the last axis.",
    ),
    misconceptions=mistakes("""
        s as it is
            torch.softmax(s, dim=0) => s
            The weights must go through a softmax: they are shares of the layers.
        s divided by its sum
            torch.softmax(s, dim=0) => s / s.sum()
            You divide s by its sum. Shares come from a softmax, which allows any s.
        the plain mean
            torch.softmax(s, dim=0) => torch.ones_like(s) / len(s)
            This is the mean of the layers. The task wants to choose: use softmax(s).
        gamma inside the softmax
            gamma * torch.tensordot(torch.softmax(s, => torch.tensordot(torch.softmax(gamma * s,
            γ stands inside your softmax, where it only sharpens the shares. It multiplies the mix
            itself, so that its size fits the task.
        divided by the number of layers
            mixed = gamma => mixed = 1 / len(layers) * gamma
            The shares sum to 1 already: do not divide by the number of layers as well.
        without gamma
            gamma * torch => torch
            γ is missing: the task scales the whole mix.
        gamma on x too
            [x, mixed] => [gamma * x, mixed]
            γ belongs to ELMo's part only; x_k stays as it is.
        ELMo first
            [x, mixed] => [mixed, x]
            The order is [x_k; ELMo_k]: the word's own vector first.
        top layer only
            torch.tensordot(torch.softmax(s, dim=0), layers, dims=1) => layers[-1]
            This takes the top layer alone, as earlier work did. ELMo mixes all of them.
        layers side by side
            [x, mixed] => [x, *(gamma * torch.softmax(s, 0)[:, None, None] * layers)]
            You put the weighed layers side by side. They are summed: ELMo_k is 2P wide.
        the mix alone
            torch.cat([x, mixed], dim=-1) => mixed
            The mix is right, but it stands alone: it joins x_k and does not replace it.
    """),
)
