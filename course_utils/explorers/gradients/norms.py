"""Gradient norm against lag."""

from __future__ import annotations

import numpy as np
import torch

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.bptt import gradient_norms_by_lag
from course_utils.analysis.gradients.jacobians import jacobian_bound, spectral_norms
from course_utils.explorers.gradients.networks import NOTHING, counted, inputs_of, network_with
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.decades import decades_of
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import packed, twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gradients.norms import (
    GRAIN,
    HIGHEST,
    LOWEST,
    MOST_TICKS,
    GradientNormDrawing,
    NormProfile,
    set_decades,
)

KINDS = ["gaussian", "orthogonal"]
LONGEST = 200  # steps


def explore_gradient_norms() -> Explorer:
    """Let the reader decide how far back a random network's gradient reaches."""
    controls = {
        "radius": slider("spectral radius of U", 0.1, 2.0, 0.9, 0.05),
        "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
        "kind": choice("recurrent matrix U", KINDS),
        "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
        "length": slider("steps", 10, LONGEST, 60, 10),
    }
    return Explorer(
        "How far back does the gradient reach?",
        controls,
        profile_of_a_random_network,
        GradientNormDrawing(),
        lambda p: Table(("lag", "gradient norm", "bound"), list(zip(*p, strict=True))),
        twin=twin_of_chart("norms", GradientNormDrawing, _flat_profiles, controls, _for_a_page),
    )


def profile_of_a_random_network(
    radius: float, activation: str, kind: str, gain: float, length: int
) -> NormProfile:
    """Measure one network on random inputs."""
    network = network_with(radius, activation, gain, kind)
    norms = counted(gradient_norms_by_lag(network, inputs_of(length)).mean(dim=1))
    lags = torch.arange(length)
    bound = jacobian_bound(network.U, ACTIVATIONS[activation].max_slope, lags)
    return NormProfile(lags.numpy(), norms.numpy(), bound.numpy())


def _flat_profiles() -> list[NormProfile]:
    """Return profiles of two lengths whose axis of norms is the same."""
    return [NormProfile(np.arange(T), np.ones(T), np.ones(T)) for T in (LONGEST, 10)]


def _for_a_page() -> dict[str, object]:
    drawing = GradientNormDrawing()
    networks = {kind: network_with(1.0, "tanh", 1.0, kind) for kind in KINDS}
    return {
        "matrices": {kind: packed(network.U) for kind, network in networks.items()},
        "stretch": {kind: float(spectral_norms(network.U)) for kind, network in networks.items()},
        "slopes": {name: activation.max_slope for name, activation in ACTIVATIONS.items()},
        "W": packed(networks[KINDS[0]].W),
        "inputs": packed(inputs_of(LONGEST)),
        "sequences": inputs_of(LONGEST).shape[1],
        "nothing": NOTHING,
        "gap": drawing.names.gap,
        "mostTicks": MOST_TICKS,
        "ends": [LOWEST, HIGHEST],
        "grain": GRAIN,
        "decades": decades_of(
            drawing, lambda *ends: set_decades(drawing.ax, *ends), LOWEST, HIGHEST, GRAIN
        ),
    }
