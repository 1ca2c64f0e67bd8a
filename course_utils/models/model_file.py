"""A trained model as two files: weights that anybody can verify, and a card that says what it is.

NAME.safetensors holds the weights and, as JSON in its header, what must be kept with them to build
the model without its data, such as the words it knows. NAME.json, the card, names the kind of
model, its sizes, how it was made, what it reached, and the sha256 of the weights.
"""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as bytes_from_tensors
from torch import Tensor

from course_utils.files import plain_name


class ModelFileError(ValueError):
    """A trained model is not there, or must not be trusted."""


class ModelFile(NamedTuple):
    """What was read, after it was verified."""

    path: Path
    card: dict[str, Any]
    keep: dict[str, Any]
    weights: dict[str, Tensor]  # in the default number type


def shipped_folder() -> Path:
    """Return where the models that come with the course are."""
    return Path(str(files("course_utils"))) / "checkpoints"


def shipped_cards() -> dict[str, dict[str, Any]]:
    """Return the card of every model that comes with the course, by name."""
    weights = sorted(shipped_folder().glob("*.safetensors"))
    return {path.stem: read_card(path.stem) for path in weights}


def read_card(name: str, folder: str | Path | None = None) -> dict[str, Any]:
    """Return the card of a trained model."""
    path = _place(name, folder).with_suffix(".json")
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(card, dict) or not isinstance(card.get("config"), dict):
            raise ValueError("it does not say with which config it was made")
        return card
    except FileNotFoundError as error:
        raise ModelFileError(
            f"there is no trained model {path.stem} in {path.parent}: make it with "
            f"`course train {path.stem}`"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ModelFileError(
            f"{path} is no card of a model ({error}): {_get_again(path)}"
        ) from error


def read_model(name: str, folder: str | Path | None = None) -> ModelFile:
    """Return a trained model's parts, once its bytes are those that its card names."""
    card, path = read_card(name, folder), _place(name, folder)
    content = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(content).hexdigest() != card.get("sha256"):
        raise ModelFileError(f"{path} is not the file that its card names: {_get_again(path)}")
    length = int.from_bytes(content[:8], "little")
    keep = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["keep"])
    dtype = torch.get_default_dtype()
    weights = {key: value.to(dtype) for key, value in tensors_from_bytes(content).items()}
    return ModelFile(path, card, keep, weights)


def model_bytes(weights: dict[str, Tensor], keep: dict[str, Any], dtype: torch.dtype) -> bytes:
    """Return the content of a weights file; its sha256 belongs on the card."""
    stored = {key: value.detach().to("cpu", dtype, copy=True).contiguous()
              for key, value in weights.items()}  # fmt: skip
    return bytes_from_tensors(stored, {"keep": json.dumps(keep)})


def put_in(model: torch.nn.Module, found: ModelFile) -> None:
    """Give a bare model the weights that were read; refuse those of another."""
    tied = {key: first for key, first in tied_names(model).items() if first in found.weights}
    weights = {key: found.weights[first] for key, first in tied.items()} | found.weights
    if wrong := misfit(model, weights):
        raise ModelFileError(
            f"{found.path} holds another model's weights than its card says:\n{wrong}"
        )
    model.load_state_dict(weights)


def tied_names(model: torch.nn.Module) -> dict[str, str]:
    """Return the later names of every tensor that has several, each with the first: stored once."""
    first: dict[int, str] = {}
    tied = {}
    for key, value in model.state_dict(keep_vars=True).items():
        if first.setdefault(id(value), key) != key:
            tied[key] = first[id(value)]
    return tied


def misfit(model: torch.nn.Module, weights: dict[str, Tensor]) -> str:
    """Return where weights are not this model's, line by line; nothing when they are."""
    own = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    saved = {name: tuple(value.shape) for name, value in weights.items()}
    lines = [
        f"  {name}: saved {saved.get(name, 'not at all')}, here {own.get(name, 'not at all')}"
        for name in dict.fromkeys([*own, *saved])
        if own.get(name) != saved.get(name)
    ]
    return "\n".join(lines[:8])


def _get_again(path: Path) -> str:
    return f"get it again, or make it with `course train {path.stem} --out {path.parent}`"


def _place(name: str, folder: str | Path | None) -> Path:
    """Return the path of the weights; a name is written with - or with _."""
    return Path(folder or shipped_folder()) / f"{plain_name(name)}.safetensors"
