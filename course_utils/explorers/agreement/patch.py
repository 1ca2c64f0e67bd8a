"""Move units from one sentence into another, and watch which verb is expected."""

from __future__ import annotations

from typing import Any

from course_utils.analysis.agreement.patching import plural_advantage
from course_utils.data.agreement.lexicon import PLURAL
from course_utils.explorers.agreement.shared import (
    NETWORKS,
    NUMBER_UNIT,
    OTHER_UNITS,
    chosen_pair,
    network,
    sentence_controls,
    units_of,
)
from course_utils.explorers.machinery.controls import choice, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.agreement.sentence import PatchDrawing, PatchStory
from course_utils.plots.style import NETWORKS as NAMES


def explore_patch(units: str = str(NUMBER_UNIT)) -> Explorer:
    """Replace units with their values from the sentence of the other number."""
    return Explorer(
        "One sentence's units in another sentence",
        {
            **sentence_controls(),
            "typed": text("units", units, "such as 3, 14; then Enter", OTHER_UNITS),
            "since": choice("from", ["the subject on", "the last word on"]),
            "cell": choice("network", [(NAMES[cell], cell) for cell in NETWORKS], "lstm"),
        },
        patched_story,
        PatchDrawing(),
        tabulate_patch,
    )


def patched_story(typed: str, since: str, cell: str, **where: Any) -> PatchStory:
    """Read a sentence, its counterpart, and the sentence with the counterpart's units."""
    model, pair = network(cell), chosen_pair(**where)
    units, note = units_of(typed, model)
    last = pair.own.position - 1
    first = last if since == "the last word on" else pair.own.cue or 0
    singular, plural = pair.own.right, pair.own.wrong
    if pair.own.condition[0] == PLURAL:
        singular, plural = plural, singular
    lines = plural_advantage(model, pair.own, pair.other, units, first, (singular, plural))
    words, others = (item.words[: item.position] for item in pair)
    own, source, patched = (line.numpy() for line in lines)
    return PatchStory(words, others, own, source, patched, first, units, note)


def tabulate_patch(story: PatchStory) -> Table:
    """Return the plural form's advantage after every word."""
    rows = zip(story.words, story.own, story.other, story.source, story.patched, strict=True)
    return Table(("word", "as it is", "counterpart's word", "counterpart", "patched"), list(rows))
