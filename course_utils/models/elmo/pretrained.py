"""The ELMo models that come with the course, by name."""

from __future__ import annotations

from torch import Tensor

from course_utils.models.elmo.options import Options
from course_utils.models.model_file import read_model

NAMES = {"small": "course_elmo"}
BILM = "bilm."  # how the biLM's weights begin among those of the language model


def read_pretrained(name: str) -> tuple[Options, list[str], dict[str, Tensor]]:
    """Return sizes, the words of the softmax and all weights; verified first."""
    if name not in NAMES:
        raise ValueError(
            f"no ELMo called {name!r} comes with the course, only {', '.join(map(repr, NAMES))}; "
            "for the published models use BiLM.from_official(options, weights)"
        )
    found = read_model(NAMES[name])
    return Options.from_json(found.keep["options"]), found.keep["words"], found.weights
