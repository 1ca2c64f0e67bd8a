"""An explorer on a page: its first picture and words, controls, and the script with the others."""

from __future__ import annotations

import base64
import gzip
import html
import json
from functools import cached_property
from typing import Any

from course_utils.plots.scene.scene import Scene

EXPLORER = "application/vnd.course.tour+json"


class Explorer:
    """A tour that a lecture's run has told."""

    def __init__(self, key: str, stem: str, tour: dict[str, Any]):
        self.key, self.stem, self.tour = key, stem, tour

    @property
    def script(self) -> str:
        """Return where the script with all pictures lies."""
        return f"tours/{self.key}.js"

    @property
    def picture(self) -> str:
        """Return the first picture as a file, which says in words what it shows."""
        first = self._whole["states"][self._first]
        parts = (self._whole["parts"][number] for number in first["parts"])
        width, height = first["size"]
        look = {name.replace("-", "_"): value for name, value in self._whole["look"].items()}
        shown = dict(zip(first["order"], parts, strict=True))
        return Scene(width, height, shown, look).svg(first["words"])

    @property
    def words(self) -> str:
        """Return what the first picture shows."""
        return str(self._whole["states"][self._first]["words"])

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of the first picture."""
        width, height = self._whole["states"][self._first]["size"]
        return width, height

    @property
    def start(self) -> dict[str, Any]:
        """Return what the page must know before it is touched: controls, their stops and starts."""
        of = self.tour["readings"][0] if self.tour["kind"] == "one" else self.tour
        about = zip(self.tour["controls"], of["stops"], of["start"], strict=True)
        controls = [{**control, "stops": stops, "start": start} for control, stops, start in about]
        start = {"kind": self.tour["kind"], "controls": controls}
        if self.tour["kind"] == "twin":
            start |= {"names": self.tour["names"], "look": self._whole["look"]}
            start |= {"models": self.models}
        return start

    @property
    def models(self) -> list[str]:
        """Return the names of the models that the page's own computing needs."""
        return list(self.tour["twin"]["models"]) if self.tour["kind"] == "twin" else []

    def script_text(self) -> bytes:
        """Return a script that gives the page the whole tour."""
        left_out = ("controls", "packed") if self.tour["kind"] == "twin" else ("controls",)
        told = {name: part for name, part in self.tour.items() if name not in left_out}
        return f"course.tour({json.dumps(self.key)},{json.dumps(told)});\n".encode()

    @cached_property
    def _whole(self) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(self.tour["packed"])))
        return whole

    @property
    def _first(self) -> int:
        if self.tour["kind"] == "twin":
            return 0
        if self.tour["kind"] == "one":
            reading = self.tour["readings"][0]
            shown = (at[n] for at, n in zip(reading["at"], reading["start"], strict=True))
            return int(next(number for number in shown if number is not None))
        number = 0
        for stops, start in zip(self.tour["stops"], self.tour["start"], strict=True):
            number = number * len(stops) + start
        return int(self.tour["at"][number])


def explorer_html(explorer: Explorer, picture: str) -> str:
    """Return an explorer as it stands on a page before anybody touches it."""
    width, height = explorer.size
    start = json.dumps(explorer.start, ensure_ascii=False).replace("</", "<\\/")
    title = html.escape(explorer.tour["title"])
    words = html.escape(explorer.words)
    return (
        f'<figure class="explorer" data-explorer="{html.escape(explorer.key)}" '
        f'data-script="{html.escape(explorer.script)}" aria-label="{title}">'
        f'<p class="title">{title}</p>'
        f'<script type="application/json">{start}</script><div class="controls"></div>'
        f'<div class="picture" tabindex="0" style="--wide:{width}px"><img class="course-picture" '
        f'src="{picture}" width="{width}" height="{height}" alt="{words}"></div>'
        f'<figcaption aria-live="polite">{words}</figcaption>'
        '<noscript><p class="aside">With JavaScript switched on, this picture has controls.</p>'
        "</noscript></figure>"
    )
