"""Write state whole or not at all, and read it back only if every byte is as it was written.

A checkpoint is a safetensors file: tensors as tensors, everything else as JSON in its header.
Nothing in it can run code. Its sha256 is in its own header and covers the whole file, computed
with zeros in place of the sha256.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as bytes_from_tensors

from course_utils import files
from course_utils.models.model_file import misfit

FORMAT = "recurrent-course checkpoint 1"
ZEROS = "0" * 64


class CheckpointError(ValueError):
    """A checkpoint cannot be written, or must not be trusted."""


class Refused(CheckpointError):
    """A run must not write here; all of its processes are told."""


def save_checkpoint(path: str | Path, state: Tree) -> None:
    """Put the state at `path`, replacing what was there only once all of it is on the disk."""
    plain, tensors = split(state)
    metadata = {"format": FORMAT, "sha256": ZEROS, "state": json.dumps(plain)}
    blank = bytes_from_tensors(tensors, metadata)
    digest = hashlib.sha256(blank).hexdigest()
    write_whole(path, blank.replace(_hash_field(ZEROS), _hash_field(digest), 1))


def load_checkpoint(path: str | Path) -> Tree:
    """Return the state at `path`; raise CheckpointError unless it is exactly what was saved."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"cannot read the checkpoint {path}: {error.strerror}") from error
    metadata = _metadata(path, content)
    written = metadata.get("sha256", "")
    blank = content.replace(_hash_field(written), _hash_field(ZEROS), 1)
    if hashlib.sha256(blank).hexdigest() != written:
        raise CheckpointError(_advice(path, "its bytes are not those that were saved"))
    try:
        return join(json.loads(metadata["state"]), tensors_from_bytes(content))
    except (SafetensorError, KeyError, ValueError, RecursionError) as error:
        raise CheckpointError(_advice(path, f"its content does not fit ({error})")) from error


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all; raise CheckpointError where that is impossible."""
    with _saying_where(path):
        files.write_whole(path, content)


def try_writing(path: str | Path) -> None:
    """Raise CheckpointError unless a file can be created next to `path`."""
    with _saying_where(path):
        files.try_writing(path)


@contextmanager
def _saying_where(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CheckpointError(
            f"cannot write {path}: {error.strerror}. What was saved there before is untouched: "
            "make room, or choose another folder"
        ) from error


def check_fits(model: torch.nn.Module, weights: dict[str, torch.Tensor], path: str | Path) -> None:
    """Raise CheckpointError when these weights are not this model's, and say where they differ."""
    if wrong := misfit(model, weights):
        raise CheckpointError(
            f"{path} holds another model's weights; "
            f"build the model with the sizes it was saved with:\n{wrong}"
        )


def _metadata(path: Path, content: bytes) -> dict[str, str]:
    try:
        length = int.from_bytes(content[:8], "little")
        metadata: dict[str, str] = json.loads(content[8 : 8 + length])["__metadata__"]
        form = metadata["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CheckpointError(_advice(path, "it is cut off, or no checkpoint at all")) from error
    if form != FORMAT:
        raise CheckpointError(f"{path} has the format {form!r}; this version reads {FORMAT!r}")
    return metadata


def _hash_field(digest: str) -> bytes:
    """Return the field as it stands in the header; quotes inside JSON strings are escaped."""
    return f'"sha256":"{digest}"'.encode()


def _advice(path: Path, problem: str) -> str:
    return f"{path} must not be used: {problem}. Delete it and resume from another, or start again"


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
