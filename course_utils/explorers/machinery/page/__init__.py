"""The piece of an explorer that runs in the page: one JavaScript file per job, and its style."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anywidget
from ipywidgets import Layout

from course_utils.plots.picture import DARK_THEMES
from course_utils.plots.picture import STYLE as PICTURE_STYLE

HERE = Path(__file__).parent
JOBS = (
    "keys",
    "typing",
    "names",
    "asleep",
    "still",
    "play",
    "render",
)  # the last one calls the others


class PageSide(anywidget.AnyWidget):
    """Guard the keys, name the controls, report a lost kernel, ask for a new still, play."""

    _esm = "\n".join((HERE / f"{job}.js").read_text(encoding="utf-8") for job in JOBS)
    _css = PICTURE_STYLE + (HERE / "explorer.css").read_text(encoding="utf-8").replace(
        "DARK ", f":is({DARK_THEMES}) "
    )

    def __init__(self, hear: Callable[[dict[str, object]], None]):
        super().__init__(layout=Layout(display="none"))
        self.on_msg(lambda _page, said, _buffers: hear(said))
