"""Take the tensors out of nested state, so that the rest can be written as JSON."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import torch

Tree = Any  # None, bool, int, float, str, a tensor, or a dict, list or tuple of trees


def split(tree: Tree) -> tuple[object, dict[str, torch.Tensor]]:
    """Return a JSON-ready copy of the tree and its tensors by name; shared tensors stay shared."""
    tensors: dict[str, torch.Tensor] = {}
    names: dict[Hashable, str] = {}

    def plain(node: Tree) -> object:
        if node is None or isinstance(node, bool | int | float | str):
            return node
        if isinstance(node, torch.Tensor):
            same = (node.data_ptr(), node.shape, node.stride(), node.dtype)
            key: Hashable = (
                same if node.numel() else id(node)
            )  # empty tensors all live at address 0
            if key not in names:
                names[key] = str(len(tensors))
                tensors[names[key]] = node.detach().to("cpu", copy=True).contiguous()
            return {"tensor": names[key]}
        if isinstance(node, dict):
            return {"dict": [[plain(key), plain(value)] for key, value in node.items()]}
        if isinstance(node, list | tuple):
            kind = "list" if isinstance(node, list) else "tuple"
            return {kind: [plain(child) for child in node]}
        raise TypeError(
            f"a checkpoint holds numbers, strings, tensors, and dicts, lists and tuples of them, "
            f"not {type(node).__name__}: let its state_dict() return one of those"
        )

    return plain(tree), tensors


def join(node: object, tensors: dict[str, torch.Tensor]) -> Tree:
    """Return the tree that `split` took apart."""
    if isinstance(node, dict):
        ((kind, content),) = node.items()
        if kind == "tensor":
            return tensors[content]
        if kind == "dict":
            return {join(key, tensors): join(value, tensors) for key, value in content}
        children = [join(child, tensors) for child in content]
        return {"list": list, "tuple": tuple}[kind](children)
    return node
