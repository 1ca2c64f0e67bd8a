"""Which step hears from which loss."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_hex

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.bptt import gradient_norms_by_pair
from course_utils.explorers.gradients.networks import NOTHING, counted, inputs_of, network_with
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import packed, twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gradients.bptt import CEILING, FLOOR, NEAR, BpttDrawing, PairNorms

LONGEST = 60  # steps


def explore_bptt() -> Explorer:
    """Show where the loss of every step sends its gradient."""
    controls = {
        "radius": slider("spectral radius of U", 0.1, 2.0, 0.9, 0.05),
        "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
        "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
        "length": slider("steps", 5, LONGEST, 30, 5),
    }
    return Explorer(
        "Which step hears from which loss?",
        controls,
        pairs_of_a_random_network,
        BpttDrawing(),
        tabulate_pairs,
        twin=twin_of_chart("bptt", BpttDrawing, _equal_pairs, controls, _for_a_page),
    )


def _equal_pairs() -> list[PairNorms]:
    """Return pairs of two lengths, of which every part is seen."""
    return [PairNorms(np.ones((T, T))) for T in (5, LONGEST)]


def _for_a_page() -> dict[str, object]:
    network = network_with(1.0, "tanh", 1.0)
    colours = BpttDrawing().image.get_cmap()
    return {
        "U": packed(network.U),
        "W": packed(network.W),
        "inputs": packed(inputs_of(LONGEST)),
        "sequences": inputs_of(LONGEST).shape[1],
        "nothing": NOTHING,
        "colours": [to_hex(colours(n)) for n in range(colours.N)],
        "ends": [FLOOR, CEILING],
        "near": NEAR,
    }


def pairs_of_a_random_network(
    radius: float, activation: str, gain: float, length: int
) -> PairNorms:
    """Measure one network whose loss at every step is half the squared length of its state."""
    network = network_with(radius, activation, gain)
    norms = gradient_norms_by_pair(
        network, inputs_of(length), lambda states: states.square().sum(dim=-1) / 2
    )
    return PairNorms(counted(norms.mean(dim=-1)).numpy())


def tabulate_pairs(pairs: PairNorms) -> Table:
    """Return what the last loss sends to every step."""
    T = len(pairs.norms)
    rows = [(k, T - k, pairs.norms[-1, k - 1]) for k in range(T, 0, -1)]
    return Table(("step k", "lag", f"gradient of the loss of step {T}"), rows)
