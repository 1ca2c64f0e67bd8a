"""Ask a model something without teaching it: no gradients, no dropout, and as it was afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def quiet(model: object) -> Iterator[None]:
    """Switch gradients off and every part of a module to eval; each part is put back as it was."""
    parts = model.modules() if isinstance(model, nn.Module) else ()
    training = [part for part in parts if part.training]
    for part in training:
        part.training = False
    try:
        with torch.no_grad():
            yield
    finally:
        for part in training:
            part.training = True
