"""Pictures of agreement: the words are made of the data, the artists show it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.plots.agreement.rates import (
    RateTable,
    RateTableDrawing,
    plot_intervals,
    plot_rates,
)
from course_utils.plots.agreement.sentence import (
    PatchDrawing,
    PatchStory,
    UnitStory,
    UnitStoryDrawing,
)
from course_utils.plots.agreement.units import (
    RankedUnits,
    RankedUnitsDrawing,
    VerbWeights,
    plot_verb_weights,
)

VALUES = np.array([[1.0, 0.5, np.nan], [0.25, 0.75, 1.0]])
TABLE = RateTable("A headline", ["one", "two"], ["a", "b", "c"], VALUES)


def test_a_table_writes_every_rate_and_its_fall():
    """Catches a transposed table, a NaN that is written, a fall where nothing fell."""
    drawing = RateTableDrawing(2, 3)
    words = drawing.show(TABLE)
    assert [drawing.texts[0, n].get_text() for n in range(3)] == ["1.00", "0.50", ""]
    assert "The lowest, 0.25, is for two, a." in words
    assert "a 62%" in words
    before = np.array([[1.0, 0.9, np.nan], [0.5, 0.75, 1.0]])
    words = drawing.show(TABLE._replace(before=before))
    assert drawing.texts[0, 1].get_text() == "0.90 → 0.50"
    assert drawing.texts[1, 1].get_text() == "0.75"
    assert "The largest fall, by 0.4, is for one, b." in words
    all_lost = drawing.show(TABLE._replace(before=np.array([[1.0, 0.5, np.nan], [0.9, 0.75, 1.0]])))
    assert all_lost.endswith("is for two, a. The largest fall, by 0.65, is there, too.")
    assert plot_rates(TABLE).words.startswith("A headline")
    finer = RateTableDrawing(2, 3, digits=3)
    finer.show(TABLE._replace(values=VALUES - 0.004))
    assert finer.texts[0, 0].get_text() == "0.996"


def test_units_are_ranked_and_compared_with_luck():
    """Catches a ranking by number of unit, and a limit of another quantile."""
    luck = np.linspace(0.4, 0.6, 101)
    units = RankedUnits("Said", "measure", np.array([0.5, 0.9, 0.58, 0.7]), luck, 0.4, 1.0)
    drawing = RankedUnitsDrawing()
    words = drawing.show(units)
    assert drawing.dots.get_ydata().tolist() == [0.9, 0.7, 0.58, 0.5]
    assert [name.get_text() for name in drawing.names] == ["unit 1", "unit 3", "unit 2"]
    assert "Strongest is unit 1 with 0.9" in words
    assert "the best of 4 by luck stays below 0.59 in 95" in words
    assert "2 units are above" in words


def test_weights_say_which_number_they_speak_for():
    """Catches plural and singular exchanged in the words."""
    weights = VerbWeights(5, np.array([-1.0, -2.0, 0.5]), np.array([1.0, 1.0, 0.0]), "abc")
    assert "gives the plural form of 2 of 3 verbs" in plot_verb_weights(weights).words
    turned = VerbWeights(5, weights.plural, weights.singular, "abc")
    assert "gives the singular form of 2 of 3 verbs" in plot_verb_weights(turned).words


def test_a_story_shows_both_readings():
    """Catches the counterpart's line under the sentence's name, and words that do not part."""
    gates = dict.fromkeys("ifoh", np.array([0.1, 0.2, 0.3]))
    own = {**gates, "c": np.array([0.0, 1.0, 2.0])}
    other = {**gates, "c": np.array([0.0, -1.0, 1.75])}
    story = UnitStory(
        7, ["the", "boy", "in"], ["the", "boys", "in"], own, other, (-1.0, 2.0), np.arange(9.0)
    )
    drawing = UnitStoryDrawing()
    words = drawing.show(story)
    assert drawing.cell.get_ydata().tolist() == [0.0, 1.0, 2.0]
    assert drawing.other_cell.get_ydata().tolist() == [0.0, -1.0, 1.75]
    assert drawing.texts[1].get_text() == "boy / boys"
    assert "Unit 7 is 7.00 apart before the verb: no. 2 of 9 units" in words
    assert "by 2, at 'boy'" in words
    assert "a singular verb here, and a plural one" in words


def test_a_patch_says_whether_the_verb_followed():
    """Catches a verdict about the counterpart."""
    lines = np.array([0.0, -2.0]), np.array([0.0, 3.0]), np.array([0.0, 1.0])
    story = PatchStory(["the", "boy"], ["the", "boys"], *lines, 1, [3, 4])
    drawing = PatchDrawing()
    assert drawing.show(story).startswith("The verb follows 2 units")
    assert drawing.lines["patched"].get_ydata().tolist() == [0.0, 1.0]
    stays = story._replace(patched=np.array([0.0, -1.0]), units=[3])
    assert drawing.show(stays).startswith("The verb stays: unit 3 did not decide")
    assert drawing.show(story._replace(units=[])).startswith("Nothing is patched")


class Rate(NamedTuple):
    """What an interval is drawn of."""

    value: float
    low: float
    high: float


def test_an_interval_stands_in_the_row_of_its_name():
    """Catches rows by place where one group lacks a name, bounds exchanged, no level of chance."""
    some, few = Rate(0.6, 0.5, 0.7), Rate(0.9, 0.8, 1.0)
    plot = plot_intervals(
        "Guess", {"first": {"5-gram": some, "lstm": few}, "second": {"lstm": few}}
    )
    assert [label.get_text() for label in plot.ax.get_yticklabels()] == ["5-gram", "LSTM"]
    chance, bar, dot = plot.figure.axes[1].lines
    assert list(chance.get_xdata()) == [0.5, 0.5]
    assert list(bar.get_xdata()) == [0.8, 1.0]
    assert list(dot.get_ydata()) == [1]
    assert "first: 5-gram 0.60 (0.50 to 0.70); LSTM 0.90" in plot.words
    assert plot.words.endswith("second: LSTM 0.90 (0.80 to 1.00).")
