"""Shapes on their way into a picture: what follows each other and looks alike is written as one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from course_utils.plots.scene.tags import attributes


class Shape(NamedTuple):
    """One element of SVG, with the names of what it is cut by."""

    clips: tuple[str, ...]
    look: str  # attributes that it may share with others
    element: str
    own: str  # attributes that are its own
    inside: str = ""

    @property
    def frame(self) -> tuple[object, ...]:
        """Return what shapes must have in common to be written as one row."""
        return self.clips, self.look


def markup(shapes: Iterable[Shape], order_matters: bool = True) -> str:
    """Return shapes as SVG; where none lies on another, those that look alike come together."""
    if not order_matters:
        first: dict[tuple[object, ...], int] = {}
        places = [(first.setdefault(s.frame, len(first)), s) for s in shapes]
        shapes = [shape for _, shape in sorted(places, key=lambda item: item[0])]
    return "".join(_row([*row]) for _, row in groupby(shapes, key=lambda shape: shape.frame))


def _row(shapes: list[Shape]) -> str:
    *clips, look = *shapes[0].clips, shapes[0].look
    if len(shapes) == 1:
        row = "".join(f"<{s.element}{look}{s.own}>{s.inside}</{s.element}>" for s in shapes)
    else:
        inside = (f"<{s.element}{s.own}>{s.inside}</{s.element}>" for s in shapes)
        row = f"<g{look}>{''.join(inside)}</g>"
    for clip in clips:
        row = f"<g{attributes(clip_path=f'url(#{clip})')}>{row}</g>"
    return row
