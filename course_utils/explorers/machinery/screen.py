"""What shows an explorer's picture in the page: a scene, of which only changes are sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import traitlets

from course_utils.explorers.machinery.canvas import Canvas
from course_utils.explorers.machinery.page.heard import Heard, script
from course_utils.plots.scene.scene import Scene

EMPTY = Scene(1, 1, {}, {})


class Screen(Heard):
    """One picture in the page; `page/scene.js` moves its parts.

    A page that has not said what it has gets every picture whole: it may not be listening yet.
    """

    scene = traitlets.Any().tag(sync=True, to_json=lambda _value, screen: screen.whole())
    _esm = script("scene", "screen")

    def __init__(self, drawing: Any):
        self.drawing, self.canvas = drawing, None
        self.now, self.number = EMPTY, 0
        self._heard = self._held = False
        width = getattr(drawing, "width", 0)
        if hasattr(drawing, "figure"):
            self.canvas = Canvas(drawing.figure, drawing.moving)
            width = round(drawing.figure.bbox.width)
        super().__init__(layout={"max_width": f"{width}px"}, _dom_classes=("course-picture",))
        self.on_msg(lambda _screen, said, _buffers: self._hear(said))

    @property
    def value(self) -> str:
        """Return the picture that is shown, as a file."""
        return self.now.svg()

    def whole(self) -> dict[str, object]:
        """Return the whole picture and its number."""
        return {"number": self.number, **self.now.whole()}

    def draw(self) -> Scene:
        """Return the picture of what the drawing shows now."""
        return self.canvas.scene() if self.canvas else self.drawing.scene

    def show(self, scene: Scene) -> None:
        """Show a picture from now on."""
        before, self.now = self.now, scene
        self.number += 1
        if self._held:
            return
        if self._heard:
            self.send({"number": self.number, **scene.since(before)})
        else:
            self.send_state("scene")

    @contextmanager
    def hold_sync(self) -> Iterator[None]:
        """Keep pictures back, as ipywidgets does with values; send the last one in the end."""
        self._held = True
        try:
            with super().hold_sync():
                yield
        finally:
            self._held = False
            self.send_state("scene")

    def close(self) -> None:
        """Let go of the figure, too."""
        self.drawing = self.canvas = None
        super().close()

    def _hear(self, said: dict[str, object]) -> None:
        """Give a page that has missed something the whole picture."""
        self._heard = True
        if said["has"] != self.number:
            self.send_state("scene")
