"""The piece of an explorer that runs in the page: one JavaScript file per job, and its style."""

from __future__ import annotations

from collections.abc import Callable

from ipywidgets import Layout

from course_utils.explorers.machinery.page.heard import HERE, Heard, script
from course_utils.plots.picture import DARK_THEMES
from course_utils.plots.picture import STYLE as PICTURE_STYLE

JOBS = ("keys", "typing", "names", "asleep", "still", "play", "render")


class PageSide(Heard):
    """Guard the keys, name the controls, report a lost kernel, ask for a new still, play."""

    _esm = script(*JOBS)
    _css = PICTURE_STYLE + (HERE / "explorer.css").read_text(encoding="utf-8").replace(
        "DARK ", f":is({DARK_THEMES}) "
    )

    def __init__(self, hear: Callable[[dict[str, object]], None]):
        super().__init__(layout=Layout(display="none"))
        self.on_msg(lambda _page, said, _buffers: hear(said))
