"""What the twins of lecture 01 need beside the models: the drawings' frames, looks and letters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course_utils.analysis.language.sentence import LIKELIEST
from course_utils.explorers.machinery.looks import looks_of
from course_utils.explorers.machinery.tours import Twin
from course_utils.plots.language.sentence import (
    LONGEST,
    MOST_STEPS,
    SentenceDrawing,
    UnrolledSentence,
)

MOMENTS = {"faint": 0, "forward": MOST_STEPS, "backward": 2 * MOST_STEPS}


def twin_of_sentence(sentence: str, names: Sequence[str]) -> Twin:
    """Return the twin of a walk through a sentence with these shipped models."""

    def data() -> dict[str, object]:
        shown = {look: _walked(moment) for look, moment in MOMENTS.items()}
        return {
            **looks_of(SentenceDrawing(), shown),
            "sentence": sentence,
            "most": MOST_STEPS,
            "longest": LONGEST,
            "likeliest": LIKELIEST,
            "names": names,
        }

    return Twin("sentence", tuple(names), data)


def _walked(moment: int) -> UnrolledSentence:
    """Return a walk in which every column of the drawing is seen."""
    words, zeros = ["a"] * MOST_STEPS, np.zeros(MOST_STEPS)
    shares = np.zeros((MOST_STEPS, LIKELIEST))
    likeliest = [["a"] * LIKELIEST] * MOST_STEPS
    return UnrolledSentence(
        words, words, likeliest, shares, zeros, zeros, zeros, zeros, moment, False, ""
    )
