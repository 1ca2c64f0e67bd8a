"""What may come next, reshaped by temperature and cuts, and the text that is then written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_utils.plots.characters.text import CELL, LINE, MONO, plain_signs, sign_of
from course_utils.plots.scene.tags import tag
from course_utils.plots.style import BLUE, FAINT, INK
from course_utils.plots.svg import SMALLEST, drawing, line_of, plain

WIDTH, BARS, ROWS, COLUMNS = 790, 10, 12, 42
BAR_AT, BAR_LONG, TEXT_AT, TOP = 34.0, 140.0, 272.0, 50.0


class Written(NamedTuple):
    """The likeliest next characters, before and after reshaping, and one text drawn from it."""

    name: str  # of the model
    prompt: str
    characters: Sequence[str]
    plain: np.ndarray  # their probabilities as the model gives them
    reshaped: np.ndarray  # as they are drawn from
    left: int  # characters that can still be drawn
    text: str
    note: str = ""


class WritingDrawing:
    """Bars for the next character at the left, the written text at the right."""

    width = WIDTH

    def __init__(self) -> None:
        self.scene = drawing(WIDTH, 0)

    def show(self, seen: Written) -> str:
        """Draw both; return how sure the model is, and what it writes."""
        words = writing_in_words(seen)
        parts = [
            line_of(plain("next character"), x=4, y=24, key="left", font_weight="bold"),
            line_of(plain(f"{seen.name} writes"), x=TEXT_AT, y=24, key="right", font_weight="bold"),
        ]
        for n, sign in enumerate(seen.characters[:BARS]):
            parts += _bar(n, sign, float(seen.plain[n]), float(seen.reshaped[n]))
        parts += _text(seen)
        key = TOP + ROWS * LINE + 14
        parts += [
            tag("rect", x=4, y=key - 15, width=18, height=16, fill=BLUE),
            line_of(plain("drawn from"), x=28, y=key, key="key1"),
            tag("rect", x=150, y=key - 15, width=18, height=16, fill="none", stroke=INK,
                stroke_width=2),
            line_of(plain("the model's own"), x=174, y=key, key="key2"),
            line_of(plain("grey: the prompt"), x=TEXT_AT + 100, y=key, key="key3"),
        ]  # fmt: skip
        self.scene = drawing(WIDTH, round(key + 14), *parts)
        return words


def writing_in_words(seen: Written) -> str:
    """Return how many characters can come next, which is likeliest, and the text."""
    first = seen.characters[0]
    named = {"\n": "the end of the line", " ": "a space"}.get(first, sign_of(first))
    text = " ".join(seen.text.split())
    return (
        f"{seen.name}: next is {named} with {100 * seen.plain[0]:.0f}%, and "
        f"{100 * seen.reshaped[0]:.0f}% after reshaping; {_can_be_drawn(seen.left)}. "
        f"It writes: {text or 'nothing visible'} {seen.note}".strip()
    )


def _can_be_drawn(left: int) -> str:
    return "no other character can be drawn" if left == 1 else f"{left} characters can be drawn"


def _bar(n: int, sign: str, own: float, drawn: float) -> list[str]:
    y, height = TOP + n * (LINE + 5), 22.0
    shown = sign_of(sign) if sign != " " else "␣"
    return [
        line_of(plain_signs(shown), x=8, y=y + 18, key=f"sign{n}", font_family=MONO),
        tag("rect", x=BAR_AT, y=y, width=max(0.5, BAR_LONG * drawn), height=height, fill=BLUE,
            data_key=f"drawn{n}"),
        tag("rect", x=BAR_AT, y=y, width=max(0.5, BAR_LONG * own), height=height, fill="none",
            stroke=INK, stroke_width=2, data_key=f"own{n}"),
        line_of(plain(f"{100 * drawn:.0f}%"), x=BAR_AT + BAR_LONG * max(own, drawn) + 8,
                y=y + 18, key=f"share{n}"),
    ]  # fmt: skip


def _text(seen: Written) -> list[str]:
    """Return the end of the prompt and what follows, in lines of 42 characters."""
    whole, begun = seen.prompt + seen.text, len(seen.prompt)
    rows: list[tuple[int, int]] = []
    first = 0
    for line in whole.split("\n"):
        end = first + len(line) + 1
        rows += [(start, min(end, start + COLUMNS)) for start in range(first, end, COLUMNS)]
        first = end
    start = max(0, next((n for n, row in enumerate(rows) if begun < row[1]), 0) - 2)
    parts = []
    for n, (low, high) in enumerate(rows[start : start + ROWS]):
        for piece, key, colour in (
            (whole[low : min(high, begun)], "prompt", "#6b6b6b"),
            (whole[max(low, begun) : high], "text", INK),
        ):
            if low > begun and key == "prompt":
                continue
            signs = "".join(map(sign_of, piece))
            at = TEXT_AT + (CELL * max(0, begun - low) if key == "text" and low < begun else 0)
            places = " ".join(f"{CELL * k:g}" for k in range(len(signs)))
            parts.append(
                line_of(
                    tag("tspan", plain_signs(signs), x=places or None), x=at,
                    y=TOP + LINE * n + 18, key=f"{key}{n}", font_family=MONO,
                    font_size=SMALLEST, fill=colour,
                )
            )  # fmt: skip
    parts.append(tag("rect", x=TEXT_AT - 16, y=TOP - 6, width=2, height=ROWS * LINE, fill=FAINT))
    return parts
