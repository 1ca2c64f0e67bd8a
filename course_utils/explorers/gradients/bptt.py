"""Which step hears from which loss."""

from __future__ import annotations

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.bptt import gradient_norms_by_pair
from course_utils.explorers.gradients.networks import inputs_of, network_with
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gradients.bptt import BpttDrawing, PairNorms


def explore_bptt() -> Explorer:
    """Show where the loss of every step sends its gradient."""
    return Explorer(
        "Which step hears from which loss?",
        {
            "radius": slider("spectral radius of U", 0.1, 2.0, 0.9, 0.05),
            "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
            "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
            "length": slider("steps", 5, 60, 30, 5),
        },
        pairs_of_a_random_network,
        BpttDrawing(),
        tabulate_pairs,
    )


def pairs_of_a_random_network(
    radius: float, activation: str, gain: float, length: int
) -> PairNorms:
    """Measure one network whose loss at every step is half the squared length of its state."""
    network = network_with(radius, activation, gain)
    norms = gradient_norms_by_pair(
        network, inputs_of(length), lambda states: states.square().sum(dim=-1) / 2
    )
    return PairNorms(norms.mean(dim=-1).numpy())


def tabulate_pairs(pairs: PairNorms) -> Table:
    """Return what the last loss sends to every step."""
    T = len(pairs.norms)
    rows = [(k, T - k, pairs.norms[-1, k - 1]) for k in range(T, 0, -1)]
    return Table(("step k", "lag", f"gradient of the loss of step {T}"), rows)
