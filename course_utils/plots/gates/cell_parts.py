"""The parts of a cell's drawing: belts, valves, boxes, joints, and ghosts of parts to come."""

from __future__ import annotations

from course_utils.numbers import signed_number
from course_utils.plots.gates.cell_layout import (
    BOX,
    BOX_TOP,
    FULL,
    Belt,
    Box,
    Joint,
    Valve,
)
from course_utils.plots.scene.tags import tag
from course_utils.plots.style import FAINT, INK, PAPER, look
from course_utils.plots.svg import SMALLEST, formula, line_of, plain

LIT = "#eaa800"  # a ring around what is lit; it hides nothing
GHOST = 0.16  # of what the walk has not reached
UNKNOWN = 0.4  # how full a belt without a number is drawn, of its scale
JAWS = FULL + 8  # room for two jaws
DASHES = {"f": "9 4", "z": "9 4", "i": None, "r": None, "o": "9 4 2 4", "g": "3 3", "n": "3 3"}
HOLLOW = 6  # what a belt needs beside the hollow that means minus
THINNEST = 1.5


def thickness(value: float | None, scale: float) -> float:
    """Return how thick a belt is drawn: its value, where `scale` fills it."""
    share = UNKNOWN if value is None else min(abs(value) / scale, 1.0)
    return max(THINNEST, share * FULL)


def draw_belt(belt: Belt, value: float | None, scale: float, alpha: float, back: bool) -> str:
    """Draw one number on its way: thick where it is large, hollow where it is negative."""
    wide = thickness(value, scale)
    negative = value is not None and value < 0
    colour = INK if back else look(belt.look).colour
    thin = "5 4" if negative and wide <= HOLLOW else None
    hollow = max(0.0, wide - HOLLOW) if negative else 0.0
    x, y, turned = belt.sign
    turned += 180 if back else 0
    sign = tag(
        "path", d="M-5 -6 L3 0 L-5 6", fill="none", stroke=colour if negative else PAPER,
        stroke_width=3, data_key=f"{belt.key}-sign",
        style=f"transform:{_at(x, y)} rotate({turned}deg) scale({_sign_size(wide):g})",
    )  # fmt: skip
    return tag(
        "g",
        tag("path", d=belt.path, fill="none", stroke=colour, stroke_width=wide,
            stroke_dasharray=thin, data_key="outer"),
        tag("path", d=belt.path, fill="none", stroke=PAPER, stroke_width=hollow, data_key="inner"),
        sign,
        data_key=f"belt-{belt.key}", opacity=alpha, class_="course-belt",
    )  # fmt: skip


def _at(x: float, y: float) -> str:
    return f"translate({x:g}px,{y:g}px)"


def _sign_size(wide: float) -> float:
    return round(min(1.0, wide / 20), 2) if wide > HOLLOW else 0.0


def draw_valve(valve: Valve, gate: float | None, alpha: float) -> str:
    """Draw a valve as open as its gate."""
    open_to = 0.5 if gate is None else 1 - gate if valve.complement else gate
    closed = (1 - min(max(open_to, 0.0), 1.0)) * JAWS / 2
    edge, half = look(valve.gate).colour, JAWS / 2
    jaws = [
        tag("rect", x=-11, y=-half if side < 0 else half - closed, width=22, height=closed,
            fill=edge, data_key=f"jaw{side}")
        for side in (-1, 1)
    ]  # fmt: skip
    frame = tag(
        "rect", x=-12, y=-half - 3, width=24, height=2 * half + 6, rx=4, fill="none", stroke=edge,
        stroke_width=3, data_key="frame",
    )  # fmt: skip
    turned = 90 if valve.rising else 0
    body = tag(
        "g", *jaws, frame, data_key="body",
        style=f"transform:{_at(valve.x, valve.y)} rotate({turned}deg)",
    )  # fmt: skip
    stem = tag(
        "path", d=valve.stem, fill="none", stroke=edge, stroke_width=3,
        stroke_dasharray=DASHES[valve.gate], data_key="stem",
    )  # fmt: skip
    return tag("g", stem, body, data_key=f"valve-{valve.key}", opacity=alpha)


def draw_box(box: Box, value: float | None, alpha: float, lit: bool) -> str:
    """Draw a gate or the candidate with what it does and its number."""
    width, height = BOX
    left, middle = box.x - width / 2, BOX_TOP + height / 2
    colour = look(box.name)
    place = {"x": left, "y": BOX_TOP, "width": width, "height": height, "rx": 10}
    glow = tag(
        "rect", x=left - 5, y=BOX_TOP - 5, width=width + 10, height=height + 10, rx=14,
        fill="none", stroke=LIT, stroke_width=9, data_key="glow", opacity=1 if lit else 0,
    )  # fmt: skip
    number = "" if value is None else f" {signed_number(value)}"
    return tag(
        "g", glow,
        tag("rect", **place, fill=PAPER, stroke=colour.colour, stroke_width=3, data_key="box"),
        line_of(plain(box.word), x=box.x, y=middle - 5, key="word", text_anchor="middle",
                fill=colour.ink, font_weight="bold"),
        line_of(formula(f"{box.name}_t"), plain(number), x=box.x, y=middle + 18, key="number",
                text_anchor="middle"),
        data_key=f"box-{box.key}", opacity=alpha,
    )  # fmt: skip


def draw_joint(joint: Joint, alpha: float, lit: bool) -> str:
    """Draw an operation in its circle."""
    wide = len(joint.sign) > 2
    half = (29, 15) if wide else (17, 17)
    place = {"x": joint.x - half[0], "y": joint.y - half[1], "rx": half[1],
             "width": 2 * half[0], "height": 2 * half[1]}  # fmt: skip
    big = SMALLEST if len(joint.sign) > 1 else 28
    return tag(
        "g",
        tag("rect", **place, fill="none", stroke=LIT, stroke_width=14, opacity=1 if lit else 0,
            data_key="glow"),
        tag("rect", **place, fill=PAPER, stroke=INK, stroke_width=2.5, data_key="circle"),
        line_of(plain(joint.sign), x=joint.x, y=joint.y + 0.34 * big, key="sign",
                text_anchor="middle", font_size=big),
        data_key=f"joint-{joint.key}", opacity=alpha,
    )  # fmt: skip


def draw_rail(taps: tuple[tuple[str, float, float], ...], height: float, bottom: float) -> str:
    """Draw what is read, and its way into each gate: (key, x, alpha)."""
    end = max(x for _, x, alpha in taps if alpha)
    style = {"fill": "none", "stroke": FAINT, "stroke_width": 3}
    ways = [
        tag("path", d=f"M{x} {height} V{bottom + 9}", opacity=alpha, data_key=f"tap-{key}", **style)
        for key, x, alpha in taps
    ]
    heads = [
        tag("path", d=f"M{x - 6} {bottom + 11} h12 l-6 -9 z", fill=FAINT, opacity=alpha,
            data_key=f"head-{key}")
        for key, x, alpha in taps
    ]  # fmt: skip
    rail = tag("path", d=f"M0 {height} H{end}", data_key="rail", **style)
    return tag("g", rail, *ways, *heads, data_key="read")
