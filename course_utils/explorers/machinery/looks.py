"""A drawing of signs that change their look, and of words, for a page without matplotlib.

A sign, such as an arrow, is drawn here once for each of its looks. Words are written by the page
(`site/twins/looks.js`), which must know where, how large and in what face.
"""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.colors import to_hex
from matplotlib.text import Text

from course_utils.explorers.machinery.explorer import Drawing
from course_utils.explorers.machinery.twin import NEED, chart_of, scene_after
from course_utils.plots.style import PAGE_PIXELS


def looks_of(drawing: Drawing, shown: Mapping[str, object]) -> dict[str, object]:
    """Return a drawing's frame, what looks otherwise with each of the data, and its words.

    Between them the data must show everything that occurs.
    """
    chart = chart_of(drawing, shown.values(), still=True)
    scenes = {name: scene_after(drawing, data).parts for name, data in shown.items()}
    names = sorted({
        name for parts in scenes.values() for name in parts
        if name.startswith("moving")
        or (not NEED.fullmatch(name) and len({of.get(name) for of in scenes.values()}) > 1)
    })  # fmt: skip
    height = drawing.figure.bbox.height
    return {
        "chart": chart,
        "looks": {
            look: {name: parts.get(name, "") for name in names} for look, parts in scenes.items()
        },
        "lettering": [
            lettering(artist, height) if isinstance(artist, Text) else None
            for artist in drawing.moving
        ],
    }


def lettering(artist: Text, height: float) -> dict[str, object]:
    """Return where words are written in a picture of this height, y downwards, and how."""
    x, y = artist.get_transform().transform(artist.get_position())
    slanted, bold = artist.get_fontstyle() == "italic", artist.get_fontweight() == "bold"
    return {
        "x": float(x),
        "y": height - float(y),
        "size": float(artist.get_fontsize()) * PAGE_PIXELS / 72,
        "fill": to_hex(artist.get_color()),
        "ha": artist.get_horizontalalignment(),
        "va": artist.get_verticalalignment(),
        "face": "slanted" if slanted else "bold" if bold else "plain",
    }
