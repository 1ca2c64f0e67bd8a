"""What a twin on a page needs of a matplotlib drawing: what stays, and the looks of what moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.font_manager import FontProperties

from course_utils.explorers.machinery.canvas import Canvas
from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.tags import elements
from course_utils.plots.scene.text import measured
from course_utils.plots.style import FONT_SIZE, PAGE_PIXELS

NEED = re.compile(r"[a-z][0-9a-f]{8}")
AXIS = re.compile(
    r'(?:<g clip-path="url\(#(?P<clip>\w+)\)"><g(?P<grid>[^>]*)>.*?</g></g>)?'
    r"<g(?P<marks>[^>]*)>.*?</g>(?:<g(?P<ink>[^>]*)>(?P<texts>.*)</g>)?"
)
SHAPE = re.compile(
    r'(?:<g clip-path="url\(#(?P<clip>\w+)\)">)?<\w+(?P<look>[^>]*?)(?: d="[^"]*")?>'
)
PLACE = re.compile(r' (x|y)="([-\d.]+)"')
MARK = re.compile(r' d="M([-\d.]+) ([-\d.]+)"')
ACROSS = re.compile(r"translate\(([-\d.]+) ")
TICKS = partial(FontProperties, size=FONT_SIZE - 1)
LETTERS = "0123456789.−"
SAME_PLACE = 0.01  # pixels


def chart_of(drawing: Any, shown: Iterable[Any], still: bool = False) -> dict[str, Any]:
    """Return a drawing's frame, after it has shown some data in which everything occurs.

    Axes that never change are drawn here; of the others the page must know how they look.
    """
    canvas = Canvas(drawing.figure, drawing.moving)
    scenes, boxes = [], []
    for data in shown:
        scenes.append(_shown(drawing, canvas, data))
        boxes.append([ax.bbox.bounds for ax in drawing.figure.axes])
    if not still and any(np.abs(np.subtract(box, boxes[0])).max() > SAME_PLACE for box in boxes):
        raise ValueError("the Axes move with the data: give them fixed places")
    parts = {name: part for scene in scenes for name, part in scene.parts.items()}
    same = {
        name for name in parts
        if len(scenes) > 1 and all(scene.parts.get(name) == parts[name] for scene in scenes)
    }  # fmt: skip
    look = _box if still else partial(_axes, drawing.figure.get_children(), same)
    axes = [look(ax, scenes[-1]) for ax in drawing.figure.axes]
    own = {ax[axis]["name"] for ax in axes for axis in "xy" if axis in ax} - same
    return {
        "size": [scenes[0].width, scenes[0].height],
        "needs": {name: part for name, part in parts.items() if NEED.fullmatch(name)},
        "order": [name for name in scenes[0].parts if _stands(name)],
        "stay": {n: part for n, part in parts.items() if _stands(n) and n not in own},
        "axes": axes,
        "moving": {
            name: [found.groupdict() for found in map(SHAPE.match, elements(part)) if found]
            for name, part in parts.items()
            if name.startswith("moving")
        },
        "widths": widths(LETTERS, TICKS()),
    }


def widths(texts: Iterable[str], font: FontProperties) -> dict[str, float]:
    """Return how wide texts are on the page."""
    return {text: round(measured(text, font, False)[0] * PAGE_PIXELS / 72, 4) for text in texts}


def scene_after(drawing: Any, data: Any) -> Scene:
    """Return what a drawing shows of some data."""
    return _shown(drawing, Canvas(drawing.figure, drawing.moving), data)


def _shown(drawing: Any, canvas: Canvas, data: Any) -> Scene:
    drawing.show(data)
    return canvas.scene()


def _stands(name: str) -> bool:
    return not NEED.fullmatch(name) and not name.startswith("moving")


def _axes(children: Sequence[Any], same: Set[str], ax: Axes, scene: Scene) -> dict[str, Any]:
    """Return where an Axes lies, and how those of its two axes look that are not the same."""
    others = [child for child in children if child is not ax.figure.patch]
    name: Callable[[Axis], str] = lambda axis: (  # noqa: E731
        f"{others.index(ax)}.{ax.get_children().index(axis)}"
    )
    return {
        **_box(ax, scene),
        "x": _axis(ax.xaxis, name(ax.xaxis), scene, same),
        "y": _axis(ax.yaxis, name(ax.yaxis), scene, same),
    }


def _box(ax: Axes, scene: Scene) -> dict[str, Any]:
    """Return where an Axes lies, y downwards."""
    left, bottom, width, height = ax.bbox.bounds
    return {"box": [left, scene.height - bottom - height, width, height]}


def _axis(axis: Axis, name: str, scene: Scene, same: Set[str]) -> dict[str, Any]:
    if name in same or name not in scene.parts:
        return {"name": name, "still": True}
    found = AXIS.fullmatch(scene.parts[name])
    if found is None:
        raise ValueError(f"the axis {name} is drawn in a way that no page knows")
    rows = [*elements(found["texts"] or "")]
    label = rows.pop() if rows and axis.get_label_text() else ""
    ticks = _letters_of(rows)
    font = FontProperties(size=axis.get_ticklabels()[0].get_fontsize() if ticks else FONT_SIZE - 1)
    wide = widths(ticks, font)
    about = {key: found[key] or "" for key in ("clip", "grid", "marks", "ink")}
    marks = [(float(x), float(y)) for x, y in MARK.findall(found[0].split("marker-end", 1)[1])]
    about |= {
        "name": name,
        "across": marks[0][1],
        "along": marks[0][0],
        "space": axis.get_tick_space(),
        "label": label,
        "named": bool(ticks),
    }
    if ticks:
        text, (x, y) = next(iter(ticks.items()))
        about |= {"right": x + wide[text], "baseline": y, "drop": y - marks[0][1]}
        if font != TICKS():
            about["widths"] = widths(LETTERS, font)
        (about["size"],) = re.findall(r'font-size="([\d.]+)"', rows[0])[:1]
        if across := ACROSS.search(label):  # it keeps its distance from the longest of them
            about["gap"] = round(min(x for x, _ in ticks.values()) - float(across[1]), 4)
    return about


def _letters_of(rows: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Return where the letters of ticks begin, by what they say."""
    found = {}
    for row in rows:
        place = dict(PLACE.findall(row))
        found[re.sub("<[^>]*>", "", row)] = (float(place["x"]), float(place["y"]))
    return found
