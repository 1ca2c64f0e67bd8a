"""Reading a stream for most of the way against a sample of the words, at the end against all."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.models import RecurrentLM
from course_utils.settings import IGNORED
from course_utils.training.half_precision import half_precision
from course_utils.training.losses import Loss, StreamLoss, cut_state
from course_utils.training.sampled_softmax import SampledSoftmax


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
