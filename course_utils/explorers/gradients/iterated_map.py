"""One step as a map, taken again and again."""

from __future__ import annotations

import torch

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.iterated_map import iterate_map
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gradients.iterated_map import IteratedMapDrawing, Maps


def explore_iterated_map() -> Explorer:
    """Show one step as a map, and what the same step does when it is taken again and again."""
    controls = {
        "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
        "weight": slider("weight w", -3.0, 3.0, 0.8, 0.1),
        "bias": slider("bias b", -2.0, 2.0, 0.0, 0.1),
        "depth": slider("depth: steps taken", 1, 50, 5, 1),
        "start": slider("the walk starts at", -2.0, 2.0, 1.5, 0.1),
    }
    return Explorer(
        "One map, taken again and again",
        controls,
        maps_of_a_unit,
        IteratedMapDrawing(),
        tabulate_maps,
        twin=twin_of_chart(
            "iterated_map",
            IteratedMapDrawing,
            lambda: (maps_of_a_unit("tanh", w, 0.0, 2, 1.5) for w in (0.5, 2.0)),
            controls,
            lambda: {"points": _starts().tolist()},
        ),
    )


def maps_of_a_unit(activation: str, weight: float, bias: float, depth: int, start: float) -> Maps:
    """Iterate h -> g(w h + b) over a line of starts, and once from the chosen start."""
    points = _starts()
    maps = iterate_map(points, weight, bias, depth, activation)
    walk = iterate_map(torch.tensor([start], dtype=torch.float64), weight, bias, depth, activation)
    return Maps(
        points.numpy(),
        maps.values[1].numpy(),
        maps.values[-1].numpy(),
        maps.slopes[-1].numpy(),
        walk.values[:, 0].numpy(),
    )


def _starts() -> torch.Tensor:
    return torch.arange(-200, 201, dtype=torch.float64) / 100  # with a 0 that is one


def tabulate_maps(maps: Maps) -> Table:
    """Return every tenth point of both maps."""
    columns = (maps.points, maps.one_step, maps.network, maps.slopes)
    headers = ("h_0", "after one step", "after all steps", "slope of all steps")
    return Table(headers, list(zip(*(column[::10] for column in columns), strict=True)))
