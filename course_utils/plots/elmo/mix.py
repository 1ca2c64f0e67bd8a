"""Weights of layers, and the vector that they make."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.lines import Line2D

from course_utils.numbers import share
from course_utils.plots.elmo.contextual import LAYER_LOOKS, layer_name
from course_utils.plots.glyphs import drawable, readable
from course_utils.plots.style import FAINT, FONT_SIZE, INK, add_headline, new_figure, style_axes

SHOWN = 12  # numbers of the vectors, half of them from each direction
LIMITS = (1.0, 2.0, 4.0, 8.0, 16.0)  # of the axis: it moves rarely
MARKS = ("o", "s", "D")


class MixView(NamedTuple):
    """The shares that three weights become, and the first numbers of the layers they mix."""

    word: str
    weights: np.ndarray  # (3,) w_j, before the softmax
    shares: np.ndarray  # (3,) s_j
    gamma: float
    layers: np.ndarray  # (3, SHOWN) forward, then backward
    cosines: np.ndarray  # (3,) of the whole mix with each whole layer
    note: str = ""

    @property
    def mixed(self) -> np.ndarray:
        """Return the first numbers of the mix, (SHOWN,)."""
        mixed: np.ndarray = self.gamma * self.shares @ self.layers
        return mixed


class MixDrawing:
    """At the left the shares as bars, at the right the layers' numbers and the mix of them."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.4, height=3.6)
        left, right = self.figure.subplots(1, 2, width_ratios=(2, 5))
        self.left, self.right = style_axes(left), style_axes(right)
        left.set(xlim=(-0.6, 2.6), ylim=(0, 1.12), ylabel="share $s_j$")
        left.set_xticks(range(3), ["$h_{k,0}$", "$h_{k,1}$", "$h_{k,2}$"], size=FONT_SIZE + 1)
        self.bars = left.bar(range(3), np.zeros(3), width=0.7)
        for bar, (colour, hatch) in zip(self.bars, LAYER_LOOKS, strict=False):
            bar.set(facecolor=colour, hatch=hatch, edgecolor="white")
        text = {"size": FONT_SIZE, "color": INK, "ha": "center", "va": "bottom"}
        self.texts = [left.text(n, 0, "", **text) for n in range(3)]
        right.axhline(0, color=INK, linewidth=1)
        right.set(
            xlim=(0.4, SHOWN + 0.6),
            ylim=(-4, 4),
            xlabel=f"{SHOWN // 2} numbers of the forward half, {SHOWN // 2} of the backward half",
        )
        right.axvline(SHOWN / 2 + 0.5, ymax=0.9, color=FAINT, linewidth=1)
        right.set_xticks([])
        places = np.arange(1, SHOWN + 1)
        self.marks = [
            right.plot(places, np.zeros(SHOWN), mark, color=colour, markersize=6, alpha=0.75)[0]
            for mark, (colour, _) in zip(MARKS, LAYER_LOOKS, strict=False)
        ]
        (self.line,) = right.plot(places, np.zeros(SHOWN), color=INK, linewidth=2.5)
        names: list[Line2D] = [*self.marks, self.line]
        right.legend(
            names, [*(layer_name(n) for n in range(3)), "ELMo"], ncols=4, loc="upper center",
            fontsize=FONT_SIZE - 1, frameon=False, borderaxespad=0, columnspacing=1,
            handletextpad=0.3,
        )  # fmt: skip
        self.headline = add_headline(left)
        self.moving = (*self.bars, *self.texts, *self.marks, self.line, self.headline)

    def show(self, view: MixView) -> str:
        """Show one mix."""
        most = max(np.abs(view.layers).max(), np.abs(view.mixed).max())
        limit = next((end for end in LIMITS if most < 0.8 * end), LIMITS[-1])
        self.right.set_ylim(-limit, limit)
        for bar, text, value in zip(self.bars, self.texts, view.shares, strict=True):
            bar.set_height(value)
            text.set(y=value + 0.02, text=f"{value:.2f}")
        for mark, layer in zip(self.marks, view.layers, strict=True):
            mark.set_ydata(layer)
        self.line.set_ydata(view.mixed)
        self.headline.set_text(drawable(_headline(view), 70))
        return mix_in_words(view)


def _headline(view: MixView) -> str:
    most = int(view.shares.argmax())
    if np.ptp(view.shares) < 0.01:
        return f"{readable(view.word)}: all layers equal, γ = {view.gamma:.1f}"
    share_ = share(view.shares[most])
    return f"{readable(view.word)}: {share_} of {layer_name(most)}, γ = {view.gamma:.1f}"


def mix_in_words(view: MixView) -> str:
    """Return the shares, and how like each layer the mix is."""
    parts = ", ".join(f"{layer_name(n)} {share(s)}" for n, s in enumerate(view.shares))
    alike = ", ".join(f"{c:.2f}" for c in view.cosines)
    note = f" {view.note}" if view.note else ""
    return (
        f"{_headline(view)}. The softmax turns the weights "
        f"{', '.join(f'{w:.1f}' for w in view.weights)} into the shares {parts}. The mix has "
        f"cosines {alike} with the layers.{note}"
    )
