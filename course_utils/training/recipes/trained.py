"""Trained models as files: weights that anybody can verify, and a card that says what they are."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as bytes_from_tensors

from course_utils.training.recipes.recipe import config_from, get_recipe
from course_utils.training.resume.checkpoints import CheckpointError, check_fits, write_whole


def shipped_folder() -> Path:
    """Return where the models that come with the course are."""
    return Path(str(files("course_utils"))) / "checkpoints"


def shipped_cards() -> dict[str, dict[str, Any]]:
    """Return the card of every model that comes with the course, by name."""
    weights = sorted(shipped_folder().glob("*.safetensors"))
    return {path.stem: read_card(path.stem) for path in weights}


def save_trained(
    folder: Path,
    card: dict[str, Any],
    model: torch.nn.Module,
    keep: dict[str, Any],
    dtype: torch.dtype = torch.float16,
) -> dict[str, Any]:
    """Write the weights and the card beside them; return the card, completed.

    The weights go first: a card without its weights would promise what is not there.
    """
    tied = tied_names(model)
    weights = {key: value.detach().to("cpu", dtype, copy=True).contiguous()
               for key, value in model.state_dict().items() if key not in tied}  # fmt: skip
    content = bytes_from_tensors(weights, {"keep": json.dumps(keep)})
    card = {**card, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    write_whole(folder / f"{card['recipe']}.safetensors", content)
    write_whole(folder / f"{card['recipe']}.json", (json.dumps(card, indent=2) + "\n").encode())
    return card


def read_card(name: str, folder: str | Path | None = None) -> dict[str, Any]:
    """Return the card of a trained model."""
    name = name.replace("-", "_")  # as its recipe writes it
    path = Path(folder or shipped_folder()) / f"{name}.json"
    try:
        return json.loads(path.read_text())
    except FileNotFoundError as error:
        raise CheckpointError(
            f"there is no trained model {name} in {path.parent}: make it with `course train {name}`"
        ) from error


def load_trained(name: str, folder: str | Path | None = None) -> torch.nn.Module:
    """Return a trained model, ready to use, once its bytes are those that its card names."""
    card = read_card(name, folder)
    path = Path(folder or shipped_folder()) / f"{card['recipe']}.safetensors"
    content = path.read_bytes() if path.exists() else b""
    if hashlib.sha256(content).hexdigest() != card["sha256"]:
        raise CheckpointError(
            f"{path} is not the file that its card names: get it again, or make it with "
            f"`course train {name}`"
        )
    recipe = get_recipe(card["recipe"])
    length = int.from_bytes(content[:8], "little")
    keep = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["keep"])
    model = recipe.model(config_from(recipe, card["config"]), keep)
    weights = {key: value.to(torch.get_default_dtype())
               for key, value in tensors_from_bytes(content).items()}  # fmt: skip
    for key, first in tied_names(model).items():
        if first in weights:
            weights.setdefault(key, weights[first])
    check_fits(model, weights, path)
    model.load_state_dict(weights)
    return model.eval()


def tied_names(model: torch.nn.Module) -> dict[str, str]:
    """Return the later names of every tensor that has several, each with the first: stored once."""
    first: dict[int, str] = {}
    tied = {}
    for key, value in model.state_dict(keep_vars=True).items():
        if first.setdefault(id(value), key) != key:
            tied[key] = first[id(value)]
    return tied
