"""Draw a gated cell: pale where the walk has not been, coloured behind it, lit where it is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Ellipse, FancyBboxPatch, Rectangle

from course_utils.plots.gates.cell_layout import (
    BOX,
    H_BUS,
    X_BUS,
    Gauge,
    Joint,
    Part,
    Wire,
    layout_of,
)
from course_utils.plots.style import FAINT, FONT_SIZE, INK, PAPER, look

LIT, GLOW = "#ffd23f", 11  # a ring around what is lit; it hides nothing
PALE = "#c4c4c4"
BAR = (4.6, 9.0)  # width and height of a gauge's bar
HEADS = {(0, 1): "^", (1, 0): ">", (0, -1): "v"}


def signed_number(value: float) -> str:
    """Return two decimals with a real minus sign; never minus zero."""
    return f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−")


class CellSketch:
    """The drawing of one cell on an Axes; `show` says how far the walk has come."""

    def __init__(self, ax: Axes, kind: str, upto: str | None = None):
        self.ax, self.layout = ax, layout_of(kind)
        self.stops = tuple(self.layout.parts)
        last = self.stops.index(upto) if upto else len(self.stops) - 1
        ax.set(xlim=(-3, 160), ylim=(-1.5, 53))
        ax.axis("off")
        self.lights: dict[str, list[Artist]] = {}
        self.colours: dict[str, list[Artist]] = {}
        self.bars: dict[str, Bar] = {}
        self._draw_inputs()
        self._draw_pale("before", self.layout.before)
        self._draw_coloured("before", self.layout.before)
        for stop in self.stops[: last + 1]:
            self._draw_pale(stop, self.layout.parts[stop])
            self._draw_coloured(stop, self.layout.parts[stop])

    @property
    def moving(self) -> list[Artist]:
        """Return the artists that `show` changes, in the order in which they are drawn."""
        groups = [*self.lights.values(), *self.colours.values()]
        bars = [artist for bar in self.bars.values() for artist in (bar.fill, bar.number)]
        return [artist for group in groups for artist in group] + bars + [self.word]

    def show(
        self,
        stop: str,
        values: Mapping[str, float] | None = None,
        scale: float = 1.0,
        word: str = "",
    ) -> None:
        """Light one stop, colour those before it, and fill the gauges that are known by then.

        `scale` is the size of the memory cell that fills its gauge; the others fill at 1.
        """
        reached = self.stops.index(stop)
        for name in self.colours:
            known = name == "before" or self.stops.index(name) <= reached
            for artist in self.colours[name]:
                artist.set_visible(known)
            for artist in self.lights.get(name, ()):
                artist.set_visible(name == stop)
            part = self.layout.before if name == "before" else self.layout.parts[name]
            for gauge in part.gauges:
                size = scale if gauge.name.startswith("c") else 1.0
                shown = known and values is not None
                self.bars[gauge.name].show(values[gauge.name] if shown else None, size)
        self.word.set_text(word)

    def _draw_inputs(self) -> None:
        for symbol, y in (("$x_t$", X_BUS), ("$h_{t-1}$", H_BUS)):
            self.ax.text(1, y, symbol, fontsize=FONT_SIZE + 4, color=INK, va="center")
        self.word = self.ax.text(
            8.5, X_BUS, "", fontsize=FONT_SIZE, color=INK, va="center", weight="bold"
        )

    def _draw_pale(self, name: str, part: Part) -> None:
        for wire in part.wires:
            self._draw_wire(wire, PALE)
        for joint in part.joints:
            _draw_joint(self.ax, joint, FAINT, 1.2)
            self.ax.text(joint.x, joint.y, joint.sign, ha="center", va="center_baseline",
                         fontsize=FONT_SIZE + {1: 3, 2: 0, 4: -2}[len(joint.sign)], color=INK,
                         zorder=6)  # fmt: skip
        for gauge in part.gauges:
            if gauge.boxed:
                _draw_box(self.ax, gauge, FAINT, 1.2)
            self.ax.text(gauge.x - (2.6 if gauge.boxed else 2.0), gauge.y, gauge.symbol, ha="right"
                         if not gauge.boxed else "center", va="center",
                         fontsize=FONT_SIZE + 5, color=INK, zorder=6)  # fmt: skip
            self.bars[gauge.name] = Bar(self.ax, gauge)

    def _draw_coloured(self, name: str, part: Part) -> None:
        coloured = self.colours[name] = []
        for wire in part.wires:
            coloured += self._draw_wire(wire, None)
        coloured += [_draw_joint(self.ax, joint, INK, 2.2, face="none") for joint in part.joints]
        for gauge in part.gauges:
            if gauge.boxed:
                coloured.append(_draw_box(self.ax, gauge, look(gauge.name).colour, 2.6, "none"))
        self.lights[name] = [
            _draw_box(self.ax, gauge, LIT, GLOW, "none", 1.6 if gauge.boxed else 0.0)
            for gauge in part.gauges
            if name != "before"
        ]

    def _draw_wire(self, wire: Wire, colour: str | None) -> list[Artist]:
        xs, ys = zip(*wire.corners, strict=True)
        style = look(wire.look)
        strong = colour is None
        colour = colour or (INK if wire.look == "reference" else style.colour)
        (line,) = self.ax.plot(
            xs, ys, color=colour, linewidth=2.6 if strong else 1.4, zorder=3 if strong else 2,
            linestyle=style.line if strong and wire.look != "reference" else "-",
        )  # fmt: skip
        if wire.open:
            return [line]
        way = (int(np.sign(xs[-1] - xs[-2])), int(np.sign(ys[-1] - ys[-2])))
        (head,) = self.ax.plot(
            xs[-1:], ys[-1:], marker=HEADS[way], markersize=8 if strong else 6, color=colour,
            zorder=line.get_zorder(),
        )  # fmt: skip
        return [line, head]


class Bar:
    """The bar of one gauge and its number."""

    def __init__(self, ax: Axes, gauge: Gauge):
        name = gauge.name.removesuffix("_prev")
        self.signed = gauge.signed
        width, height = BAR
        left = gauge.x + (2.4 if gauge.boxed else 0)
        self.bottom, self.middle = gauge.y - height / 2, gauge.y
        ax.add_patch(Rectangle((left, self.bottom), width, height, facecolor=PAPER,
                               edgecolor=FAINT, linewidth=1.2, zorder=4))  # fmt: skip
        if gauge.signed:
            ax.plot([left - 0.8, left + width + 0.8], [gauge.y] * 2, color=INK, linewidth=1,
                    zorder=6)  # fmt: skip
        self.fill = ax.add_patch(
            Rectangle((left, self.bottom), width, 0, facecolor=look(name).colour,
                      edgecolor=PAPER, hatch=look(name).hatch, linewidth=0, zorder=5)
        )  # fmt: skip
        self.number = ax.text(
            gauge.x + (1.3 if gauge.boxed else 5.8),
            gauge.y + (BOX[1] / 2 + 2.6 if gauge.boxed else 0),
            "", fontsize=FONT_SIZE, color=INK, va="center", ha="left", weight="bold", zorder=7,
        )  # fmt: skip

    def show(self, value: float | None, scale: float) -> None:
        """Fill the bar; None empties it."""
        share = 0.0 if value is None else float(np.clip(value / scale, -1, 1))
        self.fill.set_y(self.middle if self.signed else self.bottom)
        self.fill.set_height(share * BAR[1] / (2 if self.signed else 1))
        self.number.set_text("" if value is None else signed_number(value))


def _draw_joint(ax: Axes, joint: Joint, edge: str, width: float, face: str = PAPER) -> Artist:
    at, style = (joint.x, joint.y), {"edgecolor": edge, "facecolor": face, "linewidth": width}
    if len(joint.sign) > 2:
        return ax.add_patch(Ellipse(at, 13, 7, zorder=5, **style))
    return ax.add_patch(Circle(at, 3.6, zorder=5, **style))


def _draw_box(
    ax: Axes, gauge: Gauge, edge: str, line: float, face: str = PAPER, pad: float = 0.0
) -> Artist:
    width, height = BOX if gauge.boxed else (27, 10)
    middle = gauge.x if gauge.boxed else gauge.x + 4
    corner = (middle - width / 2 - pad, gauge.y - height / 2 - pad)
    shape = FancyBboxPatch(
        corner, width + 2 * pad, height + 2 * pad, boxstyle="round,pad=0,rounding_size=2.5",
        edgecolor=edge, facecolor=face, linewidth=line, zorder=1 if edge == LIT else 4,
    )  # fmt: skip
    return ax.add_patch(shape)
