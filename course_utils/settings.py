"""Choose the seed, the number type, the device and the threads once, for every lecture.

Constants that models and data share, without importing each other, live here too.
"""

from __future__ import annotations

import os
import random
from numbers import Integral
from typing import NamedTuple

import torch

SEED = 20
IGNORED = -100  # the target that torch's cross_entropy leaves out
UNKNOWN = "<unk>"  # the token for a word that is not in the vocabulary
MAX_THREADS = 4  # recurrent steps are small: beyond this, extra threads slow them down


class Settings(NamedTuple):
    """What one call of `setup` decided."""

    seed: int
    device: torch.device
    dtype: torch.dtype
    threads: int

    def __str__(self) -> str:
        dtype = str(self.dtype).removeprefix("torch.")
        threads = "1 CPU thread" if self.threads == 1 else f"{self.threads} CPU threads"
        return f"seed {self.seed}, {dtype} on {self.device}, {threads}"


def setup(
    seed: int = SEED,
    device: str | torch.device | None = None,
    dtype: torch.dtype = torch.float32,
    threads: int | None = None,
) -> Settings:
    """Seed every generator, choose a device, set PyTorch's threads; print and return the choice."""
    if not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise TypeError(f"dtype is {dtype!r}: pass torch.float32 or torch.float64")
    threads = default_threads() if threads is None else threads
    if not (isinstance(threads, Integral) and threads >= 1):
        raise ValueError(f"threads is {threads!r}: pass a whole number from 1, or leave it out")
    chosen = Settings(seed, choose_device(device), dtype, int(threads))
    seed_everything(chosen.seed)
    torch.set_num_threads(chosen.threads)
    torch.set_default_dtype(chosen.dtype)
    print(chosen)
    return chosen


def choose_device(wanted: str | torch.device | None = None) -> torch.device:
    """Return the wanted device, or the best one here: CUDA, then Apple's MPS, then the CPU.

    The environment variable COURSE_DEVICE stands in for `wanted`.
    """
    wanted = wanted or os.environ.get("COURSE_DEVICE")
    if wanted is None:
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    try:
        device = torch.device(wanted)
    except RuntimeError as error:
        raise ValueError(f"no device is called {wanted!r}: use 'cpu', 'cuda' or 'mps'") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError("this PyTorch sees no CUDA device: use device='cpu', or leave it out")
    if device.type == "mps" and not torch.backends.mps.is_available():
        raise ValueError("this PyTorch sees no Apple GPU: use device='cpu', or leave it out")
    return device


def default_threads() -> int:
    """Return how many CPU threads to use; OMP_NUM_THREADS may ask for fewer than there are."""
    asked, usable = os.environ.get("OMP_NUM_THREADS", ""), usable_threads()
    return min(int(asked), usable) if asked.isdigit() and int(asked) > 0 else usable


def usable_threads() -> int:
    """Return how many threads this process may run on, at most MAX_THREADS."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MAX_THREADS)
    return min(os.cpu_count() or 1, MAX_THREADS)


def seed_everything(seed: int = SEED) -> None:
    """Seed Python's, NumPy's and PyTorch's global generators."""
    import numpy as np

    if not (isinstance(seed, Integral) and 0 <= seed < 2**63):
        raise ValueError(f"the seed is {seed!r}: pass a whole number from 0 to 2**63 - 1")
    seed = int(seed)  # Python's generator does not accept NumPy's integers
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002 - libraries that the lectures call still draw from it
    torch.manual_seed(seed)
