"""How much is right after N labels: a line per variant, its seeds as a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from course_utils.plots.style import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    RED,
    Look,
    add_headline,
    add_legend,
    new_figure,
    style_axes,
)

NAMES = {
    "words": "words only",
    "static": "+ static",
    "random": "+ untrained biLM",
    "elmo": "+ ELMo",
}
LOOKS = {
    "words": Look(INK, "--", ""),
    "static": Look(GREEN, "-.", ""),
    "random": Look(RED, ":", ""),
    "elmo": Look(BLUE, "-", ""),
}


class Curves(NamedTuple):
    """One task: scores by variant, one row per size and one column per seed."""

    task: str
    sizes: Sequence[int]
    scores: Mapping[str, np.ndarray]  # (sizes, seeds)
    gain: bool = False  # over "words", seed by seed

    def drawn(self) -> dict[str, np.ndarray]:
        """Return what stands in the picture."""
        if not self.gain:
            return dict(self.scores)
        return {k: v - self.scores["words"] for k, v in self.scores.items() if k != "words"}


class CurvesDrawing:
    """A median and the range of all seeds for each variant, against the number of labels."""

    def __init__(self) -> None:
        self.figure = new_figure(height=3.9)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set(xscale="log", xlabel="labels to learn from")
        self.lines = {
            name: ax.plot(
                [], [], marker="o", markersize=6, label=NAMES[name], **style.line_style()
            )[0]
            for name, style in LOOKS.items()
        }
        self.bands = {
            name: ax.vlines([], [], [], color=style.colour, linewidth=5, alpha=0.35)
            for name, style in LOOKS.items()
        }
        ax.axhline(0, color=FAINT, linewidth=1.5)
        add_legend(ax, loc="lower center", bbox_to_anchor=(0.5, 1.12), ncols=4)
        self.headline = add_headline(ax)
        ax.set(ylim=(-0.075, 0.075), ylabel="gain over words only")  # the widest there will be
        self.figure.draw_without_rendering()
        self.figure.set_layout_engine(None)  # fixed places: layout is half of the time
        self.moving = (*self.lines.values(), *self.bands.values(), self.headline)

    def show(self, data: Curves) -> str:
        """Show one task and say who is ahead at both ends."""
        drawn, sizes = data.drawn(), list(data.sizes)
        self._scale(sizes, drawn, data.gain)
        for place, name in enumerate(LOOKS):
            scores = drawn.get(name)
            shown = scores is not None
            self.lines[name].set_visible(shown)
            self.bands[name].set_visible(shown)
            if scores is not None:
                x = np.array(sizes) * 1.04 ** (place - 1.5)  # side by side
                self.lines[name].set_data(x, np.median(scores, axis=1))
                ends = np.stack([scores.min(axis=1), scores.max(axis=1)], axis=1)
                self.bands[name].set_segments(
                    [[(at, low), (at, high)] for at, (low, high) in zip(x, ends, strict=True)]
                )
        self.headline.set_text(self._headline(data))
        return curves_in_words(data)

    def _scale(self, sizes: list[int], drawn: Mapping[str, np.ndarray], gain: bool) -> None:
        ax, values = self.ax, np.concatenate([v.ravel() for v in drawn.values()])
        room = 0.06 * max(np.ptp(values), 0.02)
        low, high = values.min() - room, values.max() + room
        ax.set_xlim(sizes[0] / 1.3, sizes[-1] * 1.3)
        ax.set_ylim(min(low, -room) if gain else low, max(high, room) if gain else min(high, 1.005))
        ax.set_ylabel("gain over words only" if gain else "right labels")
        ax.xaxis.set_major_locator(FixedLocator(sizes))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))

    def _headline(self, data: Curves) -> str:
        first, last = (np.median(data.scores["elmo"][n] - data.scores["words"][n]) for n in (0, -1))
        fewest, most = (f"{size:,}" for size in (data.sizes[0], data.sizes[-1]))
        return f"ELMo {_adds(first)} with {fewest} labels, {_adds(last)} with {most}"


def _adds(gain: float) -> str:
    points = f"{abs(100 * gain):.1f} points"
    return f"adds {points}" if gain >= 0 else f"costs {points}"


def curves_in_words(data: Curves) -> str:
    """Return every variant's median at both ends."""
    drawn = data.drawn()
    told = "; ".join(
        f"{NAMES[name]} {np.median(scores[0]):.3f} and {np.median(scores[-1]):.3f}"
        for name, scores in drawn.items()
    )
    what = "gain over words only" if data.gain else "right labels"
    seeds = next(iter(drawn.values())).shape[1]
    return (
        f"{data.task}, {what}, medians of {seeds} seeds with {data.sizes[0]:,} and "
        f"{data.sizes[-1]:,} labels: {told}. Bars reach from the lowest seed to the highest."
    )
