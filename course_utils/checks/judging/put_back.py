"""Run somebody else's code and put back what it may have changed for whatever runs later."""

from __future__ import annotations

import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.overrides import _get_current_function_mode_stack, _pop_mode, _push_mode
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils._python_dispatch import _pop_mode as _pop_dispatch_mode


@contextmanager
def put_back() -> Iterator[None]:
    """Leave random numbers, dtypes, devices, threads, modes, limits, filters, folder unchanged.

    The default device is one of torch's function modes, so it comes back with them.
    """
    restore = _now()
    modes, deeper = _get_current_function_mode_stack(), len(_get_current_dispatch_mode_stack())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of others' deprecations, and where they are errors
            yield
    finally:
        while len(_get_current_dispatch_mode_stack()) > deeper:
            _pop_dispatch_mode()
        while _get_current_function_mode_stack():
            _pop_mode()
        for step in restore:
            step()
        for mode in modes:
            _push_mode(mode)


def _now() -> list[Any]:
    """Return calls that restore the present state."""
    return [
        partial(random.setstate, random.getstate()),
        partial(np.random.set_state, np.random.get_state()),  # noqa: NPY002  # what lectures use
        partial(np.seterr, **np.geterr()),
        partial(torch.random.set_rng_state, torch.random.get_rng_state()),
        partial(torch.set_default_dtype, torch.get_default_dtype()),
        partial(_set_threads, torch.get_num_threads()),
        partial(torch.set_grad_enabled, torch.is_grad_enabled()),
        partial(torch.autograd.set_detect_anomaly, torch.is_anomaly_enabled()),
        partial(_set_deterministic, *_deterministic()),
        partial(sys.setrecursionlimit, sys.getrecursionlimit()),
        partial(_go_to, os.getcwd()),
    ]


def _deterministic() -> tuple[bool, bool]:
    warns = torch.is_deterministic_algorithms_warn_only_enabled()
    return torch.are_deterministic_algorithms_enabled(), warns


def _set_deterministic(on: bool, warn_only: bool) -> None:
    if _deterministic() != (on, warn_only):  # setting it imports a compiler, which takes seconds
        torch.use_deterministic_algorithms(on, warn_only=warn_only)


def _set_threads(count: int) -> None:
    if torch.get_num_threads() != count:  # setting them is slow
        torch.set_num_threads(count)


def _go_to(folder: str) -> None:
    with suppress(FileNotFoundError):  # the answer may have deleted it: there is no way back
        os.chdir(folder)
