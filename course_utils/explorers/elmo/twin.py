"""What the twins of lecture 09 need beside the model: the drawings' frames, letters, counts."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_hex

from course_utils.analysis.elmo.judged import word_counts
from course_utils.explorers.elmo.shared import shipped, training_texts
from course_utils.explorers.machinery.tours import Twin
from course_utils.explorers.machinery.twin import chart_of
from course_utils.models.elmo.bilm import SHIPPED
from course_utils.plots.elmo.contextual import layer_name
from course_utils.plots.elmo.gap import LONGEST, SHOWN, SIDES, GapDrawing, GapView, SideView
from course_utils.plots.elmo.layers import LETTERS, MOST_TOKENS, LayerDrawing, LayerView
from course_utils.plots.style import INK

MODELS = (SHIPPED["small"],)


def twin_of_gap(most: int, otherwise: str) -> Twin:
    """Return the twin of a gap that is filled from both sides."""

    def data() -> dict[str, object]:
        side = SideView(["a"] * SHOWN, np.full(SHOWN, 0.5), 1, 0.5)
        shown = GapView(["a"], 0, True, dict.fromkeys(SIDES, side))
        return {
            "chart": chart_of(GapDrawing(), [shown], still=True),
            "counts": (word_counts(shipped(), training_texts()) + 1).tolist(),
            "sides": SIDES,
            "shown": SHOWN,
            "longest": LONGEST,
            **_common(most, otherwise),
        }

    return Twin("gap", MODELS, data)


def twin_of_layers(levels: int, otherwise: str) -> Twin:
    """Return the twin of a sentence's layers."""

    def data() -> dict[str, object]:
        drawing = LayerDrawing()
        shown = LayerView(["a"] * MOST_TOKENS, np.eye(MOST_TOKENS), 0, 0)
        colours = drawing.image.get_cmap()
        return {
            "chart": chart_of(drawing, [shown], still=True),
            "names": [layer_name(level) for level in range(levels)],
            "letters": LETTERS,
            "colours": [to_hex(colours(n)) for n in range(colours.N)],
            "limits": drawing.image.get_clim(),
            **_common(MOST_TOKENS, otherwise),
        }

    return Twin("layers", MODELS, data)


def _common(most: int, otherwise: str) -> dict[str, object]:
    return {"most": most, "otherwise": otherwise, "ink": INK}
