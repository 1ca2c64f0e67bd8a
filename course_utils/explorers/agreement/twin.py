"""What the twin of one unit needs beside the model: sentences, forms, the drawing's frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import ipywidgets as widgets
import numpy as np

from course_utils.data.agreement.corpus import NEUTRAL
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import NUMBERS, PLURAL
from course_utils.explorers.machinery.frame import frame_of
from course_utils.explorers.machinery.tours import Twin, stops_of
from course_utils.plots.agreement.sentence import MOST_WORDS, UnitStory, UnitStoryDrawing

SHOWN_UNITS = 8


def twin_of_unit(
    controls: Mapping[str, widgets.Widget],
    item: Callable[[str, int, str, str], AgreementItem],
    other_form: Mapping[str, str],
) -> Twin:
    """Return the twin of one unit over a sentence and its counterpart."""

    def data() -> dict[str, object]:
        drawing = UnitStoryDrawing()
        kinds, which = (
            [value for _, value in stops_of(controls[name], None)] for name in ("kind", "which")
        )
        return {
            **frame_of(drawing, [_story(1), _story(2)], controls),
            "gaps": [drawing.cell_names.gap, drawing.gate_names.gap],
            "mostWords": MOST_WORDS,
            "neutral": NEUTRAL,
            "plural": PLURAL,
            "otherForm": other_form,
            "items": {
                " ".join((kind, *numbers)): [_told(item(kind, n, *numbers)) for n in which]
                for kind, *numbers in product(kinds, NUMBERS, NUMBERS)
            },
        }

    return Twin("agreement_unit", ("agreement_lstm",), data)


def _told(item: AgreementItem) -> dict[str, object]:
    """Return a sentence up to its verb, the verb's two forms and the number of the subject."""
    words = item.words[: item.position]
    return {
        "words": words, "right": item.right, "wrong": item.wrong, "condition": item.condition,
    }  # fmt: skip


def _story(scale: int) -> UnitStory:
    """Return a story in which every artist of the drawing is seen."""
    values = {name: np.linspace(0, 3 * scale, MOST_WORDS) for name in "ifoch"}
    words = ["word"] * MOST_WORDS
    return UnitStory(0, words, words, values, values, (0.0, 0.0), np.zeros(SHOWN_UNITS), scale, "")
