"""The models that come with the course, read without the code that made them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from safetensors.torch import load as tensors_from_bytes
from torch import Tensor

from course_utils.models.elmo.options import Options

FOLDER = Path(__file__).parents[2] / "checkpoints"
NAMES = {"small": "course_elmo"}
ENCODER = "bilm."


def read_pretrained(name: str) -> tuple[Options, list[str], dict[str, Tensor]]:
    """Return sizes, the words of the softmax and all weights in float32; verified first."""
    if name not in NAMES:
        raise ValueError(
            f"no ELMo called {name!r} comes with the course, only {', '.join(map(repr, NAMES))}; "
            "for the published models use BiLM.from_official(options, weights)"
        )
    path = FOLDER / f"{NAMES[name]}.safetensors"
    card = path.with_suffix(".json")
    if not path.is_file() or not card.is_file():
        raise FileNotFoundError(
            f"{path.name} and its card are not in {path.parent}: install the course again, "
            f"or make them with `course train {NAMES[name]} --out {path.parent}`"
        )
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != json.loads(card.read_text())["sha256"]:
        raise ValueError(
            f"{path} is not the file that its card names: get it again, "
            f"or make it with `course train {NAMES[name]} --out {path.parent}`"
        )
    length = int.from_bytes(content[:8], "little")
    keep = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["keep"])
    weights = {key: value.float() for key, value in tensors_from_bytes(content).items()}
    return Options.from_json(keep["options"]), keep["words"], weights
