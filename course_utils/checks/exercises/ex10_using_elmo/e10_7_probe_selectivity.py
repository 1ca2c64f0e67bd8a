"""Exercise 10.7: a probe with its control."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def probe_selectivity(
    h: Tensor, tags: Tensor, control: Tensor, known: int, steps: int, rate: float
) -> float:
    """Return how much oftener a trained line is right about new words' tags than their control."""
    right = []
    for labels in (tags, control):
        W = torch.zeros(int(labels.max()) + 1, h.shape[1], dtype=h.dtype, requires_grad=True)
        for _ in range(steps):
            loss = cross_entropy(h[:known] @ W.T, labels[:known])
            (slope,) = torch.autograd.grad(loss, W)
            W = (W - rate * slope).detach().requires_grad_()
        found = (h[known:] @ W.T).argmax(dim=1)
        right.append((found == labels[known:]).double().mean().item())
    return right[0] - right[1]


def _cases() -> list[Arguments]:
    """Words with vectors that hold a little of their place; tags ask for both, controls do not."""
    cases = []
    for T, D, V, K, known, steps in (
        (44, 3, 9, 3, 25, 1), (90, 5, 17, 3, 50, 25), (150, 4, 20, 4, 71, 40),
    ):  # fmt: skip
        words = (torch.arange(T) * 7 + torch.arange(T) // 3) % V
        h = some(V, D, seed=T)[words] + 0.7 * some(T, D, seed=V)
        tags = (h @ some(D, K, seed=K)).argmax(dim=1)
        tags[:K] = tags[-K:] = torch.arange(K)  # every label is met
        control = ((torch.arange(V) * 5 + 1) % K)[words]
        cases.append((h, tags, control, known, steps, 0.5))
    return cases


EXERCISE = Exercise(
    number="10.7",
    task="a probe with its control",
    kind="build",
    reference=probe_selectivity,
    takes="h: (T, D), one layer; tags, control: (T,), both with labels from 0 to K - 1; known, "
    "steps: whole numbers; rate: a number",
    gives="a number between −1 and 1",
    cases=_cases,
    hints=(
        "Two probes, trained alike, each with labels of its own. On which words is each asked?",
        "scores = h[:known] @ W.T with W (K, D) that begins as zeros; the mean cross-entropy; "
        "`steps` times W - rate * gradient. Then the share of right answers on h[known:].",
        "torch.zeros(K, D, dtype=h.dtype, requires_grad=True) is W; torch.autograd.grad(loss, W) "
        "gives its gradient.",
    ),
    misconceptions=mistakes("""
        asked what it has learned
            h[known:] @ => h[:known] @ &&
            labels[known:]) => labels[:known])
            You ask about words that the probe was trained on: there it may simply remember.
        trained on all
            h[:known] @ W.T, labels[:known]) => h @ W.T, labels)
            Your probes are trained on all words, including those that they are asked about.
        asked about all
            h[known:] @ => h @ &&
            labels[known:]) => labels)
            You ask about all words. The first `known` of them were learned from.
        no control
            return right[0] - right[1] => return right[0]
            That is the accuracy on tags. Selectivity takes from it what memory reaches, which the
            control tells.
        the control alone
            return right[0] - right[1] => return right[1]
            That is the accuracy on the control alone.
        turned round
            return right[0] - right[1] => return right[1] - right[0]
            The sign is turned: tags minus control.
        a ratio
            return right[0] - right[1] => return right[0] / right[1]
            You divide. Selectivity is a difference of two accuracies.
        the same probe for both
            labels[:known]) => tags[:known])
            Your second probe has learned the tags, too. The control needs a probe of its own,
            trained on the control's labels.
        the control asked for tags
            == labels[known:] => == tags[known:]
            You hold both probes' answers against the tags. The second one's are right where they
            are the control's labels.
        in percent
            return right[0] - right[1] => return 100 * (right[0] - right[1])
            The selectivity is right, in percent. Return a share.
        a sum over words
            labels[:known]) => labels[:known], reduction="sum")
            You add up the words' losses. The loss is their mean, however many words there are.
        one step less
            range(steps) => range(steps - 1)
            You take one step less than is asked for.
        one step more
            range(steps) => range(steps + 1)
            You take one step more than is asked for.
        uphill
            W - rate * slope => W + rate * slope
            You walk up the gradient: the probe learns to be wrong.
        the least likely
            .argmax(dim=1) => .argmin(dim=1)
            You take the label with the lowest score.
        how many, not which share
            .double().mean() => .double().sum()
            You count right answers. Accuracy is their share.
    """),
)
