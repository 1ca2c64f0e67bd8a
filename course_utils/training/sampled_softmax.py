"""A softmax over a sample of the words: a fraction of the work, the same minimum; half precision.

Negatives are drawn without replacement, and each one's logit is lowered by the logarithm of its
chance to be in the sample, so that the sum over the sample estimates the sum over all words
(Jean et al. 2015; Bengio and Senécal 2003).
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear

from course_utils.models.language.recurrent import RecurrentLM
from course_utils.settings import IGNORED
from course_utils.training.losses import Loss, StreamLoss, cut_state

FLATTENED = 0.75  # rarer words are drawn more often than they occur


class SampledSoftmax:
    """Cross-entropy against the target and a fresh sample of other words."""

    def __init__(self, counts: Tensor, sample: int):
        if not 1 <= sample < len(counts):
            raise ValueError(f"a sample of {sample} out of {len(counts)} words is none")
        share = counts.double().clamp(min=1) ** FLATTENED
        self.share = (share / share.sum()).float()
        self.log_chance = inclusion(self.share.double(), sample).log().float()
        self.sample = sample

    def __call__(self, softmax: nn.Linear, h: Tensor, targets: Tensor) -> Tensor:
        """Return the mean loss of hidden states (N, P) and their targets (N,)."""
        drawn = torch.multinomial(self.share, self.sample).to(h.device)  # (S,)
        W, b = softmax.weight, softmax.bias
        right = (h * W[targets]).sum(dim=-1) + b[targets]  # (N,)
        others = linear(h, W[drawn]).float() + (b[drawn] - self.log_chance.to(h.device)[drawn])
        others = others.masked_fill(drawn == targets[:, None], float("-inf"))  # (N, S)
        logits = torch.cat([right[:, None], others], dim=1)
        return cross_entropy(logits, torch.zeros_like(targets))


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

    The sample's loss has nearly the same minimum; the last steps, against all words, mend the rest.
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
        if self.steps < self.until:
            return self.sampled(model.output, h, targets)
        return cross_entropy(model.output(h).float(), targets)

    def state_dict(self) -> dict[str, Any]:
        """Return the step as well; every process must call this."""
        return {"steps": self.steps, **super().state_dict()}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Take the step as well."""
        self.steps = saved["steps"]
        super().load_state_dict(saved)


def counts_of(tokens: Tensor, V: int) -> Tensor:
    """Return how often each token of the vocabulary stands in a text."""
    return torch.bincount(tokens, minlength=V).float()


@cache
def _has_bf16() -> bool:
    return torch.cpu._is_avx512_bf16_supported()


def half_precision(device: torch.device) -> AbstractContextManager[None]:
    """Compute in bfloat16 on CPUs that have it: about twice as fast; GPUs are `fit`'s business."""
    if device.type == "cpu" and _has_bf16():
        return torch.autocast("cpu", torch.bfloat16)
    return nullcontext()
