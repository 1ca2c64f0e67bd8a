"""A renderer for matplotlib that keeps what is drawn as SVG, one part for each artist."""

from __future__ import annotations

import base64
import html
import io
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib import image as images
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextToPath
from matplotlib.transforms import Affine2D, Transform

from course_utils.plots.scene import paths, text
from course_utils.plots.scene.shapes import Shape, markup
from course_utils.plots.scene.tags import attributes, tag

CAPS = {"butt": None, "projecting": "square", "round": "round"}
MANY = 100  # points of a line
HATCH_TILE = 72  # points: what matplotlib repeats


class Part(NamedTuple):
    """What one artist draws: shapes, and by name what they refer to (clips, markers, hatches)."""

    svg: str
    needs: dict[str, str]


class Recorder(RendererBase):
    """Write every shape that matplotlib asks for as an element; positions in page pixels."""

    def __init__(self, width: float, height: float, dpi: float):
        super().__init__()
        self.width, self.height, self.dpi = width, height, dpi
        self._shapes: list[Shape] = []
        self._needs: dict[str, str] = {}

    def part(self, draw: Callable[[RendererBase], object], order_matters: bool = True) -> Part:
        """Return what is drawn by a call."""
        self._shapes, self._needs = [], {}
        draw(self)
        return Part(markup(self._shapes, order_matters), self._needs)

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the picture's size in pixels."""
        return self.width, self.height

    def points_to_pixels(self, points: Any) -> Any:
        """Return lengths in pixels."""
        return points * self.dpi / 72

    def option_image_nocomposite(self) -> bool:
        """Return that images stay apart."""
        return True

    def option_scale_image(self) -> bool:
        """Say that images may be scaled: the page enlarges them."""
        return True

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: object
    ) -> tuple[float, float, float]:
        """Return how large a text is in pixels."""
        width, height, depth = text.measured(s, prop, bool(ismath))
        scale = self.points_to_pixels(1)
        return width * scale, height * scale, depth * scale

    def draw_path(
        self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: object = None
    ) -> None:
        """Draw a line or an area."""
        place = paths.flipped(transform, self.height)
        matrix = place.get_affine().get_matrix() if place.is_affine else None
        if path is Path.unit_circle() and matrix is not None and not matrix[0, 1]:
            (rx, _, cx), (_, ry, cy), _ = matrix.tolist()
            look = self._look(gc, rgbFace)
            self._add(gc, look, "ellipse", cx=cx, cy=cy, rx=abs(rx), ry=abs(ry))
            return
        is_open = rgbFace is None and gc.get_hatch() is None
        line = paths.cut(path, place, (self.width, self.height) if is_open else None)
        # of many points none is seen alone, but dashes count every step
        digits = 1 if len(line.codes) > MANY and gc.get_dashes()[1] is None else 2
        self._add(gc, self._look(gc, rgbFace, line), "path", d=paths.data(line, digits))

    def draw_markers(
        self, gc: GraphicsContextBase, marker_path: Path, marker_trans: Transform,
        path: Path, trans: Transform, rgbFace: object = None,
    ) -> None:  # fmt: skip
        """Draw one shape at every point of a path."""
        line = paths.cut(path, paths.flipped(trans, self.height), None)
        if not len(line.points):
            return
        shape = paths.cut(marker_path, marker_trans + Affine2D().scale(1, -1), None)
        drawn = tag("path", d=paths.data(shape), **self._look(gc, rgbFace, shape))
        name = self._need("marker", drawn, markerUnits="userSpaceOnUse", overflow="visible")
        ends = dict.fromkeys(("marker_start", "marker_mid", "marker_end"), f"url(#{name})")
        self._add(gc, {"fill": "none", **ends}, "path", d=paths.data(line))

    def draw_image(
        self, gc: GraphicsContextBase, x: float, y: float, im: Any,
        transform: Transform | None = None,
    ) -> None:  # fmt: skip
        """Draw an image, cell by cell as it is; the page makes it as large as it must be."""
        rows, columns = im.shape[:2]
        alpha: float | None = gc.get_alpha()
        if transform is None:  # resampled, and its alpha is in it
            transform, alpha = Affine2D().scale(columns, rows), None
        place = Affine2D().scale(1 / columns, 1 / rows) + transform + Affine2D().translate(x, y)
        # its first row is the lowest, as matplotlib hands it over
        (a, c, e), (b, d, f), _ = paths.flipped(place, self.height).get_matrix()
        file = io.BytesIO()
        images.imsave(file, im, format="png")
        self._add(
            gc, {}, "image", width=columns, height=rows, preserveAspectRatio="none",
            transform=f"matrix({' '.join(f'{n:.7g}' for n in (a, b, c, d, e, f))})",
            style="image-rendering:pixelated",
            opacity=None if alpha in (None, 1) else float(alpha),
            href=f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}",
        )  # fmt: skip

    def draw_text(
        self, gc: GraphicsContextBase, x: float, y: float, s: str, prop: FontProperties,
        angle: float, ismath: object = False, mtext: object = None,
    ) -> None:  # fmt: skip
        """Write a line of words as letters, and a formula as outlines."""
        place = f"translate({x:.7g} {y:.7g})" + (f"rotate({-angle:.5g})" if angle else "")
        colour, scale = _paint("fill", gc.get_rgb()), self.points_to_pixels(1)
        if colour["fill_opacity"] == 0:  # only keeps room
            return
        if ismath:
            scale *= prop.get_size_in_points() / TextToPath.FONT_SCALE
            uses = "".join(map(self._use, text.outlines(s, prop)))
            self._add(gc, colour, "g", uses, transform=f"{place}scale({scale:.7g})")
            return
        s = text.sendable(s)
        width = self.get_text_width_height_descent(s, prop, False)[0]
        where: dict[str, object] = {"transform": place} if angle else {"x": float(x), "y": float(y)}
        self._add(
            gc, colour | text.face(prop), "text", html.escape(s), **where,
            font_size=prop.get_size_in_points() * scale,
            textLength=float(width) if len(s) > 1 else None,
            style="white-space:pre" if "  " in s or s != s.strip() else None,
        )  # fmt: skip

    def _use(self, glyph: text.Glyph) -> str:
        """Return a letter of a formula, drawn once for all of them."""
        name = self._need("path", d=glyph.outline)
        self._needs[name] = f"<defs>{self._needs[name]}</defs>"
        place = f"translate({glyph.x:.5g} {glyph.y:.5g})"
        if glyph.scale != 1:
            place += f"scale({glyph.scale:.5g})"
        return tag("use", href=f"#{name}", transform=place)

    def _add(
        self, gc: GraphicsContextBase, look: dict[str, object], element: str, inside: str = "",
        **own: object,
    ) -> None:  # fmt: skip
        """Keep a shape, and what it is cut by."""
        self._shapes.append(
            Shape(self._clips(gc), attributes(**look), element, attributes(**own), inside)
        )

    def _clips(self, gc: GraphicsContextBase) -> tuple[str, ...]:
        clips = []
        box = gc.get_clip_rectangle()
        if box is not None:
            x, y, width, height = (float(number) for number in box.bounds)
            y = self.height - y - height
            inside = tag("rect", x=x, y=y, width=width, height=height)
            clips.append(self._need("clipPath", inside))
        path: Any
        path, transform = gc.get_clip_path()
        if path is not None and transform is not None:
            line = paths.cut(path, paths.flipped(transform, self.height), None)
            clips.append(self._need("clipPath", tag("path", d=paths.data(line))))
        return tuple(clips)

    def _need(self, element: str, *inside: str, **attributes: object) -> str:
        """Return the name of something that shapes refer to; the same thing has the same name."""
        content = tag(element, *inside, **attributes)
        name = f"{element[0]}{zlib.crc32(content.encode()):08x}"
        self._needs[name] = f'<{element} id="{name}"{content.removeprefix(f"<{element}")}'
        return name

    def _look(
        self, gc: GraphicsContextBase, face: object, line: paths.Line | None = None
    ) -> dict[str, object]:
        """Return fill and stroke as attributes."""
        alpha = gc.get_alpha() if gc.get_forced_alpha() else None
        look: dict[str, object] = {"fill": "none"} if face is None else _paint("fill", face, alpha)
        if gc.get_hatch() is not None:
            look = {"fill": f"url(#{self._hatch(gc, face, alpha)})"}
        if width := gc.get_linewidth():
            look |= _paint("stroke", gc.get_rgb(), alpha)
            look["stroke_width"] = float(self.points_to_pixels(width))
            join = gc.get_joinstyle()
            look["stroke_linejoin"] = None if join == "round" else join
            look["stroke_linecap"] = CAPS[gc.get_capstyle()]
            offset, dashes = gc.get_dashes()
            if dashes is not None:
                lengths = self.points_to_pixels(np.asarray(dashes))
                look["stroke_dasharray"] = " ".join(f"{length:.7g}" for length in lengths)
                look["stroke_dashoffset"] = float(self.points_to_pixels(offset)) or None
        if line is not None and gc.get_snap() is not False and paths.is_upright(line):
            look["shape_rendering"] = "crispEdges"  # on whole pixels, as Agg draws them
        return look

    def _hatch(self, gc: GraphicsContextBase, face: object, alpha: float | None) -> str:
        """Return the name of a pattern that fills an area with a colour and lines over it."""
        size = float(self.points_to_pixels(HATCH_TILE))
        colour = gc.get_hatch_color()
        drawn = tag(
            "path", d=_hatch_lines(str(gc.get_hatch()), size),
            **_paint("fill", colour, alpha), **_paint("stroke", colour, alpha),
            stroke_width=float(self.points_to_pixels(gc.get_hatch_linewidth())),
            stroke_linejoin="miter",
        )  # fmt: skip
        if face is not None:
            drawn = tag("rect", width=size, height=size, **_paint("fill", face, alpha)) + drawn
        return self._need("pattern", drawn, patternUnits="userSpaceOnUse", width=size, height=size)


@lru_cache(64)
def _hatch_lines(hatch: str, size: float) -> str:
    upside = Affine2D().scale(size, -size).translate(0, size)
    return paths.data(paths.cut(Path.hatch(hatch), upside, None))


def _paint(what: str, colour: Any, alpha: float | None = None) -> dict[str, Any]:
    """Return a colour as two attributes; the second only where one can see through it."""
    seen = float(colour[3] if len(colour) > 3 else 1) if alpha is None else float(alpha)
    return {what: to_hex(colour[:3]), f"{what}_opacity": None if seen == 1 else seen}
