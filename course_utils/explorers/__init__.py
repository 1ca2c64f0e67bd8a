"""Controls wired to analysis and pictures, one module per explorer.

A lecture imports `explore_*` from here; the module behind it is loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "start": ("explore_echo",),
    "language.generation": ("explore_generation",),
    "language.sentence": ("explore_sentence",),
    "language.unrolled": ("explore_unrolled",),
    "gradients.norms": ("explore_gradient_norms",),
    "gradients.iterated_map": ("explore_iterated_map",),
    "gradients.bptt": ("explore_bptt",),
    "gradients.cliff": ("explore_cliff",),
    "gates.walk": ("explore_lstm_walk", "explore_gru_walk"),
    "gates.highway": ("explore_highway",),
    "gates.preservation": ("explore_graves",),
    "gates.latch": ("explore_latch",),
    "gru.conventions": ("explore_conventions",),
    "gru.race": ("explore_race",),
    "counting.cells": ("explore_counters",),
    "counting.reading": ("explore_reading",),
    "counting.precision": ("explore_precision",),
    "counting.gates": ("explore_gates",),
    "agreement.unit": ("explore_number_unit",),
    "agreement.ablation": ("explore_ablation",),
    "agreement.patch": ("explore_patch",),
    "agreement.luck": ("explore_unit_luck",),
    "characters.units": ("explore_units",),
    "characters.span": ("explore_span",),
    "characters.writing": ("explore_writing",),
    "characters.held": ("explore_held",),
    "tagging.tagger": ("explore_tagger",),
    "tagging.pooling": ("explore_pooling",),
    "tagging.results": ("explore_starts",),
    "elmo.walk": ("explore_elmo_walk",),
    "elmo.letters": ("explore_letters",),
    "elmo.layers": ("explore_layers",),
    "elmo.gap": ("explore_gap",),
    "elmo.mix": ("explore_mix",),
    "using_elmo.neighbours": ("explore_neighbours",),
    "using_elmo.board": ("explore_made_of",),
    "using_elmo.mix": ("explore_sense_mix",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
