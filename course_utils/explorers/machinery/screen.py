"""What shows an explorer's picture in the page: a scene, of which only changes are sent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import ipywidgets as widgets
import traitlets

from course_utils.explorers.machinery.ahead import LONGEST, keeps_pictures
from course_utils.explorers.machinery.canvas import Canvas
from course_utils.explorers.machinery.page.heard import Heard, script
from course_utils.plots.scene.scene import Scene

EMPTY = Scene(1, 1, {}, {})
At = dict[str, Any]  # where every control stands, as its page knows it


class Screen(Heard):
    """One picture in the page; `page/scene.js` moves its parts.

    A page that has not said what it has gets every picture whole: it may not be listening yet.
    Where the page knows the `controls`, it asks for pictures ahead and shows them at once when a
    control goes there (`page/ahead.js`); the kernel's own picture follows and has the last word.
    """

    controls = traitlets.Dict().tag(sync=True)  # by name, what the page calls them

    scene = traitlets.Any().tag(sync=True, to_json=lambda _value, screen: screen.whole())
    _esm = script("scene", "ahead", "screen")

    def __init__(
        self,
        drawing: Any,
        controls: Mapping[str, widgets.Widget] = MappingProxyType({}),
        ahead: Callable[[At], Scene | None] = lambda _at: None,
    ):
        self.drawing, self.canvas = drawing, None
        self.now, self.number = EMPTY, 0
        self.at: At = {}
        self._ahead = ahead
        self._heard = self._held = False
        width = getattr(drawing, "width", 0)
        if hasattr(drawing, "figure"):
            self.canvas = Canvas(drawing.figure, drawing.moving)
            width = round(drawing.figure.bbox.width)
        super().__init__(
            layout={"max_width": f"{width}px"},
            _dom_classes=("course-picture",),
            controls={name: control.model_id for name, control in controls.items()},
        )
        self.on_msg(lambda _screen, said, _buffers: self._hear(said))

    @property
    def value(self) -> str:
        """Return the picture that is shown, as a file."""
        return self.now.svg()

    def whole(self) -> dict[str, object]:
        """Return the whole picture and its number."""
        return {"number": self.number, "at": self.at, **self.now.whole()}

    def draw(self) -> Scene:
        """Return the picture of what the drawing shows now."""
        return self.canvas.scene() if self.canvas else self.drawing.scene

    def show(self, scene: Scene, at: At | None = None) -> None:
        """Show a picture from now on; it is right while the controls stand there."""
        before, self.now, self.at = self.now, scene, at or {}
        self.number += 1
        if self._held:
            return
        if self._heard:
            if at:
                keeps_pictures(self)
            self.send({"number": self.number, "at": self.at, **scene.since(before)})
        else:
            self.send_state("scene")

    def go_back(self) -> None:
        """Show the last picture that worked, whatever was drawn ahead."""
        if self._heard and self.controls:
            self.send({"back": self.number})

    def forget(self) -> None:
        """Tell the page that what it keeps may be wrong from now on."""
        if self.comm is not None:
            self.send({"forget": self.number})

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
        self._ahead = lambda _at: None
        super().close()

    def _hear(self, said: dict[str, Any]) -> None:
        """Give a page that has missed something the whole picture, or one drawn ahead."""
        self._heard = True
        if "ahead" in said:
            self._send_ahead(said["ahead"])
        elif said["has"] != self.number:
            self.send_state("scene")

    def _send_ahead(self, asked: Sequence[At]) -> None:
        """Send as many of the pictures as may be drawn at once; None for one that may not."""
        changes: list[dict[str, object] | None] = []
        begun = time.thread_time()
        while len(changes) < len(asked) and time.thread_time() - begun < LONGEST:
            scene = self._ahead(asked[len(changes)])
            changes.append(None if scene is None else scene.since(self.now))
            if scene is None:
                break
        keeps_pictures(self)
        self.send({"ahead": asked[: len(changes)], "of": self.number, "changes": changes})
