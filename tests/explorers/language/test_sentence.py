"""The unrolled sentence says and shows where a longer one was cut."""

from __future__ import annotations

import pytest

from course_utils.explorers import explore_sentence
from course_utils.explorers.language.sentence import SENTENCE


@pytest.mark.parametrize(("sentence", "goes_on"), [(SENTENCE, False), (f"{SENTENCE} and", True)])
def test_a_sentence_too_long_is_seen_to_go_on(sentence, goes_on):
    """Catches a word typed at the end that changes nothing in the picture, as if it were lost."""
    explorer = explore_sentence()
    at_start = {name: control.value for name, control in explorer.controls.items()}
    data = explorer.compute(**{**at_start, "sentence": sentence})
    assert len(data.read) == 7
    words = explorer.drawing.show(data)
    assert ("only the first 8 words" in words) == goes_on
    seen = [text.get_text() for text in explorer.drawing.ax.texts]
    assert ("…" in seen) == goes_on
