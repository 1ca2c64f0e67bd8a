"""A softmax over a sample of the words: a fraction of the work, the same minimum.

Negatives are drawn without replacement, and each one's logit is lowered by the logarithm of its
chance to be in the sample, so that the sum over the sample estimates the sum over all words
(Jean et al. 2015; Bengio and Senécal 2003).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear

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
