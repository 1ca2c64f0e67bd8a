"""Walk through a sentence gate by gate, or back with the gradient, drawing and numbers together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from course_utils.analysis.gates.walk import MOST_TOKENS, Walk, walk_through
from course_utils.analysis.gates.way_back import gradients_on_the_way_back
from course_utils.explorers.gates.twin import twin_of_walk
from course_utils.explorers.machinery.controls import choice, slider, stops, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models import RecurrentLM
from course_utils.plots.gates.cell_layout import layout_of
from course_utils.plots.gates.equations import GateSum
from course_utils.plots.gates.walk import ROWS, GateView, GateWalkDrawing
from course_utils.plots.glyphs import readable
from course_utils.shipped import load_recurrent_lm

SENTENCES = (
    "We are at peace with all the world. ¶ The revenue of the year",
    "The state of the Union is strong, and the people of the United States are free.",
    "Our relations with Spain are friendly. ¶ The post office has been extended to new States.",
)
# whose last words let a gradient through as far as the ¶
WAY_BACK = "We are at peace with all the world. ¶ The post office has been extended."
STORY_UNITS = {"lstm": 57, "gru": 109}  # those whose gate closes where a paragraph begins
LONGEST_TEXT = 2000  # letters that are read
WAYS = (("forward, the values", "forward"), ("back, the gradient", "back"))
NAMES = {"lstm": "LSTM", "gru": "GRU"}
TWIN = {"forget": "update", "input": "reset", "cell": "state", "output": "state",
        "update": "forget", "reset": "input", "state": "output"}  # fmt: skip


class Walkthrough:
    """Trained models, the controls that choose a place in a sentence, and what is seen there."""

    def __init__(
        self,
        models: Mapping[str, RecurrentLM],
        kind: str,
        unit: int,
        sentences: tuple[str, ...],
        way: str = "forward",
    ):
        self.models = models
        self.read = lru_cache(maxsize=16)(lambda kind, typed: walk_through(models[kind], typed))
        self.gradients = lru_cache(maxsize=16)(self._gradients)
        self.kind = kind  # of the steps that the slider offers now
        self.twin = twin_of_walk([*models], sentences, WAYS, STORY_UNITS, TWIN)
        units = models[kind].recurrent.hidden_size
        self.controls = {
            "sentence": choice("sentence", sentences),
            "own": text("or your own", "", "type a sentence and press Enter; ¶ begins a paragraph"),
            "unit": slider("unit", 0, units - 1, min(unit, units - 1), 1),
            "way": choice("way", WAYS, way),
            "step": stops("step", self._places(self.read(kind, sentences[0]), way)),
        }
        if len(models) > 1:
            cell = choice("cell", [(NAMES[name], name) for name in models], kind)
            self.controls = {"cell": cell, **self.controls}

    def set_controls(
        self, sentence: str, own: str, unit: int, way: str, step: int, cell: str = ""
    ) -> None:
        """Offer the steps of what is read; a new cell alone keeps the place."""
        kind = cell or self.kind
        walk = self.read(kind, typed_or_chosen(own, sentence))
        slider, places = self.controls["step"], self._places(walk, way)
        if kind != self.kind and unit == STORY_UNITS[self.kind]:
            self.controls["unit"].value = STORY_UNITS[kind]
        if slider.options != places:
            kept = self._same_place(step, walk, way) if kind != self.kind else 0
            slider.options = places
            slider.value = kept
        self.kind = kind

    def view(
        self, sentence: str, own: str, unit: int, way: str, step: int, cell: str = ""
    ) -> GateView:
        """Return what is seen at a place."""
        kind, typed = cell or self.kind, typed_or_chosen(own, sentence)
        walk = self.read(kind, typed)
        t, stop = self._place(kind, step, len(walk.words), way)
        back = self.gradients(kind, typed, unit) if way == "back" else None
        return view_of(walk, unit, t, stop, back)

    def _gradients(self, kind: str, typed: str, unit: int) -> dict[str, np.ndarray]:
        return gradients_on_the_way_back(self.models[kind], self.read(kind, typed), unit)

    def _places(self, walk: Walk, way: str) -> tuple[tuple[str, int], ...]:
        """Return every stop of every word with its name, in the order of the walk."""
        T = len(walk.words)
        count = T * len(layout_of(walk.kind).stops)
        found = (self._place(walk.kind, step, T, way) for step in range(count))
        names = (f"{t + 1} {readable(walk.words[t])} · {stop}" for t, stop in found)
        return tuple((name, number) for number, name in enumerate(names))

    def _place(self, kind: str, step: int, T: int, way: str) -> tuple[int, str]:
        """Return word and stop of a step; the way back begins at the last of both."""
        stops = layout_of(kind).stops
        t, stop = divmod(min(step, T * len(stops) - 1), len(stops))  # another text is shorter
        if way == "back":
            return T - 1 - t, stops[-1 - stop]
        return t, stops[stop]

    def _same_place(self, step: int, walk: Walk, way: str) -> int:
        """Return the step at which the new cell does at the same word what the old one did."""
        T = len(walk.words)
        if step >= T * len(layout_of(self.kind).stops):
            return 0
        t, stop = self._place(self.kind, step, T, way)
        stops = layout_of(walk.kind).stops
        at = stops.index(TWIN.get(stop, stop))
        if way == "back":
            t, at = T - 1 - t, len(stops) - 1 - at
        return t * len(stops) + at


def typed_or_chosen(own: str, sentence: str) -> str:
    """Return the reader's own sentence, or the chosen one where nothing is typed."""
    return own[:LONGEST_TEXT] if own.strip() else sentence


def view_of(
    walk: Walk,
    unit: int,
    t: int,
    stop: str,
    gradients: Mapping[str, np.ndarray] | None = None,
) -> GateView:
    """Cut one unit and one word out of all that was read."""
    rows = {name: walk.values[name][:, unit] for name in ROWS[walk.kind]}
    sums = {
        name: GateSum(s.from_word[t, unit], s.from_state[t, unit], s.bias[unit], s.inner_bias[unit])
        for name, s in walk.sums.items()
    }
    return GateView(walk.kind, walk.words, rows, sums, unit, t, stop, gradients, notes_on(walk))


def notes_on(walk: Walk) -> tuple[str, ...]:
    """Return what the reader should know about how the text was read."""
    notes = []
    strange = list(dict.fromkeys(w for w, u in zip(walk.words, walk.unknown, strict=True) if u))
    if strange:
        shown = ", ".join(f"“{word[:20]}”" for word in strange[:5])
        more = f" and {len(strange) - 5} more" if len(strange) > 5 else ""
        notes.append(f"Not in the model's vocabulary, so all read as the same unknown word: "
                     f"{shown}{more}.")  # fmt: skip
    if walk.left_out:
        notes.append(f"Only the first {MOST_TOKENS} words and marks are read; {walk.left_out} "
                     "are left out.")  # fmt: skip
    return tuple(notes)


def tabulate_gates(view: GateView) -> Table:
    """Return every gate of the unit at every word, and the gradients where they are measured."""
    names, back = ROWS[view.kind], view.gradients or {}
    words = map(readable, view.words)
    columns = [*(view.rows[name] for name in names), *back.values()]
    headers = ("word", *names.values(), *(f"∂J/∂{name}" for name in back))
    return Table(headers, list(zip(words, *columns, strict=True)))


def explore_lstm_walk(unit: int = STORY_UNITS["lstm"], way: str = "forward") -> Explorer:
    """Walk through a sentence with a trained LSTM, gate by gate, forward or "back"."""
    sentences = (WAY_BACK, *SENTENCES) if way == "back" else SENTENCES
    walkthrough = Walkthrough({"lstm": _shipped("lstm")}, "lstm", unit, sentences, way)
    return _explore("The LSTM, one gate at a time", walkthrough)


def explore_gru_walk(unit: int = STORY_UNITS["gru"]) -> Explorer:
    """Walk through a sentence with a trained GRU, and with an LSTM at the flick of a switch."""
    models = {kind: _shipped(kind) for kind in NAMES}
    walkthrough = Walkthrough(models, "gru", unit, SENTENCES)
    return _explore("The GRU, one gate at a time", walkthrough)


def _explore(title: str, walkthrough: Walkthrough) -> Explorer:
    return Explorer(
        title,
        walkthrough.controls,
        walkthrough.view,
        GateWalkDrawing(),
        tabulate_gates,
        walkthrough.set_controls,
        walkthrough.twin,
    )


@lru_cache(maxsize=2)
def _shipped(kind: str) -> RecurrentLM:
    return load_recurrent_lm(f"word_{kind}")
