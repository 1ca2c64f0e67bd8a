"""The canvas of every figure of the course: it draws on nothing but a recorder."""

from __future__ import annotations

from typing import cast

from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure

from course_utils.plots.scene.recorder import Part, Recorder
from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.text import FONTS

LOOK = {"font_family": FONTS, "stroke_linejoin": "round"}


class Surface(FigureCanvasBase):
    """Keep one recorder, and with it what is known of the sizes of texts."""

    def __init__(self, figure: Figure):
        super().__init__(figure)
        self.recorder = Recorder(figure.bbox.width, figure.bbox.height, figure.dpi)

    def get_renderer(self) -> Recorder:
        """Return what matplotlib measures and draws with."""
        return self.recorder

    def draw(self, *args: object, **kwargs: object) -> None:
        """Draw everything, and keep nothing but what drawing tells."""
        self.recorder.part(self.figure.draw)


def recorder_of(figure: Figure) -> Recorder:
    """Return the recorder of one of our figures."""
    return cast(Surface, figure.canvas).recorder


def scene_of(figure: Figure, parts: dict[str, Part] | None = None) -> Scene:
    """Return a figure as a scene: of parts that were drawn before, or drawn now as one."""
    recorder = recorder_of(figure)
    if parts is None:
        parts = {"figure": recorder.part(figure.draw)}
    needs = {name: need for part in parts.values() for name, need in part.needs.items()}
    shapes = {name: part.svg for name, part in parts.items() if part.svg}
    return Scene(round(recorder.width), round(recorder.height), needs | shapes, LOOK)
