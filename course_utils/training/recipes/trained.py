"""Write trained models as files that `course_utils.shipped` reads."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import torch

from course_utils.models.model_file import model_bytes, sealed
from course_utils.training.resume.checkpoints import write_whole


def save_trained(
    folder: Path,
    card: dict[str, object],
    weights: dict[str, torch.Tensor],
    keep: dict[str, object],
    dtype: torch.dtype = torch.float16,
) -> dict[str, object]:
    """Write the weights and the card beside them; return the card, completed.

    The weights go first: a card without its weights would promise what is not there.
    """
    content = model_bytes(weights, keep, dtype)
    known = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    card = sealed(card | known)
    write_whole(folder / f"{card['recipe']}.safetensors", content)
    write_card(folder / f"{card['recipe']}.json", card)
    return card


def write_card(file: Path, card: dict[str, object]) -> None:
    """Write a card, whole and sealed."""
    write_whole(file, (json.dumps(sealed(card), indent=2) + "\n").encode())
