"""How the processes of a run share the work: one alone, or copies that exchange their gradients."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils.models.quiet import quiet
from course_utils.training.losses import Loss, LossOf
from course_utils.training.parallel.distributed import current_world, exchange

Answer = TypeVar("Answer")


class Acting(nn.Module):
    """A model whose forward is whatever is done with it.

    PyTorch's engines watch `forward` only, while a loss calls a model's methods, reads its weights
    and carries its states: so the whole loss runs inside this forward.
    """

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, act: Callable[..., Answer], *arguments: object) -> Answer:
        """Return what `act` makes of the model."""
        return act(self.model, *arguments)


class Engine:
    """One process: nothing is exchanged."""

    def __init__(self, model: nn.Module, device: torch.device):
        self.model = model.to(device)

    def loss(self, loss: LossOf, batch: object) -> Loss | torch.Tensor:
        """Return the loss of this process's rows."""
        return loss(self.model, batch)

    def exchanging(self, now: bool) -> AbstractContextManager[None]:
        """Exchange the gradients of what is computed inside now, or with a later batch's."""
        return nullcontext()

    def ask(self, question: Callable[[object], Answer]) -> Answer | None:
        """Ask the model something between steps; all processes must call, the chief gets it."""
        if not current_world().is_chief:
            return None
        with quiet(self.model):
            return question(self.model)


class Replicated(Engine):
    """Every process holds the whole model; gradients are averaged while backward still runs."""

    def __init__(self, model: nn.Module, device: torch.device):
        super().__init__(model, device)
        # a batch may leave a part of the model unused; when it does not, PyTorch warns
        warnings.filterwarnings("ignore", "find_unused_parameters=True was specified")
        with exchange():
            self.copies = DistributedDataParallel(
                Acting(self.model), find_unused_parameters=True, gradient_as_bucket_view=True
            )

    def loss(self, loss: LossOf, batch: object) -> Loss | torch.Tensor:
        """Return the loss of this process's rows."""
        found: Loss | torch.Tensor = self.copies(on_batch, loss, batch)
        return found

    def exchanging(self, now: bool) -> AbstractContextManager[None]:
        """Exchange the gradients of what is computed inside now, or with a later batch's."""
        return nullcontext() if now else self.copies.no_sync()


def engine_for(model: nn.Module | Engine, device: torch.device) -> Engine:
    """Return the model's engine, or the one that suits the number of processes."""
    if isinstance(model, Engine):
        return model
    return (Replicated if current_world().size > 1 else Engine)(model, device)


def on_batch(model: nn.Module, loss: LossOf, batch: object) -> Loss | torch.Tensor:
    """Return a model's loss: what acts on it while it is trained."""
    return loss(model, batch)
