"""Save and restore every random generator that a run may draw from."""

from __future__ import annotations

import random
from typing import Any

import torch


def random_state() -> dict[str, object]:
    """Return the state of Python's, NumPy's and PyTorch's generators, and of the GPU in use."""
    import numpy as np  # loaded already by whoever draws from it; never needed for its arrays here

    own = np.random.get_state(legacy=False)  # noqa: NPY002 - settings seeds this generator too
    keys, place = own["state"]["key"], own["state"]["pos"]
    rest = (place, own["has_gauss"], own["gauss"])
    devices = {"cuda": torch.cuda.get_rng_state()} if torch.cuda.is_available() else {}
    if torch.backends.mps.is_available():
        devices["mps"] = torch.mps.get_rng_state()
    return {
        "python": random.getstate(),
        "numpy": (own["bit_generator"], torch.from_numpy(keys.astype("int64")), *rest),
        "torch": torch.get_rng_state(),
        "devices": devices,
    }


def restore_random_state(state: dict[str, Any]) -> None:
    """Set every generator to a saved state; devices that are gone, or new, keep their own."""
    import numpy as np

    random.setstate(state["python"])
    name, keys, *rest = state["numpy"]
    np.random.set_state((name, keys.numpy().astype("uint32"), *rest))  # noqa: NPY002
    torch.set_rng_state(state["torch"])
    saved = state["devices"]
    if "cuda" in saved and torch.cuda.is_available():
        torch.cuda.set_rng_state(saved["cuda"])
    if "mps" in saved and torch.backends.mps.is_available():
        torch.mps.set_rng_state(saved["mps"])
