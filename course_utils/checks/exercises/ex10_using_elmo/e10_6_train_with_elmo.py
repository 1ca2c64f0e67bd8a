"""Exercise 10.6: train a tagger that reads ELMo."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def train_with_elmo(
    x: Tensor,
    layers: Tensor,
    tags: Tensor,
    W: Tensor,
    w: Tensor,
    gamma: Tensor,
    steps: int,
    rate: float,
) -> tuple[float, Tensor, float]:
    """Learn W, w and γ by plain steps downhill; return the loss then, the shares s, and γ."""
    learned = [start.clone().requires_grad_() for start in (W, w, gamma)]
    W, w, gamma = learned

    def loss() -> Tensor:
        mixed = gamma * torch.tensordot(torch.softmax(w, dim=0), layers, dims=1)  # (T, 2P)
        return cross_entropy(torch.cat([x, mixed], dim=1) @ W.T, tags)

    for _ in range(steps):
        loss().backward()
        for each in learned:
            assert each.grad is not None
            each.data -= rate * each.grad
            each.grad = None
    return loss().item(), torch.softmax(w, dim=0).detach(), gamma.item()


def _cases() -> list[Arguments]:
    cases = []
    for T, D, L, P, K, steps in ((5, 2, 1, 1, 2, 2), (11, 3, 2, 2, 3, 7), (13, 4, 3, 1, 5, 12)):
        start = 0.3 * some(K, D + 2 * P, seed=T), some(L + 1, seed=D), some(1, seed=L)[0] + 2
        given = some(T, D, seed=P), some(L + 1, T, 2 * P, seed=K)
        cases.append((*given, torch.arange(T) * 2 % K, *start, steps, 0.2))
    return cases


EXERCISE = Exercise(
    number="10.6",
    task="train a tagger that reads ELMo",
    kind="build",
    reference=train_with_elmo,
    takes="x: (T, D), layers: (L + 1, T, 2P), tags: (T,); the start of W: (K, D + 2P), of w: "
    "(L + 1,), and of gamma: one number; steps, rate",
    gives="(the loss after the last step, the shares s (L + 1,), γ)",
    cases=_cases,
    hints=(
        "Three things learn: W, w and γ. What stays as it is?",
        "In each step: mix, put x before the mix, scores = [x; mix] @ W.T, the mean cross-entropy, "
        "its gradients; then subtract rate times the gradient from each of the three.",
        "W, w, gamma = (p.clone().requires_grad_() for p in (W, w, gamma)); after loss.backward() "
        "change p.data, and set p.grad to None before the next step.",
    ),
    misconceptions=mistakes("""
        the biLM learns too
            for start in (W, w, gamma)] => for start in (W, w, gamma, layers)] &&
            W, w, gamma = learned => W, w, gamma, layers = learned
            Your layers move. The biLM is frozen: only W, w and γ learn.
        the mix stays as it was
            for each in learned: => for each in learned[:1]:
            Only W learns. The task learns w and γ along with it.
        W stays
            for each in learned: => for each in learned[1:]:
            W stays as it was given. The tagger learns it along with w and γ.
        no gamma
            gamma * torch.tensordot => 0 * gamma + torch.tensordot
            γ is missing: it scales the mix, and is learned.
        gamma stays
            for each in learned: => for each in learned[:2]:
            γ stays where it began. It learns as W and w do.
        w stays
            for each in learned: => for each in learned[::2]:
            w stays where it began: the task has not chosen its layers.
        gradients add up
            each.grad = None => pass
            Your gradients add up from step to step. Empty them before the next one.
        uphill
            each.data -= rate => each.data += rate
            You walk up the gradient, so the loss rises.
        no softmax
            tensordot(torch.softmax(w, dim=0), layers => tensordot(w, layers
            You weigh the layers by w itself. The shares are softmax(w).
        the top layer
            torch.tensordot(torch.softmax(w, dim=0), layers, dims=1) => (layers[-1] + 0 * w.sum())
            This gives the tagger the top layer alone. ELMo mixes all of them.
        ELMo first
            [x, mixed] => [mixed, x]
            W's first D columns belong to x: the order is [x_k; ELMo_k].
        a sum over words
            @ W.T, tags) => @ W.T, tags, reduction="sum")
            You add up the words' losses. The loss is their mean, whatever the text's length.
        softmax before the cross-entropy
            torch.cat([x, mixed], dim=1) @ W.T, => (torch.cat([x, mixed], dim=1) @ W.T).softmax(1),
            `cross_entropy` takes scores and applies the softmax itself: yours is applied twice.
        one step less
            range(steps) => range(steps - 1)
            You take one step less than is asked for.
        the loss before the last step
            loss().backward() => (last := loss()).backward() &&
            return loss().item() => return last.item()
            Your loss is the one from before the last step. Ask for it once more at the end.
        no softmax at all
            torch.softmax(w, dim=0), layers => w, layers &&
            torch.softmax(w, dim=0).detach() => w.detach()
            You weigh the layers by w itself, and return it. The shares are softmax(w).
        one step more
            range(steps) => range(steps + 1)
            You take one step more than is asked for.
        w, not the shares
            torch.softmax(w, dim=0).detach() => w.detach()
            You return w. The shares are its softmax: they are positive and sum to 1.
    """),
)
