"""The highway through the gates: one bias, three networks."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

import numpy as np
import torch

from course_utils.analysis.gates.highway import direct_path, state_gradient_norms
from course_utils.explorers.gradients.networks import NOTHING, counted
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import packed, twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.models import GRU, LSTM, Elman
from course_utils.models.starts import set_keep_bias
from course_utils.plots.gates.highway import CURVES, LIMITS, MOST_LAGS, Highway, HighwayDrawing
from course_utils.settings import SEED

Network = TypeVar("Network", Elman, GRU, LSTM)
UNITS, INPUTS, SEQUENCES = 32, 16, 2


def explore_highway() -> Explorer:
    """Let the reader open the gates that keep, and see how far back the gradient reaches."""
    controls = {
        "keep_bias": slider("bias of f, and of z", -2.0, 6.0, 0.0, 0.25),
        "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
        "length": slider("steps", 20, MOST_LAGS, 100, 20),
    }
    return Explorer(
        "What does the bias of the keeping gate do to the gradient?",
        controls,
        highway_of_random_networks,
        HighwayDrawing(),
        lambda h: Table(("lag", *CURVES.values()), list(zip(*h, strict=True))),
        twin=twin_of_chart("highway", HighwayDrawing, _flat_curves, controls, _for_a_page),
    )


def highway_of_random_networks(keep_bias: float, gain: float, length: int) -> Highway:
    """Measure the three networks as PyTorch initialises them, except for the one bias."""
    x = gain * _inputs(length)
    bias = round(keep_bias, 4)
    lstm_layer = _network(LSTM, bias)
    networks = (_network(Elman, bias), _network(GRU, bias), lstm_layer)
    norms = (state_gradient_norms(network, x).mean(dim=1) for network in networks)
    elman, gru, lstm = (counted(norm).numpy() for norm in norms)
    (step,) = lstm_layer.trace(x)
    path = direct_path(step.f)[:length].mean(dim=(1, 2)).numpy()
    return Highway(np.arange(length), elman, gru, lstm, path)


def _flat_curves() -> list[Highway]:
    """Return curves of two lengths, of which every part is seen."""
    return [Highway(np.arange(T), *(4 * [np.ones(T)])) for T in (20, MOST_LAGS)]


def _for_a_page() -> dict[str, object]:
    networks = {
        "tanh": _network(Elman, 0.0),
        "gru": _network(GRU, 0.0),
        "lstm": _network(LSTM, 0.0),
    }
    parts = {"W": "weight_ih_l0", "U": "weight_hh_l0", "b": "bias_ih_l0", "inner": "bias_hh_l0"}
    return {
        "networks": {
            kind: {name: packed(network.get_parameter(part)) for name, part in parts.items()}
            for kind, network in networks.items()
        },
        "inputs": packed(_inputs(MOST_LAGS)),
        "sizes": [UNITS, INPUTS, SEQUENCES],
        "nothing": NOTHING,
        "gap": HighwayDrawing().names.gap,
        "limits": np.log10(LIMITS).tolist(),
        "curves": list(CURVES.values()),
    }


@lru_cache(maxsize=128)
def _network(kind: type[Network], keep_bias: float) -> Network:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        layer = kind(INPUTS, UNITS, dtype=torch.float64).requires_grad_(False)
    if kind is not Elman:
        set_keep_bias(layer, keep_bias)
    return layer


@lru_cache(maxsize=16)
def _inputs(length: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(SEED)
    return torch.randn(length, SEQUENCES, INPUTS, generator=generator, dtype=torch.float64)
