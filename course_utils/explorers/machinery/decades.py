"""An axis of powers of ten for a page: what stays of it, and every tick's name as it is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.text import Annotation

from course_utils.explorers.machinery.canvas import Canvas
from course_utils.explorers.machinery.frame import down
from course_utils.explorers.machinery.twin import AXIS, MARK, NEED
from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.tags import elements


def decades_of(
    drawing: Any, limit: Callable[[float, float], object], lowest: int, highest: int, grain: int
) -> dict[str, object]:
    """Return how the first Axes' y axis looks between powers of ten, with a tick every `grain`.

    `limit` sets its limits. What marks the height of 1 comes along: it moves as the ticks do.
    """
    ax = drawing.figure.axes[0]
    inside = [child for child in drawing.figure.get_children() if child is not drawing.figure.patch]
    names = {child: f"{inside.index(ax)}.{n}" for n, child in enumerate(ax.get_children())}

    def shown(low: int, high: int) -> Scene:
        limit(10.0**low, 10.0**high)
        return Canvas(drawing.figure, drawing.moving).scene()

    def height(power: int, scene: Scene) -> float:
        return down(ax.transData.transform((1, 10.0**power)), scene)[1]

    def drawn(scene: Scene) -> re.Match[str]:
        found = AXIS.fullmatch(scene.parts[names[ax.yaxis]])
        assert found
        return found

    ticks: dict[int, dict[str, object]] = {}
    needs: dict[str, str] = {}
    for middle in range(lowest + grain, highest, grain):
        powers = (middle - grain, middle, middle + grain)
        scene = shown(powers[0], powers[-1])
        needs |= {name: part for name, part in scene.parts.items() if NEED.fullmatch(name)}
        *written, _ = elements(drawn(scene)["texts"])
        for power, svg in zip(powers, written, strict=True):
            ticks.setdefault(power, {"svg": svg, "spot": height(power, scene)})
    scene = shown(-grain, grain)
    found = drawn(scene)
    marks = MARK.findall(found[0].split("marker-end", 1)[1])
    *_, label = elements(found["texts"])
    return {
        "name": names[ax.yaxis],
        "axis": {key: found[key] or "" for key in ("clip", "grid", "marks", "ink")},
        "along": float(marks[0][0]),
        "label": label,
        "ticks": ticks,
        "needs": needs,
        "level": height(0, scene),
        "levels": {
            name: scene.parts[name] for child, name in names.items()
            if isinstance(child, Line2D | Annotation) and child not in drawing.moving
        },
    }  # fmt: skip
