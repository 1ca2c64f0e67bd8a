"""What shows an explorer's picture in the page: the pixels of a figure, or shapes of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from course_utils.explorers.machinery.canvas import Canvas
from course_utils.plots.picture import PNG, SVG
from course_utils.plots.style import PAGE_PIXELS


class Shapes(anywidget.AnyWidget):
    """An SVG in the page; `page/shapes.js` moves each shape from where it was to where it is."""

    value = traitlets.Unicode("").tag(sync=True)
    _esm = (Path(__file__).parent / "page" / "shapes.js").read_text(encoding="utf-8")


class Screen:
    """One picture in the page, whatever it is made of; `draw` returns it as it is now."""

    def __init__(self, drawing: Any):
        self.drawing = drawing
        self.canvas: Canvas | None = None
        if hasattr(drawing, "figure"):
            self.canvas = Canvas(drawing.figure, drawing.moving)
            self.width = round(drawing.figure.get_figwidth() * PAGE_PIXELS)
            self.media = PNG
            self.widget: widgets.DOMWidget = widgets.Image(format="png")
        else:
            self.width, self.media, self.widget = drawing.width, SVG, Shapes()
        self.widget.layout.max_width = f"{self.width}px"
        self.widget.add_class("course-picture")

    def draw(self) -> bytes | str:
        """Return the picture of what the drawing shows now: PNG, or SVG."""
        return self.canvas.png() if self.canvas else self.drawing.svg
