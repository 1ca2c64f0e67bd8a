"""One unit over the words of a sentence, in the singular and in the plural."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import AXES_SHARE, EndLabels
from course_utils.plots.glyphs import drawable
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    add_headline,
    keep_places,
    look,
    new_figure,
    style_axes,
)

GATES = {"i": "input", "f": "forget", "o": "output"}
MOST_WORDS = 20


class UnitStory(NamedTuple):
    """A unit's gates and state over a sentence and over its counterpart."""

    unit: int
    words: Sequence[str]
    other: Sequence[str]  # the counterpart, whose subject has the other number
    values: Mapping[str, np.ndarray]  # i f o c h, (T,) each
    other_values: Mapping[str, np.ndarray]
    margins: tuple[float, float]  # log p(plural) - log p(singular) of the verb, both sentences
    gaps: np.ndarray  # (H,) how far every unit's cells are apart before the verb
    at: int = -1  # the word that is pointed at
    note: str = ""


class UnitStoryDrawing:
    """The cell above, the gates below, word by word; the counterpart is dashed."""

    def __init__(self) -> None:
        self.figure = new_figure(width=7.5, height=4.1)
        keep_places(self.figure, 0.12, 0.295, 0.795, 0.925, hspace=0.14)  # room for any words
        top, low = self.figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        self.top, self.low = style_axes(top), style_axes(low)
        top.axhline(0, color=FAINT, linewidth=1)
        top.set_ylabel("cell $c_t$")
        for ax in (top, low):
            ax.tick_params(labelsize=FONT_SIZE)
        low.set(ylabel="gate", ylim=(-0.05, 1.05))
        own, other = look("c").line_style(), {**look("c").line_style(), "linestyle": "--"}
        (self.cell,) = top.plot([], [], marker="o", markersize=5, **own)
        (self.other_cell,) = top.plot([], [], marker="s", markersize=5, alpha=0.6, **other)
        self.gates = {
            name: low.plot([], [], marker="o", markersize=4, **look(name).line_style())[0]
            for name in GATES
        }
        self.cell_names = EndLabels(
            top, {"own": "this", "other": "other number"},
            {"own": look("c").ink, "other": look("c").ink},
        )  # fmt: skip
        self.gate_names = EndLabels(low, GATES, {name: look(name).ink for name in GATES})
        for names, of_figure in ((self.cell_names, 0.39), (self.gate_names, 0.26)):
            names.gap *= AXES_SHARE / of_figure  # these Axes have less than a whole figure's room
        self.texts = [
            low.text(t, -0.12, "", size=FONT_SIZE, color=INK, ha="right", va="top",
                     rotation=35, rotation_mode="anchor")
            for t in range(MOST_WORDS)
        ]  # fmt: skip
        low.set_xticks([])
        # the room that the slanted words need, kept whatever they are
        low.set_xlabel(" \n \n ", size=FONT_SIZE)
        self.pointed = [ax.axvline(0, color=INK, linewidth=1, linestyle=":") for ax in (top, low)]
        self.headline = add_headline(top)
        self.moving = (
            *self.pointed, self.cell, self.other_cell, *self.gates.values(),
            *self.cell_names.texts.values(), *self.gate_names.texts.values(), *self.texts,
            self.headline,
        )  # fmt: skip

    def show(self, story: UnitStory) -> str:
        """Show one unit's story."""
        T = len(story.words)
        steps = np.arange(T)
        cells = story.values["c"], story.other_values["c"]
        limit = 2 * np.ceil(max(0.5, *(float(np.abs(cell).max()) for cell in cells)) / 2 + 0.1)
        self.top.set(xlim=(-0.4, T - 0.6), ylim=(-limit, limit))
        self.cell.set_data(steps, cells[0])
        self.other_cell.set_data(steps, cells[1])
        for name, line in self.gates.items():
            line.set_data(steps, story.values[name])
        self.cell_names.show({"own": cells[0][-1], "other": cells[1][-1]})
        self.gate_names.show({name: story.values[name][-1] for name in GATES})
        for t, text in enumerate(self.texts):
            text.set_x(t)
            text.set_text(self._word(story, t) if t < T else "")
        for line in self.pointed:
            line.set_xdata([story.at % T] * 2)
        self.headline.set_text(_headline(story))
        return story_in_words(story)

    def _word(self, story: UnitStory, t: int) -> str:
        own, other = drawable(story.words[t]), drawable(story.other[t])
        return own if own == other else f"{own} / {other}"


def _headline(story: UnitStory) -> str:
    """Return how far the unit's two cells are apart, and where that ranks among all units.

    A threshold would name some units in one sentence and not in the next.
    """
    gap = story.gaps[story.unit]
    ahead = int((story.gaps > gap).sum())
    rank = "farthest" if not ahead else f"no. {ahead + 1}"
    return (
        f"Unit {story.unit} is {gap:.2f} apart before the verb: {rank} of {len(story.gaps)} units"
    )


def story_in_words(story: UnitStory) -> str:
    """Return how far the two readings are apart at each word, and what they lead to."""
    gaps = np.abs(story.values["c"] - story.other_values["c"])
    widest, at = int(gaps.argmax()), story.at % len(story.words)
    gates = ", ".join(f"{GATES[g]} {number(story.values[g][at])}" for g in GATES)
    verdicts = ["plural" if margin > 0 else "singular" for margin in story.margins]
    note = f" {story.note}" if story.note else ""
    return (
        f"{_headline(story)}; the median is {number(np.median(story.gaps))}. Its two cells differ "
        f"most, by {number(gaps[widest])}, at '{story.words[widest]}'. At "
        f"'{story.words[at]}' its gates are {gates}. The model expects a "
        f"{verdicts[0]} verb here, and a {verdicts[1]} one in the counterpart.{note}"
    )


class PatchStory(NamedTuple):
    """log p(plural form) - log p(singular form) after each word of three readings."""

    words: Sequence[str]
    other: Sequence[str]
    own: np.ndarray  # (T,)
    source: np.ndarray
    patched: np.ndarray
    since: int  # the word from which the units are replaced
    units: Sequence[int]
    note: str = ""  # what was typed that is not a unit


PATCHED = {"own": "as it is", "source": "counterpart", "patched": "patched"}


class PatchDrawing:
    """Which form is expected, word by word: as read, of the source, and with the patch."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.2, height=3.7)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.axhline(0, color=INK, linewidth=1)
        ax.set_ylabel("singular  ←  verb  →  plural")
        looks = {"own": look("measured"), "source": look("reference"), "patched": look("bound")}
        self.lines = {
            name: ax.plot([], [], marker="o", markersize=5, **style.line_style())[0]
            for name, style in looks.items()
        }
        self.names = EndLabels(ax, PATCHED, {name: style.ink for name, style in looks.items()})
        self.start = ax.axvline(0, color=look("bound").colour, linewidth=1)
        self.texts = [
            ax.text(t, 0, "", size=FONT_SIZE, color=INK, ha="right", va="top", rotation=35,
                    rotation_mode="anchor", transform=ax.get_xaxis_transform())
            for t in range(MOST_WORDS)
        ]  # fmt: skip
        for text in self.texts:
            text.set_y(-0.04)
        ax.set_xticks([])
        ax.set_xlabel(" \n \n ", size=FONT_SIZE)
        self.headline = add_headline(ax)
        self.moving = (
            *self.lines.values(), *self.names.texts.values(), self.start, *self.texts,
            self.headline,
        )  # fmt: skip

    def show(self, story: PatchStory) -> str:
        """Show one patch and say whether the verb followed."""
        T = len(story.words)
        lines = {name: getattr(story, name) for name in PATCHED}
        limit = np.ceil(max(1.0, *(float(np.abs(line).max()) for line in lines.values())) + 0.3)
        self.ax.set(xlim=(-0.4, T - 0.6), ylim=(-limit, limit))
        for name, values in lines.items():
            self.lines[name].set_data(np.arange(T), values)
        self.names.show({name: values[-1] for name, values in lines.items()})
        self.start.set_xdata([story.since, story.since])
        for t, text in enumerate(self.texts):
            own = drawable(story.words[t]) if t < T else ""
            other = drawable(story.other[t]) if t < T else ""
            text.set_text(own if own == other else f"{own} / {other}")
        self.headline.set_text(_verdict(story))
        return patch_in_words(story)


def _verdict(story: PatchStory) -> str:
    if story.note:
        return drawable(story.note, 60)
    before, after = story.own[-1], story.patched[-1]
    if not len(story.units):
        return "Nothing is patched"
    if (before > 0) != (after > 0):
        return f"The verb follows {_units(story)}"
    return f"The verb stays: {_units(story)} did not decide"


def _units(story: PatchStory) -> str:
    count = len(story.units)
    return f"unit {story.units[0]}" if count == 1 else f"{count} units"


def patch_in_words(story: PatchStory) -> str:
    """Return what the patch did to the expectation of the verb."""
    names = ", ".join(map(str, story.units)) or "none"
    return (
        f"{_verdict(story)}. Units replaced from '{story.words[story.since]}' on: {names}. Before "
        f"the verb the plural form's advantage, in nats, is {number(story.own[-1])} as it is, "
        f"{number(story.source[-1])} in the counterpart and {number(story.patched[-1])} patched."
    )
