"""Which filters fire on which letters of a word, and what one of them likes best elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.patches import Rectangle

from course_utils.plots.glyphs import readable
from course_utils.plots.style import (
    BLUE,
    FONT_SIZE,
    INK,
    ORANGE,
    add_headline,
    new_figure,
    style_axes,
)

FILTERS, FAVOURITES, NEAREST = 6, 6, 5
LEAST_SLOTS, SLOTS = 14, 22  # of a word that are drawn


class LetterView(NamedTuple):
    """A word's letters, the filters that fire on it, one filter's favourites, words alike."""

    word: str
    letters: Sequence[str]
    fired: Sequence[Any]  # fields number, width, start, letters, strength; strongest first
    chosen: int  # place among them
    favourites: Sequence[tuple[str, str, float]]  # letters, a word that has them, strength
    nearest: Sequence[tuple[str, float]]  # words, cosines
    known: bool  # has the model read this word in training?
    note: str = ""


class LetterDrawing:
    """Above the letters one bar per filter; at the right the chosen filter's favourites."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.1, height=4.0)
        left, right = self.figure.subplots(1, 2, width_ratios=(3, 2))
        self.left, self.right = style_axes(left), style_axes(right)
        for ax in (left, right):
            ax.grid(False)
            ax.set_xticks([])
            ax.set_yticks([])
            for side in ("left", "bottom"):
                ax.spines[side].set_visible(False)
        left.set(xlim=(-0.6, SLOTS + 2.6), ylim=(FILTERS + 0.5, -1.6))
        right.set(xlim=(0, 1), ylim=(1, 0))
        label = {"size": FONT_SIZE, "color": INK, "va": "center", "parse_math": False}
        self.boxes = [Rectangle((0, 0), 1, 0.8) for _ in range(FILTERS)]
        for box in self.boxes:
            left.add_patch(box)
        self.slots = [left.text(n, -0.8, "", ha="center", **label) for n in range(SLOTS)]
        self.sees = [left.text(0, row, "", ha="center", **label) for row in range(FILTERS)]
        self.names = [
            left.text(SLOTS + 2.6, row, "", ha="right", **label) for row in range(FILTERS)
        ]
        block = {**label, "va": "top", "linespacing": 1.45}
        half = (FAVOURITES + 2) / (FAVOURITES + NEAREST + 3)  # where the second list begins
        self.lists = [right.text(0.06, y, "", **block) for y in (0, half)]
        self.headline = add_headline(left)
        self.headline.set_parse_math(False)
        self.moving = (
            *self.boxes, *self.slots, *self.sees, *self.names, *self.lists, self.headline,
        )  # fmt: skip

    def show(self, view: LetterView) -> str:
        """Show a word's filters, and the favourites of the chosen one."""
        first = first_slot(view)
        wide = min(max(LEAST_SLOTS, len(view.letters)), SLOTS)
        slots = [readable(letter, 2) for letter in view.letters[first : first + wide]]
        if first:
            slots[0] = "…"
        if first + wide < len(view.letters):
            slots[-1] = "…"
        self.left.set_xlim(-0.6, wide + 2.6)
        for n, text in enumerate(self.slots):
            text.set_text(slots[n] if n < len(slots) else "·" if n < wide else "")
        strongest = max((one.strength for one in view.fired), default=1.0)
        for row, box in enumerate(self.boxes):
            one = view.fired[row]
            start = max(0, one.start - first)
            shown = max(0, min(one.start + one.width - first, wide) - start)
            box.set(xy=(start - 0.45, row - 0.4), width=max(shown - 0.1, 0.0))
            box.set_facecolor(ORANGE if row == view.chosen else BLUE)
            box.set_alpha(0.25 + 0.5 * max(one.strength, 0) / max(strongest, 1e-9))
            away = 0.5 if one.start < first else wide - 0.5  # to which side it lies
            self.sees[row].set(
                x=start + shown / 2 - 0.5 if shown else away,
                text=readable(one.letters, 8) if shown else "…",
            )
            self.names[row].set(x=wide + 2.6, text=f"{one.strength:+.1f}")
        chosen = view.fired[view.chosen]
        likes = [_favourite(*one) for one in view.favourites]
        near = [_near(*one) for one in view.nearest]
        self.lists[0].set_text("\n".join([f"filter {chosen.number} likes:", *likes]))
        self.lists[1].set_text("\n".join(["spelled most like it:", *near]))
        self.headline.set_text(_headline(view))
        return letters_in_words(view)


def first_slot(view: LetterView) -> int:
    """Return the first letter that is drawn: of a long word, the part that the filter sees."""
    chosen = view.fired[view.chosen]
    middle = chosen.start + chosen.width // 2 - SLOTS // 2
    first: int = max(0, min(middle, len(view.letters) - SLOTS))
    return first


def _favourite(letters: str, word: str, strength: float) -> str:
    return f"{readable(letters, 8)}   in {readable(word, 16)}  {strength:+.1f}"


def _near(word: str, cosine: float) -> str:
    return f"{readable(word, 18)}  {cosine:.2f}"


def _headline(view: LetterView) -> str:
    what = "known" if view.known else "never read in training"
    chosen = view.fired[view.chosen]
    sees = readable(chosen.letters, 8)
    return f"{readable(view.word, 16)}, {what}: filter {chosen.number} fires on {sees}"


def letters_in_words(view: LetterView) -> str:
    """Return which filters fire on which letters, and which words are spelled alike."""
    fired = ", ".join(f"{one.letters} ({one.strength:+.1f})" for one in view.fired)
    likes = ", ".join(letters for letters, *_ in view.favourites)
    near = ", ".join(word for word, _ in view.nearest)
    note = f" {view.note}" if view.note else ""
    return (
        f"{_headline(view)}. The filters that fire most see {fired}, in standard deviations above "
        f"their mean. The chosen one likes {likes}. Spelled most like it: {near}.{note}"
    )
