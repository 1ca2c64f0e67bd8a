"""What computes in the page itself, and the models that it reads, each as a script."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from course_utils.plots.scene.letters import FACES, letters_of

HERE = Path(__file__).parent
MODELS = HERE.parents[1] / "checkpoints"
SCRIPTS = (
    "numbers",
    "words",
    "shapes",
    "products",
    "cells",
    "models",
    "gate_cell",
    "gate_strip",
    "gate_equation",
    "gate_walk",
    "axes",
    "counting",
    "counters",
    "reading",
    "letters",
    "looks",
    "images",
    "elmo",
    "gap",
    "layers",
    "frame",
    "agreement",
    "coloured_text",
    "echo",
    "iterated_map",
    "decades",
    "norms",
    "bptt",
    "highway",
    "latch",
    "one_cell",
    "cliff",
    "graves",
    "unrolled",
    "sentence",
    "speakers",
    "next_words",
    "begin",  # the last one offers the others
)


def twins() -> bytes:
    """Return the script of all twins, which a page brings when one of them is touched."""
    letters = json.dumps({name: letters_of(**face) for name, face in FACES.items()})
    parts = [(HERE / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    parts.insert(0, f"window.course.letters = {letters};")
    return ('(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n").encode()


def model_script(name: str) -> bytes:
    """Return a model as it ships, in letters that a script can hold."""
    file = base64.b64encode((MODELS / f"{name}.safetensors").read_bytes()).decode()
    return f'course.model({json.dumps(name)},"{file}");\n'.encode()
