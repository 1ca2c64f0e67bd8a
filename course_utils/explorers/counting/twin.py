"""What the twins of lecture 05 need beside the models: the drawings' frames, networks by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.font_manager import FontProperties

from course_utils.data.counting import Language
from course_utils.explorers.machinery.tours import Twin
from course_utils.explorers.machinery.twin import TICKS, chart_of, scene_after, widths
from course_utils.models import RecurrentLM
from course_utils.plots.counting.cells import Cells, CellsDrawing, TwoNetworks
from course_utils.plots.counting.reading import OneReading, ReadingDrawing
from course_utils.plots.style import FONT_SIZE, INK, look

SHIPPED = ("counting_lstm", "counting_gru", "counting_three_lstm", "counting_three_gru")
Counters = Callable[[str, str], tuple[int, ...]]
HEADLINE = FontProperties(size=FONT_SIZE + 1, weight="bold")
STATES = np.array([[0.0, 1.0], [0.5, -1.0], [-0.25, 0.5], [1.0, 0.0]])


def twin_of_counters(counters: Counters) -> Twin:
    """Return the twin of two networks that read a^n b^n."""

    def data() -> dict[str, object]:
        names = [f"{mark} {name} {word} it" for mark in "✓✗" for name in ("LSTM", "GRU")
                 for word in ("accepts", "refuses")]  # fmt: skip
        side = Cells("LSTM", STATES, (0, 1), True, None)
        right = side._replace(name="GRU", accepted=False)
        shown = TwoNetworks("abc", side, right)
        return {
            "chart": chart_of(CellsDrawing(), [shown]),
            "titles": widths(names, HEADLINE),
            "letters": widths("abc", FontProperties(size=FONT_SIZE)),
            **_common(counters),
        }

    return Twin("counters", SHIPPED, data)


def twin_of_reading(
    counters: Counters,
    read: Callable[[str, str], RecurrentLM],
    readers: Mapping[str, tuple[str, str]],
    names: Mapping[str, str],
    languages: Mapping[str, Language],
    samples: Mapping[str, str],
) -> Twin:
    """Return the twin of what reads any text of a counting language."""

    def data() -> dict[str, object]:
        titles = [f"{mark} The {name} {word} this text" for mark in "✓✗"
                  for name in names.values() for word in ("accepts", "refuses")]  # fmt: skip
        letters = "".join(dict.fromkeys("".join(one.symbols for one in languages.values())))
        wide = widths(letters, TICKS())
        by_hand = {
            f"{language} {kind}": _numbers_of(read(language, kind), kind)
            for language, kind in readers.values()
            if kind in ("hand", "relu")
        }
        says = np.array([[True, False], [False, True], [True, True], [False, False]])
        truth = np.array([[True, True], [True, True], [True, False], [False, False]])
        shown = OneReading("LSTM", "aba", "⊣a", STATES, (0,), says, truth, None, True)
        empty = shown._replace(text="", states=STATES[:1], says=says[:1], truth=truth[:1])
        chart = chart_of(ReadingDrawing(), [shown])
        return {
            "chart": chart,
            "bare": scene_after(ReadingDrawing(), empty).parts[chart["axes"][1]["x"]["name"]],
            "titles": widths(titles, HEADLINE),
            "letters": wide,
            "readers": [*readers.values()],
            "names": names,
            "symbols": {name: one.symbols for name, one in languages.items()},
            "samples": samples,
            "hand": by_hand,
            **_common(counters),
        }

    return Twin("reading", SHIPPED, data)


def _common(counters: Counters) -> dict[str, object]:
    found = {one: {kind: counters(one, kind) for kind in ("lstm", "gru")} for one in ("ab", "abc")}
    inks = {"right": look("measured").ink, "wrong": look("bound").ink, "letter": INK}
    return {"counters": found, "inks": inks}


def _numbers_of(model: RecurrentLM, kind: str) -> dict[str, object]:
    """Return a network made by hand as numbers, its matrices row by row."""
    weights = model.recurrent.weights()
    none = np.zeros(len(weights.W))
    W, U = (part.numpy().ravel().tolist() for part in weights[:2])
    biases = [none if part is None else part.numpy() for part in weights[2:4]]
    return {
        "kind": "elman" if kind == "relu" else "lstm",
        "D": weights.W.shape[1],
        "H": weights.U.shape[1],
        "W": W,
        "U": U,
        "b": biases[0].tolist(),
        "inner": biases[1].tolist() if len(biases) > 1 else none.tolist(),
        "read": model.output.weight.numpy().ravel().tolist(),
        "bias": model.output.bias.numpy().tolist(),
    }
