"""Pictures of lecture 08 say what their data say."""

from __future__ import annotations

import numpy as np

from course_utils.plots.tagging.curves import LabelCurves, LabelCurvesDrawing, plot_label_curves
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.plots.tagging.padding import plot_places
from course_utils.plots.tagging.path import plot_as_read
from course_utils.plots.tagging.throws import plot_throws
from course_utils.plots.tagging.words import (
    PooledDrawing,
    PooledView,
    TaggedDrawing,
    TaggedView,
)

WORDS = ["her", "<b>duck</b>", "$x$"]
TAGGED = TaggedView(WORDS, ["DET", "NOUN", "VERB"], np.array([0.9, 0.8, 0.7]), 1,
                    np.array([2.0, 0.0, -0.5]))  # fmt: skip
POOLED = PooledView(WORDS, "before 1900", 0.75, np.array([0.2, 0.7, 0.1]),
                    np.array([1.5, 0.0, -0.25]), -0.5)  # fmt: skip


def curves(names=("gradual", "scratch")):
    means = {"gradual": np.array([0.8, 0.9]), "scratch": np.array([0.6, 0.88])}
    means = {name: means[name] for name in names}
    lows = {name: mean - 0.02 for name, mean in means.items()}
    highs = {name: mean + 0.02 for name, mean in means.items()}
    return LabelCurves([50, 5000], means, lows, highs, (50, 0.79))


def test_the_word_that_speaks_most_is_named_and_drawn():
    """Catches bars that stay where they were, and a name taken from another word."""
    drawing = TaggedDrawing()
    said = drawing.show(TAGGED)
    assert "is NOUN: 'her' supports it most" in said
    assert [bar.get_height() for bar in drawing.bars][:4] == [2.0, 0.0, -0.5, 0]
    alone = drawing.show(TAGGED._replace(words=["a"], tags=["DET"], sure=np.array([0.5]), place=0,
                                         effects=np.zeros(1)))  # fmt: skip
    assert "no other word matters" in alone
    assert not any(bar.get_height() for bar in drawing.bars)
    drawing.figure.canvas.draw()  # odd words are drawn as they are


def test_weight_and_cost_are_not_exchanged():
    """Catches an explorer that shows weights twice."""
    drawing = PooledDrawing()
    said = drawing.show(POOLED)
    assert "'<b>duck</b>' weighs most" in said
    assert "'her' costs most to leave out" in said
    assert "without 'her' 1.5 nats are lost" in said
    assert [bar.get_height() for bar in drawing.weights][:3] == [0.2, 0.7, 0.1]
    assert [bar.get_height() for bar in drawing.effects][:3] == [1.5, 0.0, -0.25]


def test_curves_say_who_is_ahead_at_both_ends():
    """Catches a winner of the wrong end, and one that is left when it was switched off."""
    plot = plot_label_curves(curves())
    assert "Best with 50 labels: step by step; with 5,000: step by step." in plot.words
    other = curves()
    other.means["scratch"][-1] = 0.95
    assert "with 5,000: from scratch." in plot_label_curves(other).words
    assert "Measured now, 50 labels: 0.79" in plot.words
    assert "At 50 and 5,000: step by step 0.8, 0.9; from scratch 0.6, 0.88." in plot.words
    assert "No start is switched on." in plot_label_curves(curves(())).words
    longer = plot_label_curves(curves()._replace(places=[320, 5120], live=None, across="steps"))
    assert "Ahead after 320 steps: step by step; after 5,120: step by step." in longer.words
    assert longer.ax.get_xlabel() == "steps"
    assert plot.ax.get_xlabel() == "sentences with a label"
    drawing = LabelCurvesDrawing()
    drawing.show(curves())
    drawing.show(curves(("scratch",)))
    assert len(drawing.lines["gradual"].get_xdata()) == 0
    assert not drawing.whiskers["gradual"].get_segments()
    assert len(drawing.whiskers["scratch"].get_segments()) == 2


def test_the_best_row_is_the_one_in_bold_and_the_words_have_all():
    """Catches a winner by one lucky run, a panel without its baseline, a range of another row."""
    runs = {"one": [0.80, 0.96], "other": [0.89, 0.91]}
    second = Panel("second", {"other": [0.3]}, digits=1, least_wins=True)
    plot = plot_runs("Other wins", [Panel("first", runs, 0.5), second])
    assert "first: one 0.88 (0.8 to 0.96); other 0.9 (0.89 to 0.91)" in plot.words
    assert "dashed, list of words 0.5." in plot.words
    assert "second: other 0.3." in plot.words
    heavy = [text.get_text() for text in plot.ax.texts if text.get_weight() == "bold"]
    assert heavy == ["0.900"]
    assert plot.ax.get_xlim()[0] < 0.5
    (dot,) = (line for line in plot.figure.axes[1].lines if line.get_marker() == "o")
    assert list(dot.get_ydata()) == [1]  # beside its name, not in the first row
    lower = plot_runs("Less", [Panel("", runs, least_wins=True, digits=2)])
    heavy = [text.get_text() for text in lower.ax.texts if text.get_weight() == "bold"]
    assert heavy == ["0.88"]


def test_the_bar_is_what_the_axis_says_it_is():
    """Catches a mean drawn where a median is told, and a bar that nothing explains."""
    runs = {"sure": [0.6, 0.6, 0.6], "lucky": [0.5, 0.5, 1.0]}
    mean, median = (plot_runs("x", [Panel("", runs, 0.5)], "y", m) for m in ("mean", "median"))
    for plot, middle, lucky, best in (
        (mean, "mean", "0.667", "0.667"), (median, "median", "0.500", "0.600"),
    ):  # fmt: skip
        across = plot.figure.get_supxlabel()
        assert across == f"y; bar: {middle}; dashed: list of words"
        assert lucky in [text.get_text() for text in plot.ax.texts]
        heavy = [text.get_text() for text in plot.ax.texts if text.get_weight() == "bold"]
        assert heavy == [best]
        assert f"{middle.capitalize()}s: sure 0.6 (0.6 to 0.6)" in plot.words
    alone = plot_runs("x", [Panel("", {"one run": [0.5]})], "y")
    assert alone.figure.get_supxlabel() == "y"  # one run has no middle


def test_an_answer_is_drawn_at_the_word_after_which_it_was_given():
    """Catches a line that is one word late, and a reader's name at the other's line."""
    lines = {"left": np.array([0.4, 0.4]), "both": np.array([0.0, 1.0])}
    plot = plot_as_read("It jumps", "p", ["sailed", "sank"], lines)
    assert "left: sailed 0.4, sank 0.4; both: sailed 0, sank 1" in plot.words
    assert list(plot.ax.lines[1].get_ydata()) == [0.0, 1.0]


def test_padding_is_what_is_no_word():
    """Catches shares of another batch, and words drawn as padding."""
    mask = np.array([[True, True, True, True], [True, False, False, False]])
    plot = plot_places("Half", {"shuffled": mask, "sorted": mask[:1]})
    assert "shuffled: 2 sentences of up to 4 words, 62% of the places are words" in plot.words
    assert "sorted: 1 sentence of up to 4 words, 100%" in plot.words


def test_the_last_throw_is_told_apart():
    """Catches a mean that hides the one throw that cannot be seen."""
    plot = plot_throws("Seen", {"both": np.array([0.1, 0.1, 1.8]), "forward": np.full(3, 1.79)})
    assert "both ways 0.1 nats at all throws but the last, 1.8 there" in plot.words
