"""A softmax over a sample of the words: a fraction of the work, the same minimum; half precision.

Negatives are drawn without replacement, and each one's logit is lowered by the logarithm of its
chance to be in the sample, so that the sum over the sample estimates the sum over all words
(Jean et al. 2015; Bengio and Senécal 2003).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.models.language.recurrent import RecurrentLM
from course_utils.models.layers.products import has_fast_half
from course_utils.settings import IGNORED
from course_utils.training.losses import Loss, StreamLoss, cut_state

FLATTENED = 0.75  # rarer words are drawn more often than they occur


class SampledSoftmax:
    """Cross-entropy against the target and a fresh sample of other words."""

    def __init__(self, counts: Tensor, sample: int):
        if not 1 <= sample < len(counts):
            raise ValueError(
                f"cannot sample {sample} of {len(counts)} words: choose at least 1, but not all"
            )
        share = counts.double().clamp(min=1) ** FLATTENED
        self.share = (share / share.sum()).float()
        self.log_chance = inclusion(self.share.double(), sample).log().float()
        self.sample = sample

    def __call__(self, W: Tensor, b: Tensor, h: Tensor, targets: Tensor) -> Tensor:
        """Return the mean loss of states h (N, P) and their targets (N,), with weights W (V, P)."""
        drawn = torch.multinomial(self.share, self.sample)  # (S,)
        place = torch.full((len(self.share),), -1)
        place[drawn] = torch.arange(self.sample)
        drawn, place = drawn.to(h.device), place.to(h.device)[targets]
        right = (h * W[targets]).sum(dim=-1).float() + b[targets]  # (N,)
        shift = b[drawn] - self.log_chance.to(h.device)[drawn]
        hit = (place >= 0).nonzero()[:, 0]  # the sample holds the target: do not count it twice
        others = _log_sum_exp(linear(h, W[drawn]), shift, hit, place[hit])  # (N,)
        return (torch.logaddexp(right, others) - right).mean()


def whole_softmax(W: Tensor, b: Tensor, h: Tensor, targets: Tensor) -> Tensor:
    """Return the mean loss against all words."""
    none = targets[:0]
    right = (h * W[targets]).sum(dim=-1).float() + b[targets]  # (N,)
    return (_log_sum_exp(linear(h, W), b, none, none) - right).mean()


class LogSumExp(torch.autograd.Function):
    """The log of Σ exp(logits + shift) in each row, the places (row, column) left out.

    It makes one pass where the autograd of the formula makes many over the same large table.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, shift: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
        table = shift + logits  # as exact as the shift, whatever the logits are
        table[rows, columns] = -torch.inf
        largest = table.amax(dim=1, keepdim=True)
        total = table.sub_(largest).exp_().sum(dim=1, keepdim=True)
        ctx.save_for_backward(table.div_(total).to(logits.dtype))
        ctx.exact = shift.dtype
        return (largest + total.log_()).squeeze(1)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None, None]:
        (share,) = ctx.saved_tensors
        part = share * grads[0].to(share.dtype)[:, None]
        return part, part.sum(dim=0, dtype=ctx.exact), None, None


def _log_sum_exp(logits: Tensor, shift: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    apply: Callable[..., Tensor] = LogSumExp.apply  # torch gives it no types
    return apply(logits, shift, rows, columns)


def inclusion(share: Tensor, sample: int) -> Tensor:
    """Return each word's chance to be among `sample` draws without replacement.

    Drawing in the order of exponential waiting times with rate `share` gives that sample; it ends
    at about the time t at which the expected number drawn, Σ 1 - exp(-share t), is `sample`.
    """
    low, high = 0.0, sample / share.min().item() * 10
    for _ in range(200):
        middle = (low + high) / 2
        if (1 - torch.exp(-share * middle)).sum() < sample:
            low = middle
        else:
            high = middle
    return 1 - torch.exp(-share * low)


class SampledStreamLoss(StreamLoss):
    """StreamLoss that scores `sample` words in place of all until step `until`.

    The sample's loss has nearly the same minimum; the last steps, on all words, close the gap.
    """

    def __init__(self, counts: Tensor, sample: int, until: int):
        super().__init__()
        self.sampled, self.until, self.steps = SampledSoftmax(counts, sample), until, 0

    def __call__(self, model: RecurrentLM, batch: tuple[Tensor, Tensor]) -> Loss:
        tokens, targets = batch  # (T, B) each
        asked = targets != IGNORED
        with half_precision(tokens.device):
            h, state = model.read_states(tokens, self.state)  # (T, B, H)
            count = int(asked.sum())  # 0 where this process's rows are padding
            mean = self._mean(model, h[asked], targets[asked]) if count else 0 * h.sum()
        self.state = cut_state(state)
        self.steps += model.training
        return Loss(mean, count)

    def _mean(self, model: RecurrentLM, h: Tensor, targets: Tensor) -> Tensor:
        W, b = model.output.weight, model.output.bias
        if self.steps < self.until:
            return self.sampled(W, b, h, targets)
        return whole_softmax(W, b, h, targets)

    def state_dict(self) -> dict[str, object]:
        """Return the step as well; every process must call this."""
        return {"steps": self.steps, **super().state_dict()}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Take the step as well."""
        self.steps = saved["steps"]
        super().load_state_dict(saved)


def counts_of(tokens: Tensor, V: int) -> Tensor:
    """Return how often each token of the vocabulary stands in a text."""
    return torch.bincount(tokens, minlength=V).float()


def half_precision(device: torch.device) -> AbstractContextManager[None]:
    """Compute in bfloat16 on CPUs that have it: about twice as fast; GPUs are `fit`'s business."""
    if device.type == "cpu" and has_fast_half():
        return torch.autocast("cpu", torch.bfloat16)
    return nullcontext()
