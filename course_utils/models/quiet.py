"""Ask a model something without changing it: no gradients, no dropout, and its modes restored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def quiet(model: object) -> Iterator[None]:
    """Switch off gradients and put every submodule in eval mode; restore each mode afterwards."""
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
