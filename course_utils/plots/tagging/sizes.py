"""Mistakes of taggers by depth and width: every seed a dot, so that luck is seen beside size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.ticker import FuncFormatter, NullLocator

from course_utils.plots.end_labels import EndLabels
from course_utils.plots.style import add_headline, look, new_figure, style_axes

LOOKS = {1: "measured", 2: "h", 3: "bound"}
JITTER = 0.02
LEAST, MOST = 0.002, 0.5  # mistakes


class SizesView(NamedTuple):
    """Accuracies of all seeds, and what is taken of them, for each depth and width."""

    widths: Sequence[int]
    learned: Mapping[int, np.ndarray]  # depth -> (widths,) numbers that are learned
    runs: Mapping[int, np.ndarray]  # depth -> (widths, seeds)
    lines: Mapping[int, np.ndarray]  # depth -> (widths,)
    seeds: str  # the mean, the worst or the best
    price: bool  # across: numbers to learn, not units


class SizesDrawing:
    """A line for each depth, its name at its end, every seed a pale dot."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.2, height=3.4)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set(xscale="log", yscale="log", ylim=(LEAST, MOST), ylabel="wrong tags")
        ax.set_yticks([0.003, 0.01, 0.03, 0.1, 0.3])
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:.1%}"))
        ax.yaxis.set_minor_locator(NullLocator())
        styles = {depth: look(name) for depth, name in LOOKS.items()}
        self.lines = {d: ax.plot([], [], **style.line_style())[0] for d, style in styles.items()}
        self.dots = {
            d: ax.plot([], [], "o", color=style.colour, markersize=6, alpha=0.45, linestyle="")[0]
            for d, style in styles.items()
        }
        names = {str(d): "1 layer" if d == 1 else f"{d} layers" for d in LOOKS}
        self.names = EndLabels(ax, names, {str(d): style.ink for d, style in styles.items()})
        self.headline = add_headline(ax)
        self.moving = (
            *self.dots.values(), *self.lines.values(), *self.names.texts.values(), self.headline,
        )  # fmt: skip

    def show(self, view: SizesView) -> str:
        """Show all runs, and say which size pays."""
        ax, widths = self.ax, np.array(view.widths)
        for place, depth in enumerate(LOOKS):
            x = view.learned[depth] if view.price else widths * 10 ** (JITTER * (place - 1))
            wrong = 1 - view.runs[depth]
            self.dots[depth].set_data(np.repeat(x, wrong.shape[1]), wrong.ravel())
            self.lines[depth].set_data(x, 1 - view.lines[depth])
        ends = [*view.learned.values()] if view.price else [widths]
        low, high = min(x.min() for x in ends), max(x.max() for x in ends)
        ax.set_xlim(low / 1.3, high * 1.3)
        ticks = [10_000, 100_000] if view.price else list(view.widths)
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.set_xlabel("numbers to learn" if view.price else "units in each layer")
        self.names.show({str(depth): 1 - line[-1] for depth, line in view.lines.items()})
        self.headline.set_text(sizes_headline(view))
        return sizes_in_words(view)


def sizes_headline(view: SizesView) -> str:
    """Return what width and depth are worth."""
    wide = view.lines[1][0], view.lines[1][-1]
    deepest = max(view.lines)
    wins = sum(view.lines[deepest] > view.lines[1])
    times = "never" if not wins else f"at {wins} of {len(view.widths)} widths"
    return f"Wider: {_wrong(wide[0])} to {_wrong(wide[1])} wrong. {deepest} layers beat one {times}"


def sizes_in_words(view: SizesView) -> str:
    """Return the mistakes of every depth, narrowest first, and the best of all."""
    told = "; ".join(
        f"{'1 layer' if depth == 1 else f'{depth} layers'} {', '.join(map(_wrong, line))}"
        for depth, line in view.lines.items()
    )
    best = max(view.lines, key=lambda depth: view.lines[depth].max())
    at = int(view.lines[best].argmax())
    units = ", ".join(map(str, view.widths))
    return (
        f"{sizes_headline(view)}. Wrong tags with {units} units, {view.seeds} of five seeds: "
        f"{told}. Fewest: {best} deep and {view.widths[at]} wide, which learns "
        f"{view.learned[best][at]:,} numbers."
    )


def _wrong(accuracy: float) -> str:
    return f"{1 - accuracy:.1%}"
