"""A page that holds two pictures: a scene, and what matplotlib's own Agg makes of it."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image
from playwright.sync_api import Browser

from course_utils.explorers import machinery
from course_utils.explorers.machinery.canvas import Canvas
from course_utils.plots.picture import STYLE
from course_utils.plots.scene.scene import Scene

SCALE = 2  # pixels of the screen for one of the picture
TOLERANCE = 48  # of 255: edges are smoothed in two ways
SCRIPT = (Path(machinery.__file__).parent / "page" / "scene.js").read_text(encoding="utf-8")
PAGE = f"""<!doctype html><style>{STYLE} body {{ margin: 0; background: white }}
svg, img {{ display: block }}</style>
<div id="ours" class="course-picture"></div><img class="course-picture">
<script>{SCRIPT}; window.draw = openScene(document.querySelector("#ours"));</script>"""
SHOW = """async ([scene, size, png, light]) => {
  document.body.dataset.jpThemeLight = light;
  window.draw(scene);
  Object.assign(document.querySelector("svg").style,
    { width: `${size[0]}px`, height: `${size[1]}px` });
  const img = document.querySelector("img");
  Object.assign(img, { src: png, width: size[0], height: size[1] });
  await img.decode();
}"""


class ScenePage:
    """Shows pictures side by side, in either theme."""

    def __init__(self, chromium: Browser):
        self.page = chromium.new_page(
            device_scale_factor=SCALE, viewport={"width": 1000, "height": 1400}
        )
        self.page.set_content(PAGE)

    def both(self, scene: Scene, png: bytes, light: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Return the pixels of a scene and of a picture in that place."""
        size = [scene.width, scene.height]
        data = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        whole = json.loads(json.dumps({"number": 0, **scene.whole()}))
        self.page.evaluate(SHOW, [whole, size, data, str(light).lower()])
        clip = {"x": 0, "y": 0, "width": size[0], "height": 2 * size[1]}
        shot = Image.open(io.BytesIO(self.page.screenshot(clip=clip))).convert("RGB")
        ours, theirs = np.split(np.asarray(shot).astype(int), 2)
        return ours, theirs

    def moved_on(self, scene: Scene, times: int) -> int:
        """Show a scene and an empty one in turn; return how many elements the page then has."""
        whole = {"number": 0, **scene.whole()}
        empty = {**whole, "order": [], "parts": {}}
        self.page.evaluate(
            "([one, other, times]) => { while (times--) { draw(other); draw(one); } }",
            [whole, empty, times],
        )
        return self.page.evaluate("() => document.querySelectorAll('*').length")


def agg(canvas: Canvas) -> bytes:
    """Return a canvas's figure as Agg draws it, everything in the places that it has."""
    figure, own, engine = canvas.figure, canvas.figure.canvas, canvas.figure.get_layout_engine()
    with mpl.rc_context({"text.hinting": "none"}):
        try:
            figure.set_layout_engine("none")
            figure.set_dpi(SCALE * figure.dpi)
            pixels = FigureCanvasAgg(figure)
            pixels.draw()
            for artist in canvas.moving:
                artist.draw(pixels.get_renderer())
            file = io.BytesIO()
            Image.fromarray(np.asarray(pixels.buffer_rgba())).save(file, "png")
        finally:
            figure.set_dpi(figure.dpi / SCALE)
            figure.set_canvas(own)
            figure.set_layout_engine(engine)
    return file.getvalue()


def disagreement(one: np.ndarray, other: np.ndarray) -> int:
    """Return at how many places a colour of one is found nowhere within half a pixel in the other.

    A place is 2 x 2 pixels of the screen: where two shapes meet, half a pixel of each may hide a
    row that is one pixel high.
    """
    strange = _strange(one, other) | _strange(other, one)
    return int((strange[1:, 1:] & strange[:-1, 1:] & strange[1:, :-1] & strange[:-1, :-1]).sum())


def _strange(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return pixels whose colour lies outside of all that the other has around that place."""
    edge = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge")
    height, width, _ = other.shape
    around = [edge[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    low, high = np.minimum.reduce(around) - TOLERANCE, np.maximum.reduce(around) + TOLERANCE
    return ((one < low) | (one > high)).any(axis=2)
