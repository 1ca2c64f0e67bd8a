"""The cliff in the loss of a one-unit network, and two walks of gradient descent on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    FONT_SIZE,
    INK,
    PAPER,
    SEQUENCE,
    add_colour_bar,
    add_headline,
    look,
    new_figure,
    style_axes,
)

SMALLEST_LOSS = 1e-4
NOTHING = 1e-20
ROLES = {"clipped": "measured", "not clipped": "bound"}  # the looks of the two walks


class Surface(NamedTuple):
    """The loss over a grid of weights and biases."""

    w: np.ndarray  # (W,)
    b: np.ndarray  # (B,)
    loss: np.ndarray  # (B, W)


class Descent(NamedTuple):
    """One walk of gradient descent, (updates + 1,) each; NaN once it has overflowed."""

    w: np.ndarray
    b: np.ndarray
    loss: np.ndarray
    gradient_norm: np.ndarray  # before clipping


class Descents(NamedTuple):
    """Gradient descent from one start, with clipping and without."""

    clipped: Descent
    free: Descent


class CliffDrawing:
    """Left: the loss over weight and bias with both walks. Right: the loss along each walk."""

    def __init__(self, surface: Surface):
        self.figure = new_figure(height=3.8)
        self.left, self.right = (
            style_axes(ax) for ax in self.figure.subplots(1, 2, width_ratios=(5, 4))
        )
        _draw_surface(self.left, surface)
        self.walks, self.losses = {}, {}
        for name, role in ROLES.items():
            style = look(role).line_style()
            (self.walks[name],) = self.left.plot(
                [], [], marker="o", markersize=4, markeredgecolor="white", **style
            )
            (self.losses[name],) = self.right.plot([], [], **style)
        (self.start,) = self.left.plot([], [], "*", markersize=18, color=PAPER, markeredgecolor=INK)
        self.start_name = self.left.annotate(
            "start", (0, 0), (0, 12), textcoords="offset points", ha="center", va="bottom",
            size=FONT_SIZE, color=INK, bbox={"fc": PAPER, "ec": "none", "alpha": 0.85, "pad": 1.5},
            in_layout=False,
        )  # fmt: skip
        self.headline = add_headline(self.left)
        self.right.set(
            xlabel="update", ylabel="loss along each walk", yscale="log", ylim=(SMALLEST_LOSS, 2)
        )
        self.names = EndLabels(
            self.right, {"clipped": "clipped", "not clipped": "not clipped"},
            {name: look(role).ink for name, role in ROLES.items()},
        )  # fmt: skip
        self.moving = (
            *self.walks.values(), *self.losses.values(), *self.names.texts.values(),
            self.start, self.start_name, self.headline,
        )  # fmt: skip

    def show(self, walks: Descents) -> str:
        """Show both walks and say where they lead."""
        paths = {"clipped": walks.clipped, "not clipped": walks.free}
        for name, path in paths.items():
            self.walks[name].set_data(path.w, path.b)
            self.losses[name].set_data(np.arange(len(path.loss)), np.maximum(path.loss, 1e-12))
        self.start.set_data(walks.free.w[:1], walks.free.b[:1])
        self.start_name.xy = walks.free.w[0], walks.free.b[0]
        self.names.show({name: _end_of(path.loss) for name, path in paths.items()})
        self.right.set_xlim(0, len(walks.clipped.loss) - 1)
        self.headline.set_text(
            f"The longest jump: {number(_longest_jump(walks.clipped))} with clipping, "
            f"{number(_longest_jump(walks.free))} without"
        )
        return walks_in_words(walks, self.left.get_xlim(), self.left.get_ylim())


def plot_cliff(w: np.ndarray, b: np.ndarray, loss: np.ndarray, norms: np.ndarray) -> Plot:
    """Draw the loss over weights (W,) and biases (B,), and its gradient where it is longest."""
    figure = new_figure(height=3.8)
    left, right = (style_axes(ax) for ax in figure.subplots(1, 2))
    _draw_surface(left, Surface(w, b, loss))
    row = int(norms.max(axis=1).argmax())
    right.semilogy(w, norms[row], **look("measured").line_style())
    right.set(xlabel=f"weight w, at bias {number(b[row])}", ylabel="length of the gradient")
    add_headline(left).set_text("Two plateaus, and a wall between them")
    return Plot(
        figure,
        f"Left: the loss over weight and bias, from {number(loss.min())} to "
        f"{number(loss.max())}. Right, at bias {number(b[row])}: the gradient's length, in the "
        f"median {number(np.median(norms[row]))}, rises to {number(norms[row].max())} at weight "
        f"{number(w[norms[row].argmax()])}.",
    )


def _draw_surface(ax: Axes, surface: Surface) -> None:
    w, b = surface.w, surface.b
    image = ax.imshow(
        np.maximum(surface.loss, SMALLEST_LOSS), norm=LogNorm(SMALLEST_LOSS, 1),
        cmap=SEQUENCE, extent=(w.min(), w.max(), b.min(), b.max()),
        origin="lower", aspect="auto", interpolation="bilinear",
    )  # fmt: skip
    ax.grid(False)
    ax.set(xlabel="weight w", ylabel="bias b", xlim=(w.min(), w.max()))
    ax.set_ylim(b.min(), b.max())
    add_colour_bar(image, ax, "loss at every point")


def _end_of(loss: np.ndarray) -> float:
    """Return the last loss that there is, on the axis."""
    seen = loss[np.isfinite(loss)]
    return float(np.clip(seen[-1] if len(seen) else np.inf, SMALLEST_LOSS, 2))


def walks_in_words(
    walks: Descents, w_limits: tuple[object, ...], b_limits: tuple[object, ...]
) -> str:
    """Return how far each walk jumps and where it ends."""
    return (
        f"Clipped: {_walk_in_words(walks.clipped, w_limits, b_limits)}. "
        f"Not clipped: {_walk_in_words(walks.free, w_limits, b_limits)}. "
        f"The steepest gradient met had norm {number(_largest(walks), 3)}."
    )


def _walk_in_words(
    path: Descent, w_limits: tuple[object, ...], b_limits: tuple[object, ...]
) -> str:
    there = np.isfinite(path.loss)
    w, b, loss = (values[there] for values in path[:3])
    outside = (w < w_limits[0]) | (w > w_limits[1]) | (b < b_limits[0]) | (b > b_limits[1])
    left = f"leaves the picture at update {np.flatnonzero(outside)[0]}, " if outside.any() else ""
    jump = number(_longest_jump(path))
    return f"{left}longest jump {jump}, loss {_said(loss[0])} to {_said(loss[-1])}"


def _said(loss: float) -> str:
    """Return a loss in words; what is left where the last digits cancel is nothing."""
    return number(loss if loss > NOTHING else 0.0)


def _longest_jump(path: Descent) -> float:
    there = np.isfinite(path.loss)
    jumps = np.hypot(np.diff(path.w[there]), np.diff(path.b[there]))
    return float(jumps.max(initial=0.0))


def _largest(walks: Descents) -> float:
    norms = np.concatenate([walks.clipped.gradient_norm, walks.free.gradient_norm])
    return float(np.nanmax(norms))
