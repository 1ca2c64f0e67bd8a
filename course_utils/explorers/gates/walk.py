"""Walk through a sentence gate by gate; equation, drawing, numbers as one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from course_utils.analysis.gates.walk import MOST_TOKENS, Walk, walk_through
from course_utils.explorers.machinery.controls import choice, slider, stops, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models import RecurrentLM
from course_utils.plots.gates.cell_layout import layout_of
from course_utils.plots.gates.equations import GateSum
from course_utils.plots.gates.walk import ROWS, GateView, GateWalkDrawing
from course_utils.plots.glyphs import readable
from course_utils.shipped import load_trained

SENTENCES = (
    "We are at peace with all the world. ¶ The revenue of the year",
    "The state of the Union is strong, and the people of the United States are free.",
    "Our relations with Spain are friendly. ¶ The post office has been extended to new States.",
)
STORY_UNITS = {"lstm": 57, "gru": 109}  # those whose gate closes where a paragraph begins
LONGEST_TEXT = 2000  # letters that are looked at


class Walkthrough:
    """One model, the controls that choose a place in a sentence, and what is to be seen there."""

    def __init__(self, model: RecurrentLM, unit: int, sentences: tuple[str, ...]):
        self.stops = tuple(layout_of(model.recurrent.mode.lower()).parts)
        self.read: Callable[[str], Walk] = lru_cache(maxsize=16)(
            lambda typed: walk_through(model, typed)
        )
        units = model.recurrent.hidden_size
        self.controls = {
            "sentence": choice("sentence", sentences),
            "own": text("or your own", "", "type a sentence and press Enter; ¶ begins a paragraph"),
            "unit": slider("unit", 0, units - 1, min(unit, units - 1), 1),
            "step": stops("step", self._places(self.read(sentences[0]))),
        }

    def view(self, sentence: str, own: str, unit: int, step: int) -> GateView:
        """Return what is seen at a place; a new sentence starts the walk anew."""
        walk = self.read(own[:LONGEST_TEXT] if own.strip() else sentence)
        slider, places = self.controls["step"], self._places(walk)
        if slider.options != places:
            slider.options = places
            step = 0
        t, stop = divmod(step, len(self.stops))
        return view_of(walk, unit, t, self.stops[stop])

    def _places(self, walk: Walk) -> tuple[tuple[str, int], ...]:
        """Return every stop of every word with its name."""
        names = [
            f"{t} {readable(word)} · {stop}"
            for t, word in enumerate(walk.words, 1)
            for stop in self.stops
        ]
        return tuple((name, number) for number, name in enumerate(names))


def view_of(walk: Walk, unit: int, t: int, stop: str) -> GateView:
    """Cut one unit and one word out of all that was read."""
    rows = {name: walk.values[name][:, unit] for name in ROWS[walk.kind]}
    sums = {
        name: GateSum(s.from_word[t, unit], s.from_state[t, unit], s.bias[unit], s.inner_bias[unit])
        for name, s in walk.sums.items()
    }
    return GateView(walk.kind, walk.words, rows, sums, unit, t, stop, notes_on(walk))


def notes_on(walk: Walk) -> tuple[str, ...]:
    """Return what the reader should know about how the text was taken."""
    notes = []
    strange = list(dict.fromkeys(w for w, u in zip(walk.words, walk.unknown, strict=True) if u))
    if strange:
        shown = ", ".join(f"“{word[:20]}”" for word in strange[:5])
        more = f" and {len(strange) - 5} more" if len(strange) > 5 else ""
        notes.append(f"Not among the words that the model knows, read as one unknown word: "
                     f"{shown}{more}.")  # fmt: skip
    if walk.left_out:
        notes.append(f"Only the first {MOST_TOKENS} words and marks are read; {walk.left_out} "
                     "are left out.")  # fmt: skip
    return tuple(notes)


def tabulate_gates(view: GateView) -> Table:
    """Return every gate of the unit at every word."""
    names = ROWS[view.kind]
    words = map(readable, view.words)
    rows = zip(words, *(view.rows[name] for name in names), strict=True)
    return Table(("word", *names.values()), list(rows))


def explore_lstm_walk(unit: int = STORY_UNITS["lstm"]) -> Explorer:
    """Walk through a sentence with a trained LSTM, gate by gate."""
    return _explore("The LSTM, one gate at a time", "lstm", unit)


def explore_gru_walk(unit: int = STORY_UNITS["gru"]) -> Explorer:
    """Walk through a sentence with a trained GRU, gate by gate."""
    return _explore("The GRU, one gate at a time", "gru", unit)


def _explore(title: str, kind: str, unit: int) -> Explorer:
    walkthrough = Walkthrough(_shipped(kind), unit, SENTENCES)
    return Explorer(
        title, walkthrough.controls, walkthrough.view, GateWalkDrawing(kind), tabulate_gates
    )


@lru_cache(maxsize=2)
def _shipped(kind: str) -> RecurrentLM:
    model = load_trained(f"word_{kind}")
    assert isinstance(model, RecurrentLM)
    return model
