"""A trained model as two files: weights that anybody can verify, and a card that describes them.

NAME.safetensors holds the weights and, as JSON in its header, what is needed to rebuild the model
without its data, such as the words it knows. NAME.json, the card, gives the kind of model, its
sizes, how it was made, the scores it reached, and the sha256 of the weights. Its last line is the
sha256 of everything above it, so a number that was changed is noticed.
"""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as bytes_from_tensors
from torch import Tensor

from course_utils.files import plain_name

SEAL = "card_sha256"


class ModelFileError(ValueError):
    """A trained model is missing, or must not be trusted."""


class ModelFile(NamedTuple):
    """What was read and verified."""

    path: Path
    card: dict[str, Any]
    keep: dict[str, Any]
    weights: dict[str, Tensor]  # in the default number type


def shipped_folder() -> Path:
    """Return the folder of the models that come with the course."""
    return Path(str(files("course_utils"))) / "checkpoints"


def shipped_cards() -> dict[str, dict[str, Any]]:
    """Return the card of every model that comes with the course, by name."""
    weights = sorted(shipped_folder().glob("*.safetensors"))
    return {path.stem: read_card(path.stem) for path in weights}


def read_card(name: str, folder: str | Path | None = None) -> dict[str, Any]:
    """Return the card of a trained model, once its seal shows that nobody has changed it."""
    path = _place(name, folder).with_suffix(".json")
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(card, dict) or not isinstance(card.get("config"), dict):
            raise ValueError("it does not say which config it was made with")
        if any(size != size for size in card["config"].values()):
            raise ValueError("its config holds NaN")
        needs_seal = SEAL in card or folder is None  # your older cards have none
        if needs_seal and card.get(SEAL) != sealed(card)[SEAL]:
            raise ValueError("it was changed after it was written")
        return card
    except FileNotFoundError as error:
        raise ModelFileError(
            f"there is no trained model {path.stem} in {path.parent}: make it with "
            f"`course train {path.stem}`"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ModelFileError(
            f"{path} is not a model's card ({error}): {_get_again(path)}"
        ) from error


def sealed(card: dict[str, Any]) -> dict[str, Any]:
    """Return a card with the sha256 of everything on it as its last entry."""
    said = {key: value for key, value in card.items() if key != SEAL}
    content = json.dumps(said, sort_keys=True).encode()
    return said | {SEAL: hashlib.sha256(content).hexdigest()}


def read_model(name: str, folder: str | Path | None = None) -> ModelFile:
    """Return a trained model's parts, once the sha256 of its bytes is the one on its card."""
    card, path = read_card(name, folder), _place(name, folder)
    content = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(content).hexdigest() != card.get("sha256"):
        raise ModelFileError(f"{path} is not the file that its card names: {_get_again(path)}")
    dtype = torch.get_default_dtype()
    try:
        length = int.from_bytes(content[:8], "little")
        keep = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["keep"])
        weights = {key: value.to(dtype) for key, value in tensors_from_bytes(content).items()}
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelFileError(
            f"{path} holds no trained model ({error!r}): {_get_again(path)}"
        ) from error
    return ModelFile(path, card, keep, weights)


def model_bytes(weights: dict[str, Tensor], keep: dict[str, Any], dtype: torch.dtype) -> bytes:
    """Return the content of a weights file; its sha256 belongs on the card."""
    stored = {key: value.detach().to("cpu", dtype, copy=True).contiguous()
              for key, value in weights.items()}  # fmt: skip
    return bytes_from_tensors(stored, {"keep": json.dumps(keep)})


def put_in(model: torch.nn.Module, found: ModelFile) -> None:
    """Load the weights that were read into a bare model; refuse another model's weights."""
    tied = {key: first for key, first in tied_names(model).items() if first in found.weights}
    weights = {key: found.weights[first] for key, first in tied.items()} | found.weights
    if wrong := misfit(model, weights):
        raise ModelFileError(
            f"{found.path} does not hold the weights of the model on its card:\n{wrong}"
        )
    model.load_state_dict(weights)


def tied_names(model: torch.nn.Module) -> dict[str, str]:
    """Return the extra names of every shared tensor, each with its first name: stored once."""
    first: dict[int, str] = {}
    tied = {}
    for key, value in model.state_dict(keep_vars=True).items():
        if first.setdefault(id(value), key) != key:
            tied[key] = first[id(value)]
    return tied


def misfit(model: torch.nn.Module, weights: dict[str, Tensor]) -> str:
    """Return how weights differ from this model's, line by line; nothing when they fit."""
    own = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    saved = {name: tuple(value.shape) for name, value in weights.items()}
    lines = [
        f"  {name}: saved {saved.get(name, 'not at all')}, here {own.get(name, 'not at all')}"
        for name in dict.fromkeys([*own, *saved])
        if own.get(name) != saved.get(name)
    ]
    return "\n".join(lines[:8])


def _get_again(path: Path) -> str:
    make = f"course train {path.stem} --out {path.parent}"
    return f"get it again, or move it away and make it with `{make}`"


def _place(name: str, folder: str | Path | None) -> Path:
    """Return the path of the weights; the name may use - or _."""
    return Path(folder or shipped_folder()) / f"{plain_name(name)}.safetensors"
