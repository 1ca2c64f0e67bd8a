"""What is inside ELMo: layers of a sentence, mix weights, filters on letters, neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_utils.plots.glyphs import drawable
from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    BLUE,
    FAINT,
    FONT_SIZE,
    GREEN,
    INK,
    ORANGE,
    PAPER,
    PURPLE,
    RED,
    SEQUENCE,
    SKY,
    add_colour_bar,
    add_legend,
    new_axes,
    new_figure,
    style_axes,
)

LAYER_LOOKS = ((SKY, ""), (ORANGE, "//"), (PURPLE, "xx"), (GREEN, ".."), (RED, "\\\\"))
BESIDE: dict[str, Any] = {
    "va": "center",
    "color": INK,
    "fontsize": FONT_SIZE,
}  # text at the end of a bar
WIDEST = 11.0  # inches: what a page shows without shrinking it
LONGEST = 20  # letters of a word that are drawn
CONTEXT = 4  # words shown on either side of a neighbour


def plot_sentence_layers(layers, figure: Figure | None = None) -> Plot:
    """Draw tokens against tokens, one square a layer; fields tokens, similarities (L + 1, T, T)."""
    count, T = layers.similarities.shape[:2]
    size = min(FONT_SIZE - 1, 180 / T)  # points: labels side by side do not overlap
    labels = [drawable(token, LONGEST) for token in layers.tokens]
    longest = max(map(len, labels))
    figure = figure or new_figure(width=3.1 * count + 0.8, height=3.45 + 0.006 * size * longest)
    lowest = min(0.0, np.floor(10 * layers.similarities.min()) / 10)  # many are a little negative
    axes = figure.subplots(1, count, squeeze=False)[0]
    for level, (ax, similarity) in enumerate(zip(axes, layers.similarities, strict=True)):
        style_axes(ax).grid(False)
        image = ax.imshow(similarity, vmin=lowest, vmax=1, cmap=SEQUENCE)
        ax.set_title(layer_name(level), fontsize=FONT_SIZE, color=INK)
        ax.set_xticks(range(T), labels, rotation=90)
        ax.set_yticks(range(T), labels if level == 0 else [""] * T)
        ax.tick_params(labelsize=size)
    add_colour_bar(image, axes[-1], "cosine")
    alike = (_alike_in_words(k, layers.tokens, s) for k, s in enumerate(layers.similarities))
    return Plot(figure, " ".join(alike))


def plot_mix_weights(mix, ax: Axes | None = None) -> Plot:
    """Draw the share of each layer, one bar a mix; fields names, weights (mixes, L + 1), gammas."""
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


def plot_spelled_word(spelled, ax: Axes | None = None) -> Plot:
    """Draw over which letters of a word each filter fires; fields word, letters, hits."""
    rows = len(spelled.hits)
    last = max([len(spelled.letters), *(hit.start + hit.width for hit in spelled.hits)])
    ax = ax or new_axes(width=min(max(6.0, 0.5 * last + 3), WIDEST), height=1.2 + 0.36 * rows)
    ax.grid(False)
    strongest = max((hit.strength for hit in spelled.hits), default=1.0)
    for row, hit in enumerate(spelled.hits):
        shade = 0.25 + 0.75 * max(hit.strength, 0) / max(strongest, 1e-9)
        ax.add_patch(
            Rectangle((hit.start - 0.5, row - 0.4), hit.width, 0.8, facecolor=BLUE, alpha=shade)
        )
        ax.text(last - 0.3, row, f"{hit.strength:+.1f}", **BESIDE)
    ax.set(xlim=(-0.7, 1.08 * last + 0.3), ylim=(rows - 0.4, -0.6))
    ax.set_xticks(range(last), [*spelled.letters, *"·" * (last - len(spelled.letters))])
    ax.xaxis.tick_top()
    points = 420 if max(map(len, spelled.letters)) > 1 else 800  # bytes take two digits
    ax.tick_params(axis="x", labelsize=min(FONT_SIZE + 1, points / last))
    ax.set_yticks(range(rows), [f"width {hit.width}, no. {hit.number}" for hit in spelled.hits])
    fired = ", ".join(f"{hit.letters} ({hit.strength:+.1f})" for hit in spelled.hits)
    return Plot(
        figure_of(ax),
        f"Filters that fire most on “{spelled.word}”, and the letters they see: {fired}.",
    )


def plot_neighbours(neighbours, ax: Axes | None = None) -> Plot:
    """Draw the nearest tokens with their contexts; fields query, found, layer."""
    ax = ax or new_axes(width=10, height=1.4 + 0.42 * len(neighbours.found))
    ax.grid(False, axis="y")
    rows = [neighbours.query, *neighbours.found]
    for row, item in enumerate(rows):
        colour, hatch = (FAINT, "") if row == 0 else (SKY, "//")
        ax.barh(row, item.similarity, color=colour, hatch=hatch, edgecolor=PAPER, height=0.7)
        ax.text(1.03, row, in_context(item, _short), clip_on=False, **BESIDE)
    ax.set_yticks(range(len(rows)), ["asked for", *(f"{n + 1}." for n in range(len(rows) - 1))])
    ax.invert_yaxis()
    lowest = min(0.0, *(item.similarity for item in rows))
    ax.set(xlim=(lowest, 1), xlabel="cosine")
    ax.set_box_aspect(0.16 * len(rows) + 0.2)
    ax.set_anchor("W")
    listed = "; ".join(f"{in_context(n)} ({n.similarity:.2f})" for n in neighbours.found)
    return Plot(
        figure_of(ax),
        f"Nearest in {layer_name(neighbours.layer)} to {in_context(neighbours.query)}: "
        f"{listed or 'nothing'}.",
    )


def layer_name(level: int) -> str:
    """Return the name of a layer in every picture."""
    return "characters" if level == 0 else f"layer {level}"


def in_context(item, show: Callable[[str], str] = str) -> str:
    """Return a token in brackets between its neighbours, each word as `show` gives it."""
    before, after = item.before[-CONTEXT:], item.after[:CONTEXT]
    left = "… " if len(item.before) > CONTEXT else ""
    right = " …" if len(item.after) > CONTEXT else ""
    return left + " ".join([*map(show, before), f"[{show(item.word)}]", *map(show, after)]) + right


def _short(word: str) -> str:
    return drawable(word, LONGEST)


def _alike_in_words(level: int, tokens: list[str], similarity: np.ndarray) -> str:
    apart = np.where(np.tri(len(tokens), dtype=bool), -np.inf, similarity)
    if len(tokens) < 2:
        return f"In {layer_name(level)} there is one token."
    a, b = np.unravel_index(apart.argmax(), apart.shape)
    mean = apart[np.isfinite(apart)].mean()
    return (
        f"In {layer_name(level)} two tokens have cosine {mean:.2f} on average; most alike are "
        f"{tokens[a]} ({a + 1}) and {tokens[b]} ({b + 1}) with {similarity[a, b]:.2f}."
    )
