"""Say values in the learner's words: as Python that can be typed, or as a kind of thing."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import torch

MOST_LETTERS = 200
MOST_NUMBERS = 40  # of an array that is written out


def written(value: object, most: int = MOST_NUMBERS) -> str:
    """Return a value as Python that a learner can type or follow by hand."""
    if isinstance(value, torch.Tensor | np.ndarray | np.generic):
        if np.prod(value.shape) > most:
            return kind_of(value)
        inside = written(value.tolist(), most)
        return f"tensor({inside})" if value.ndim and isinstance(value, torch.Tensor) else inside
    if isinstance(value, float):
        return number(value) if not value.is_integer() else f"{value:.1f}"
    if isinstance(value, dict):
        pairs = (f"{key!r}: {written(part, most)}" for key, part in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, tuple | list):
        inside = ", ".join(written(part, most) for part in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return shortened(repr(value))


def kind_of(value: object) -> str:
    """Return what kind of thing a value is, in the learner's words."""
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, bool | str):
        return shortened(repr(value))
    if isinstance(value, numbers.Number):
        return f"the number {shortened(repr(value))}"
    kind = shortened(str(type(value).__name__))
    article = "an" if kind[:1].lower() in "aeiou" else "a"
    size = f" of {len(value)}" if isinstance(value, tuple | list | dict | set) else ""
    return f"{article} {kind}{size}"


def number(value: Any) -> str:
    """Return a number with as many digits as a learner can follow by hand."""
    return f"{float(value):.4g}"


def shortened(text: object, most: int = MOST_LETTERS) -> str:
    """Return a text that is not too long to show."""
    said = text if isinstance(text, str) else repr(text)
    return said if len(said) <= most else said[:most] + "…"


def printable(text: str) -> str:
    """Return a text that a page can show, which a lone surrogate, half a character, is not."""
    return text.encode("utf-8", "replace").decode()
