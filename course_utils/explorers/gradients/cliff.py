"""Gradient descent at the edge of a cliff."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch

from course_utils.analysis.gradients.cliff import descend, loss_cliff
from course_utils.explorers.machinery.controls import log_slider, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gradients.cliff import CliffDrawing, Descent, Descents, Surface

CLIFF_STEPS = 50


def explore_cliff() -> Explorer:
    """Walk down the loss of a one-unit network, with and without clipping."""
    controls = {
        "threshold": log_slider("clip the norm at", -2, 2, -0.3),
        "learning_rate": log_slider("learning rate", -3, 0, -0.5),
        "w": slider("start: weight w", 3.0, 6.0, 4.9, 0.1),
        "b": slider("start: bias b", -3.0, -1.0, -2.1, 0.05),
        "updates": slider("updates", 5, 80, 40, 5),
    }
    return Explorer(
        "Gradient descent at the edge of a cliff",
        controls,
        walks_on_the_cliff,
        _drawing(),
        tabulate_walks,
        twin=twin_of_chart(
            "cliff",
            _drawing,
            lambda: (walks_on_the_cliff(0.5, 0.3, 4.9, -2.1, updates) for updates in (20, 40)),
            controls,
            lambda: {"gap": _drawing().names.gap, "steps": CLIFF_STEPS},
        ),
    )


def _drawing() -> CliffDrawing:
    return CliffDrawing(cliff_surface())


@lru_cache(maxsize=1)
def cliff_surface() -> Surface:
    """Return the loss over the part of the plane where the cliff lies."""
    w, b = np.linspace(3, 6, 240), np.linspace(-3, -1, 200)
    point = loss_cliff(torch.tensor(w)[None, :], torch.tensor(b)[:, None], steps=CLIFF_STEPS)
    return Surface(w, b, point.loss.numpy())


def walks_on_the_cliff(
    threshold: float, learning_rate: float, w: float, b: float, updates: int
) -> Descents:
    """Descend twice from the same start."""
    thresholds = torch.tensor([threshold, torch.inf])
    both = descend(w, b, learning_rate, updates, thresholds, steps=CLIFF_STEPS)
    return Descents(*(Descent(*(values[:, i].numpy() for values in both)) for i in (0, 1)))


def tabulate_walks(walks: Descents) -> Table:
    """Return both walks side by side."""
    c, f = walks
    headers = ("update", "w clipped", "b", "loss", "gradient", "w free", "b", "loss", "gradient")
    return Table(headers, list(zip(range(len(c.w)), *c, *f, strict=True)))
