"""Controls wired to analysis and pictures, one module per lecture.

A lecture imports `explore_*` from here; the module behind it is loaded when it is first asked for.
"""

from __future__ import annotations

import importlib

_HOMES = {
    "comparison": ("explore_conventions", "explore_race"),
    "start": ("explore_echo",),
    "gate_walk": ("explore_lstm_walk", "explore_gru_walk"),
    "gates": ("explore_graves", "explore_highway", "explore_latch"),
    "gradients": (
        "explore_bptt",
        "explore_cliff",
        "explore_gradient_norms",
        "explore_iterated_map",
    ),
    "language": ("explore_generation", "explore_unrolled"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str):
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
