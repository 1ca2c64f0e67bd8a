"""A loss curve that draws itself while a hand-written loop runs."""

from __future__ import annotations

import html
import time

import ipywidgets as widgets
import numpy as np
from IPython.display import display

from course_utils.explorers.machinery.screen import Screen
from course_utils.plots.language.training import LossDrawing, Losses
from course_utils.plots.picture import STYLE

SECONDS_BETWEEN = 0.25  # drawing more often would slow down what it shows


class LossCurve:
    """Show the loss of a run of `steps` steps: `curve.add(loss)` after each one.

    `highest` is where the vertical axis ends: the loss of a network that knows nothing.
    """

    def __init__(self, steps: int, highest: float):
        self.steps = steps
        self.losses: list[float] = []
        self.drawing = LossDrawing(steps, highest)
        self.image, self.words = Screen(self.drawing), widgets.HTML()
        self._drawn = 0.0
        self._draw()
        display(widgets.VBox([self.image, self.words]))

    def add(self, loss: float) -> None:
        """Take the loss of one more step, and draw when it is time or when it was the last."""
        self.losses.append(float(loss))
        late = time.perf_counter() - self._drawn >= SECONDS_BETWEEN
        if late or len(self.losses) == self.steps:
            self._draw()

    def _draw(self) -> None:
        said = self.drawing.show(Losses(np.array(self.losses)))
        self.image.show(self.image.draw())
        self.words.value = f"<style>{STYLE}</style>{html.escape(said)}"
        self._drawn = time.perf_counter()
