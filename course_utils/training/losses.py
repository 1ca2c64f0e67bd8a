"""What a step minimises: a mean loss, and how many predictions it averages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch.nn.functional import cross_entropy

from course_utils.models.layers.sequences import Start
from course_utils.settings import IGNORED
from course_utils.training.parallel.distributed import gather_rows, share_rows


class Loss(NamedTuple):
    """A mean loss and its number of targets, so that unequal batches add up correctly."""

    mean: torch.Tensor
    targets: int = 1


LossOf = Callable[[Any, Any], Loss | torch.Tensor]  # (model, batch), of the kinds it knows


class StreamLoss:
    """Cross-entropy of the next token along a stream that is cut into (T, B) pieces.

    The state that a piece ends with starts the next piece; its history is cut there, so gradients
    reach back T steps (truncated BPTT) while the network's memory reaches further. The model takes
    `(tokens, state)` and returns `(logits, state)`.
    """

    def __init__(self) -> None:
        self.state: Start | None = None

    def __call__(self, model: Any, batch: tuple[torch.Tensor, torch.Tensor]) -> Loss:
        tokens, targets = batch  # (T, B) each
        logits, state = model(tokens, self.state)  # (T, B, V)
        self.state = cut_state(state)
        count = int((targets != IGNORED).sum())
        if count == 0:  # a process's rows may all be padding; a mean over nothing would be NaN
            return Loss(0 * logits.sum(), 0)
        mean = cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED)
        return Loss(mean, count)

    def state_dict(self) -> dict[str, object]:
        """Return the state of all processes' rows; every process must call this."""
        return {"state": gather_rows(self.state, dim=1)}

    def load_state_dict(self, saved: dict[str, object]) -> None:
        """Take this process's rows, however many processes there were."""
        self.state = share_rows(saved["state"], dim=1)


def mean_stream_loss(
    model: torch.nn.Module, pieces: Iterable[tuple[torch.Tensor, torch.Tensor]]
) -> float:
    """Return the mean cross-entropy per token of a whole held-out stream, read in order."""
    stream, total, count = StreamLoss(), 0.0, 0
    device = next(model.parameters()).device
    for tokens, targets in pieces:
        part = stream(model, (tokens.to(device), targets.to(device)))
        total += part.mean.item() * part.targets
        count += part.targets
    return total / count


def cut_state(state: Start) -> Start:
    """Detach a state from its history."""
    return tuple(part.detach() for part in state) if isinstance(state, tuple) else state.detach()
