"""One step of the optimiser: gradients of a few batches, clipped, checked, applied."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, nullcontext

import torch
from torch.nn.utils import clip_grad_norm_

from course_utils.training.batches import to_device
from course_utils.training.interrupts import PoliteStop
from course_utils.training.losses import Loss
from course_utils.training.parallel.distributed import current_world, exchange, summed
from course_utils.training.parallel.engine import Engine
from course_utils.training.resume.run_state import RunState
from course_utils.training.schedules import Schedule


class Diverged(ArithmeticError):
    """The loss or a gradient is no longer a number."""


class TrainingStep:
    """Take one step of a run each time it is called."""

    def __init__(
        self,
        run: RunState,
        engine: Engine,
        *,
        schedule: Schedule,
        clip: float,
        accumulate: int,
        device: torch.device,
        bf16: bool | None,
    ):
        self.run, self.engine = run, engine
        self.schedule, self.clip, self.accumulate = schedule, clip, accumulate
        self.device, self.autocast = device, autocast(device, bf16)
        self.processes = current_world().size
        self.alone = accumulate == 1 and self.processes == 1
        self.parameters = [p for group in run.optimizer.param_groups for p in group["params"]]
        for group in run.optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])

    def __call__(self, interrupt: PoliteStop) -> dict[str, float]:
        """Return the step's numbers; `stop` counts the processes that were asked to stop."""
        rate = self._set_rate(len(self.run.history))
        self.run.optimizer.zero_grad()
        loss, targets, stop = self._gradients(interrupt)
        norm = clip_grad_norm_(self.parameters, self.clip).item()
        if not math.isfinite(loss) or not math.isfinite(norm):
            raise Diverged(_what_to_try(len(self.run.history) + 1, loss, norm, rate, self.clip))
        self.run.optimizer.step()
        return {"loss": loss, "targets": targets, "stop": stop, "grad_norm": norm, "lr": rate}

    def _set_rate(self, number: int) -> float:
        factor = self.schedule(number)
        for group in self.run.optimizer.param_groups:
            group["lr"] = group["initial_lr"] * factor
        rate: float = self.run.optimizer.param_groups[0]["lr"]
        return rate

    def _gradients(self, interrupt: PoliteStop) -> tuple[float, float, float]:
        """Leave in every parameter the gradient of the mean loss over all targets of the step."""
        if self.alone:
            part = self._part()
            part.mean.backward()
            return part.mean.item(), part.targets, float(interrupt.wanted)
        totals = torch.zeros(3, device=self.device)
        for left in reversed(range(self.accumulate)):
            with self.engine.exchanging(now=left == 0), exchange():
                part = self._part()
                weighted = part.mean * part.targets
                weighted.backward()
            totals[0] += weighted.detach()
            totals[1] += part.targets
        totals[2] += interrupt.wanted
        loss, targets, stop = summed(totals).tolist()
        for parameter in self.parameters:
            if parameter.grad is not None:  # the processes' mean of what must be their sum
                parameter.grad.div_(targets / self.processes)
        return loss / targets, targets, stop

    def _part(self) -> Loss:
        batch = to_device(self.run.source.next(), self.device)
        with self.autocast:
            part = self.engine.loss(self.run.loss, batch)
        return part if isinstance(part, Loss) else Loss(part)


def autocast(device: torch.device, bf16: bool | None) -> AbstractContextManager[None]:
    """Return the context that computes in bfloat16: by default on GPUs that have it."""
    if bf16 is None:
        bf16 = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.autocast(device.type, torch.bfloat16) if bf16 else nullcontext()


def _what_to_try(number: int, loss: float, norm: float, rate: float, clip: float) -> str:
    return (
        f"step {number} gave loss {loss:g} and gradient norm {norm:g} (learning rate {rate:g}, "
        f"clip {clip:g}). The weights are as they were before it. Try a learning rate of "
        f"{rate / 3:.1g}, a smaller clip, schedules.warmup_cosine for the first steps, or look "
        "for NaN in this step's batch"
    )
