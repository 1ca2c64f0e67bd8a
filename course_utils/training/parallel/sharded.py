"""Train a model that does not fit one device: every process keeps a share of each weight."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard

from course_utils.models.quiet import quiet
from course_utils.training.losses import Loss, LossOf
from course_utils.training.parallel.distributed import current_world, exchange, local_device
from course_utils.training.parallel.engine import Acting, Answer, Engine, on_batch

BLOCKS = (nn.RNNBase,)  # gathered one at a time, when they are called; all else at once


class Sharded(Engine):
    """PyTorch's FSDP2: weights are gathered where they are used, gradients and moments stay shared.

    Pass it to `fit` as the model, with an optimiser made of `model.parameters()` after this.
    """

    def __init__(self, model: nn.Module, device: torch.device):
        size = current_world().size
        if size == 1:
            raise ValueError("a model is sharded over several processes: start them with torchrun")
        self.model, self.shards = model, Acting(model)
        with exchange():
            mesh = init_device_mesh(local_device(device).type, (size,))
            for block in [part for part in model.modules() if isinstance(part, BLOCKS)]:
                fully_shard(block, mesh=mesh)
            fully_shard(self.shards, mesh=mesh)

    def loss(self, loss: LossOf, batch: Any) -> Loss | torch.Tensor:
        """Return the loss of this process's rows."""
        found: Loss | torch.Tensor = self.shards(on_batch, loss, batch)
        return found

    def exchanging(self, now: bool) -> AbstractContextManager[None]:
        """Exchange the gradients of what is computed inside now, or with a later batch's."""
        assert isinstance(self.shards, FSDPModule)  # fully_shard made it one
        self.shards.set_requires_gradient_sync(now)
        return nullcontext()

    def ask(self, question: Callable[[Any], Answer]) -> Answer:
        """Return the resting model's answer: all must compute it, for each holds a share."""
        with quiet(self.model):
            answer: Answer = self.shards(question)
        return answer
