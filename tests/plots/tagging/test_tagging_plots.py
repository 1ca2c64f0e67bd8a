"""Pictures of lecture 08 say what their data say."""

from __future__ import annotations

import numpy as np

from course_utils.plots.tagging.curves import LabelCurves, LabelCurvesDrawing, plot_label_curves
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


def test_curves_say_the_gain_at_both_ends():
    """Catches a gain taken from the wrong curve, and one that is left when it was switched off."""
    plot = plot_label_curves(curves())
    assert "gains 20 points at 50 labels, 2 at 5,000" in plot.words
    assert "Measured now, 50 labels: 0.79" in plot.words
    assert "At 50 and 5,000: step by step 0.8, 0.9; from scratch 0.6, 0.88." in plot.words
    assert "No start is switched on." in plot_label_curves(curves(())).words
    drawing = LabelCurvesDrawing()
    drawing.show(curves())
    drawing.show(curves(("scratch",)))
    assert len(drawing.lines["gradual"].get_xdata()) == 0
    assert not drawing.whiskers["gradual"].get_segments()
    assert len(drawing.whiskers["scratch"].get_segments()) == 2
