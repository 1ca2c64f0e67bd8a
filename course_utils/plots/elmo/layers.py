"""How alike the tokens of a sentence are in one layer: a square of cosines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from course_utils.plots.elmo.contextual import layer_name
from course_utils.plots.glyphs import drawable, readable
from course_utils.plots.style import (
    FONT_SIZE,
    INK,
    SEQUENCE,
    add_headline,
    new_figure,
    style_axes,
)

MOST_TOKENS = 12
LETTERS = 10  # of a token


class LayerView(NamedTuple):
    """The cosine of every two tokens of a sentence in one layer, and the chosen token."""

    tokens: Sequence[str]
    cosines: np.ndarray  # (T, T)
    layer: int
    at: int
    note: str = ""


class LayerDrawing:
    """One square per pair of tokens, the row of the chosen one framed, its nearest named."""

    def __init__(self) -> None:
        self.figure = new_figure(width=7.4, height=4.0)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.grid(False)
        for spine in ax.spines.values():
            spine.set_visible(False)
        N = MOST_TOKENS
        self.image = ax.imshow(np.full((N, N), np.nan), vmin=-0.2, vmax=1, cmap=SEQUENCE,
                               aspect="auto", interpolation="none",
                               extent=(-0.5, N - 0.5, N - 0.5, -0.5))  # fmt: skip
        ax.set(xlim=(-0.5, N - 0.5), ylim=(N - 0.5, -0.5), xticks=[])
        ax.set_yticks(range(N), ["x" * LETTERS] * N)  # which reserves their room
        for label in ax.get_yticklabels():
            label.set_alpha(0)
        ax.tick_params(length=0)
        ax.set_xlabel(" \n \n ", size=FONT_SIZE)
        scale = self.figure.colorbar(self.image, ax=ax, shrink=0.7, ticks=(0, 0.5, 1))
        scale.set_label("cosine", size=FONT_SIZE)
        scale.ax.tick_params(labelsize=FONT_SIZE)
        scale.outline.set_visible(False)
        text: dict[str, Any] = {"size": FONT_SIZE, "color": INK}
        self.rows = [ax.text(-0.7, n, "", ha="right", va="center", **text) for n in range(N)]
        self.columns = [
            ax.text(n, N - 0.3, "", ha="right", va="top", rotation=40, rotation_mode="anchor",
                    **text)
            for n in range(N)
        ]  # fmt: skip
        self.values = [
            ax.text(n, 0, "", ha="center", va="center", size=FONT_SIZE - 1) for n in range(N)
        ]
        (self.frame,) = ax.plot([], [], color="#e00000", linewidth=2.5)
        self.headline = add_headline(ax)
        self.moving = (
            self.image, *self.rows, *self.columns, *self.values, self.frame, self.headline,
        )  # fmt: skip

    def show(self, view: LayerView) -> str:
        """Show one layer of one sentence."""
        T, N = len(view.tokens), MOST_TOKENS
        whole = np.full((N, N), np.nan)
        whole[:T, :T] = view.cosines
        self.image.set_data(whole)
        for n in range(N):
            name = drawable(view.tokens[n], LETTERS) if n < T else ""
            self.rows[n].set_text(name)
            self.columns[n].set(text=name, y=T - 0.3)
            value = view.cosines[view.at, n] if n < T else np.nan
            self.values[n].set(text=f"{value:.2f}" if n < T else "", y=view.at)
            self.values[n].set_color("white" if n < T and value > 0.5 else INK)
        left, right, top, low = -0.5, T - 0.5, view.at - 0.5, view.at + 0.5
        self.frame.set_data([left, right, right, left, left], [top, top, low, low, top])
        self.headline.set_text(drawable(_headline(view), 70))
        return layer_in_words(view)


def nearest_to(view: LayerView) -> int | None:
    """Return which other token is most like the chosen one."""
    others = [n for n in range(len(view.tokens)) if n != view.at]
    return max(others, key=lambda n: view.cosines[view.at, n], default=None)


def _headline(view: LayerView) -> str:
    other = nearest_to(view)
    token = readable(view.tokens[view.at])
    if other is None:
        return f"{layer_name(view.layer)}: {token} is alone"
    return f"{layer_name(view.layer)}: {token} is most like {readable(view.tokens[other])}"


def layer_in_words(view: LayerView) -> str:
    """Return what the chosen token is most like, and how alike two tokens are on average."""
    T = len(view.tokens)
    pairs = view.cosines[~np.eye(T, dtype=bool)]
    mean = f" Two tokens have cosine {pairs.mean():.2f} on average." if T > 1 else ""
    note = f" {view.note}" if view.note else ""
    return f"In {_headline(view)}.{mean}{note}"
