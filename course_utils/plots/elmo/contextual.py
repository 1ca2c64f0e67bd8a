"""How much of each layer a task takes, and what the layers are called in every picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from course_utils.plots.glyphs import drawable
from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    GREEN,
    ORANGE,
    PAPER,
    PURPLE,
    RED,
    SKY,
    add_legend,
    new_axes,
)

LAYER_LOOKS = ((SKY, ""), (ORANGE, "//"), (PURPLE, "xx"), (GREEN, ".."), (RED, "\\\\"))


def plot_mix_weights(mix: Any, ax: Axes | None = None) -> Plot:
    """Draw each layer's share, one bar per mix; fields names, weights (mixes, L + 1), gammas."""
    ax = ax or new_axes(height=1.2 + 0.6 * len(mix.names))
    ax.grid(False, axis="y")
    left = np.zeros(len(mix.names))
    for level, share in enumerate(mix.weights.T):
        colour, hatch = LAYER_LOOKS[level % len(LAYER_LOOKS)]
        ax.barh(
            range(len(left)), share, left=left, color=colour, hatch=hatch, edgecolor=PAPER,
            label=layer_name(level),
        )  # fmt: skip
        left = left + share
    names = [
        f"{drawable(name, 40)} (γ = {g:.2f})" for name, g in zip(mix.names, mix.gammas, strict=True)
    ]
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="share of each layer")
    add_legend(ax, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=mix.weights.shape[1])
    parts = [
        f"{name}: " + ", ".join(f"{layer_name(k)} {s:.0%}" for k, s in enumerate(shares))
        for name, shares in zip(mix.names, mix.weights, strict=True)
    ]
    return Plot(figure_of(ax), "Shares of the layers. " + "; ".join(parts) + ".")


def layer_name(level: int) -> str:
    """Return the name of a layer in every picture."""
    return "characters" if level == 0 else f"layer {level}"
