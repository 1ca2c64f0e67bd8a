"""A matplotlib drawing as a page moves it: what each artist is, so that one script draws all.

A twin then computes only data: limits, and for every moving artist its points or its words
(`site/twins/frame.js`).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import cos, radians, sin
from typing import Any, cast

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from numpy.typing import ArrayLike

from course_utils.explorers.machinery.tours import Twin, stops_of
from course_utils.explorers.machinery.twin import chart_of, scene_after
from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.tags import elements
from course_utils.plots.scene.text import measured
from course_utils.plots.style import PAGE_PIXELS

PLACE = re.compile(r' (?:transform="translate\(([-\d.]+) ([-\d.]+)\)|x="([-\d.]+)" y="([-\d.]+)")')
SIZE = re.compile(r' font-size="([\d.]+)"')
LOOK = re.compile(r"<text(.*?) (?:transform|x)=")


def frame_of(
    drawing: Any, shown: Iterable[Any], controls: Mapping[str, widgets.Widget]
) -> dict[str, Any]:
    """Return a drawing's frame and its moving artists.

    In the last of the shown data every artist must be seen. The controls' values other than
    text are included.
    """
    all_shown = [*shown]
    chart = chart_of(drawing, all_shown)
    scene = scene_after(drawing, all_shown[-1])
    axes = [*drawing.figure.axes]
    return {
        **chart,
        "moves": [
            _of(artist, axes.index(artist.axes), scene, f"moving{place}")
            for place, artist in enumerate(drawing.moving)
        ],
        "levels": [*_levels(drawing.figure, chart, scene)],
        "values": {
            name: [value for _, value in stops_of(control, None)]
            for name, control in controls.items()
            if not isinstance(control, widgets.Text)
        },
    }


def _levels(figure: Figure, chart: Mapping[str, Any], scene: Scene) -> Iterator[dict[str, object]]:
    """Yield what does not move by itself, but lies at a height of the data in Axes that do."""
    others = [child for child in figure.get_children() if child is not figure.patch]
    for number, ax in enumerate(figure.axes):
        if chart["axes"][number]["y"].get("still"):
            continue
        for place, artist in enumerate(ax.get_children()):
            name = f"{others.index(ax)}.{place}"
            if name not in chart["stay"] or not isinstance(artist, Line2D | Annotation):
                continue
            ys: Any = artist.get_ydata() if isinstance(artist, Line2D) else artist.xy[1:]
            height = float(ys[0])
            spot = down(ax.transData.transform((1, height)), scene)[1]
            svg = scene.parts[name]
            yield {"name": name, "axes": number, "svg": svg, "at": height, "spot": spot}


def _of(artist: Artist, number: int, scene: Scene, name: str) -> dict[str, object]:
    """Return of what kind an artist is, the Axes that it lies in, and how to move it."""
    part = scene.parts.get(name, "")
    about: dict[str, object] = {"axes": number}
    ax = cast(Axes, artist.axes)
    if isinstance(artist, Line2D):
        kinds = (artist.get_linestyle() != "None", artist.get_marker() not in ("None", "", None))
        share = bool(artist.get_transform() == ax.get_xaxis_transform())
        return {**about, "kind": "line", "has": kinds, "upShare": share}
    if isinstance(artist, AxesImage):
        return {**about, "kind": "image"}
    if isinstance(artist, LineCollection):
        return {**about, "kind": "lines"}
    if isinstance(artist, Rectangle):
        spot = down(ax.get_yaxis_transform().transform(artist.get_xy()), scene)
        return {**about, "kind": "moved", "svg": part, "spot": spot}
    if isinstance(artist, Annotation):
        to_page = ax.transAxes if artist.xycoords == "axes fraction" else ax.transData
        spot = down(to_page.transform(artist.xy), scene)
        return {**about, "kind": "moved", "svg": part, "spot": spot}
    if isinstance(artist, Text):
        return {**about, "kind": "text", **_text(artist, part, scene)}
    raise TypeError(f"no page knows how to move a {type(artist).__name__}")


def _text(artist: Text, part: str, scene: Scene) -> dict[str, object]:
    """Return how words are written: from where their letters run, and where that place lies."""
    (element,) = elements(part)
    place, look, size = PLACE.search(element), LOOK.search(element), SIZE.search(element)
    assert place
    assert look
    assert size
    x, y = (float(n) for n in place.groups() if n)
    spot = down(artist.get_transform().transform(artist.get_position()), scene)
    bold = artist.get_fontweight() == "bold"
    inside = re.sub("<[^>]*>", "", element)
    letters_are = float(artist.get_fontsize()) * PAGE_PIXELS / 72
    prop = FontProperties(size=letters_are, weight="bold" if bold else "normal")
    wide = measured(inside, prop, False)[0]
    before = {"left": 0.0, "center": 0.5, "right": 1.0}[artist.get_horizontalalignment()]
    angle = artist.get_rotation()
    turn = cos(radians(angle)), sin(radians(angle))
    start = (x - spot[0] + before * wide * turn[0], y - spot[1] - before * wide * turn[1])
    return {
        "look": look[1], "size": size[1], "letters": letters_are,
        "face": "bold" if bold else "plain", "spot": spot, "start": start, "before": before,
        "angle": angle, "turn": turn,
    }  # fmt: skip


def down(spot: Any, scene: Scene) -> tuple[float, float]:
    """Return a place of the figure with y downwards."""
    return float(spot[0]), scene.height - float(spot[1])


def twin_of_chart(
    name: str,
    drawing: Callable[[], Any],
    shown: Callable[[], Iterable[Any]],
    controls: Mapping[str, widgets.Widget],
    more: Callable[[], Mapping[str, object]] = dict,
) -> Twin:
    """Return a twin without a model, of a drawing that has shown some data, and what it needs."""
    return Twin(name, (), lambda: {**frame_of(drawing(), shown(), controls), **more()})


def packed(numbers: ArrayLike) -> str:
    """Return numbers in letters, as `floatsIn` of the page reads them."""
    return base64.b64encode(np.asarray(numbers, dtype="<f8").tobytes()).decode()
