"""Whatever stands in an explorer's fields, it is drawn and told, or refused in words."""

from __future__ import annotations

import math

import ipywidgets as widgets
import pytest
from hypothesis import strategies as st

from course_utils import explorers
from course_utils.explorers.machinery.explorer import sendable
from course_utils.plots.picture import with_words

SIGNS = [*"ab I.,<>&$\\{}_^%\n\t", "\ud83d", "\0", "é", "語", "🙂", "\u202e", "the", " keys "]
TEXTS = st.text() | st.lists(st.sampled_from(SIGNS), max_size=30).map("".join)


def values_of(control: widgets.Widget) -> st.SearchStrategy:
    """Return all that a control can be made to say."""
    if isinstance(control, widgets.Text):
        return TEXTS.map(sendable)
    if isinstance(control, widgets.FloatLogSlider):
        return st.floats(control.min, control.max).map(lambda power: control.base**power)
    if isinstance(control, widgets.FloatSlider):
        return st.floats(control.min, control.max)
    if isinstance(control, widgets.IntSlider):
        return st.integers(control.min, control.max)
    if isinstance(control, widgets.Checkbox | widgets.ToggleButton):
        return st.booleans()
    return st.sampled_from([value for _, value in control._options_full])


def positions_of(control: widgets.Widget) -> float:
    """Return how many values a control can have, where that may be fewer than are drawn."""
    if isinstance(control, widgets.Checkbox | widgets.ToggleButton):
        return 2
    return len(getattr(control, "_options_full", ())) or math.inf


@pytest.mark.parametrize("name", explorers.__all__)
def test_any_values_together_are_told_or_refused_in_words(name, drawing):
    """Catches: two controls that nobody moved together, NumPy's error in the place of advice, and
    words that no browser can be sent."""
    explorer = getattr(explorers, name)()
    fields = {name: values_of(control) for name, control in explorer.controls.items()}
    different = math.prod(map(positions_of, explorer.controls.values()))

    @drawing(st.fixed_dictionaries(fields), cases=min(12, different))
    def _(values):
        try:
            data = explorer.compute(**values)
        except ValueError as refused:  # in words: longer than a name or a number
            told = str(refused)
            data = None
        if data is None:
            assert len(told) > 50
            return
        words = with_words(explorer.drawing.show(data))
        assert words.strip()
        assert words.encode()
        table = explorer.tabulate(data)
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.headers)}

    explorer.close()
