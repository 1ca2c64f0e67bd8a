"""The headline of the gates says until when the first input is felt."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.plots.gates.preservation import Preservation, PreservationDrawing


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ((1.0, 0.9, 0.4, 0.0), "The first input is felt up to step 2"),
        ((1.0, 1.0, 1.0, 0.6), "The first input is felt to the end"),
        ((0.2, 0.1, 0.1, 0.1), "The first input is never written"),
    ],
)
def test_the_headline_says_until_when(memory, said):
    """Catches steps counted from zero, and words that say otherwise than the headline."""
    half, output = np.full(4, 0.5), np.array([0.0, 0.3, 0.0, 0.0])
    drawing = PreservationDrawing()
    words = drawing.show(Preservation(half, half, half, np.array(memory), output))
    assert drawing.headline.get_text() == said
    assert said.removeprefix("The first input ") in words
