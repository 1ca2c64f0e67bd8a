"""Put sharded state together to write it, and take a process's share of what was read.

Files hold whole tensors, so a run goes on with any number of processes, sharded or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

import torch

from course_utils.training.parallel.distributed import current_world, exchange, rebuilt

if TYPE_CHECKING:
    from torch.distributed.tensor import DTensor


def is_sharded(tensor: object) -> TypeGuard[DTensor]:
    """Return whether this process holds only a share (a DTensor, whose import is slow)."""
    return hasattr(tensor, "full_tensor")


def whole(tensor: torch.Tensor) -> torch.Tensor:
    """Return all of a tensor, on every process; every process must call this."""
    if not is_sharded(tensor):
        return tensor
    with exchange():
        everything: torch.Tensor = tensor.full_tensor().detach()
        return everything


def gathered(tree: Any) -> Any:
    """Return the tree with whole tensors, on the chief; every process must call this."""
    if isinstance(tree, dict):
        return {key: gathered(value) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return rebuilt(tree, [gathered(value) for value in tree])
    if not is_sharded(tree):
        return tree
    everything = whole(tree)
    return everything.cpu() if current_world().is_chief else None


def share_like(value: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Return the share of a whole tensor that a process holds of another."""
    if not is_sharded(like) or value.shape != like.shape:
        return value
    from torch.distributed.tensor import distribute_tensor

    return distribute_tensor(
        value.to(like.device), like.device_mesh, like.placements, src_data_rank=None
    )


def share_weights(
    model: torch.nn.Module, weights: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Return this process's share of whole weights, ready for `load_state_dict`."""
    own = model.state_dict()
    return {name: share_like(value, own[name]) for name, value in weights.items()}


def share_moments(optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> dict[str, Any]:
    """Return this process's share of an optimiser's whole state."""
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    shares = {
        number: {name: share_like(value, parameters[number])
                 if isinstance(value, torch.Tensor) else value
                 for name, value in moments.items()}
        for number, moments in state["state"].items()
    }  # fmt: skip
    return {**state, "state": shares}
