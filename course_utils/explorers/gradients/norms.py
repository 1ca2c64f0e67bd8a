"""Gradient norm against lag."""

from __future__ import annotations

import torch

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.bptt import gradient_norms_by_lag
from course_utils.analysis.gradients.jacobians import jacobian_bound
from course_utils.explorers.gradients.networks import inputs_of, network_with
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gradients.norms import GradientNormDrawing, NormProfile


def explore_gradient_norms() -> Explorer:
    """Let the reader decide how far back a random network's gradient reaches."""
    return Explorer(
        "How far back does the gradient reach?",
        {
            "radius": slider("spectral radius of U", 0.1, 2.0, 0.9, 0.05),
            "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
            "kind": choice("recurrent matrix U", ["gaussian", "orthogonal"]),
            "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
            "length": slider("steps", 10, 200, 60, 10),
        },
        profile_of_a_random_network,
        GradientNormDrawing(),
        lambda p: Table(("lag", "gradient norm", "bound"), list(zip(*p, strict=True))),
    )


def profile_of_a_random_network(
    radius: float, activation: str, kind: str, gain: float, length: int
) -> NormProfile:
    """Measure one network on random inputs."""
    network = network_with(radius, activation, gain, kind)
    norms = gradient_norms_by_lag(network, inputs_of(length)).mean(dim=1)
    lags = torch.arange(length)
    bound = jacobian_bound(network.U, ACTIVATIONS[activation].max_slope, lags)
    return NormProfile(lags.numpy(), norms.numpy(), bound.numpy())
