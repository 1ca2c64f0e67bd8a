"""The walk shows what the network computes, and answers whatever is typed."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

from course_utils.analysis.gates.walk import MOST_TOKENS, walk_through
from course_utils.explorers.gates.walk import (
    STORY_UNITS,
    Walkthrough,
    explore_gru_walk,
    tabulate_gates,
    view_of,
)
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.numbers import number
from course_utils.plots.gates.cell_layout import LAYOUTS
from course_utils.plots.gates.equations import GAP, equation
from course_utils.plots.gates.walk import GateWalkDrawing, values_at
from tests.analysis.gates.test_walk import H, small_model

SENTENCES = ("the keys are old .", "the old table . ¶ the keys")


def small_explorer(kind: str, unit: int = 2) -> Explorer:
    return explorer_of({kind: small_model(kind)}, kind, unit)


def explorer_of(models: dict, kind: str, unit: int) -> Explorer:
    """Return a walk through small models."""
    walkthrough = Walkthrough(models, kind, unit, SENTENCES)
    controls, view, drawing = walkthrough.controls, walkthrough.view, GateWalkDrawing()
    return Explorer("walk", controls, view, drawing, tabulate_gates, walkthrough.set_controls)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_every_printed_equation_holds(kind):
    """Catches a number in a wrong place: evaluate what stands between the equals signs."""
    walk = walk_through(small_model(kind), SENTENCES[1])
    for t in range(len(walk.words)):
        for stop in LAYOUTS[kind].stops:
            view = view_of(walk, 4, t, stop)
            for printed in equation(kind, stop, values_at(view), view.sums).numbers.split(GAP):
                if printed.strip():
                    first, *rest = (_evaluate(side) for side in printed.split("="))
                    assert all(abs(first - other) < 0.03 for other in rest), printed


def test_the_step_slider_walks_gate_by_gate_and_word_by_word():
    """Catches stops out of order, and a picture that stays behind the slider."""
    explorer = small_explorer("lstm")
    step = explorer.controls["step"]
    seen = []
    for _, value in step.options[:7]:
        step.value = value
        seen.append((explorer.data.t, explorer.data.stop))
    gates = ["forget", "input", "candidate", "cell", "output"]
    assert seen == [(0, gate) for gate in gates] + [(1, "forget"), (1, "input")]
    assert "“keys”" in explorer.words.value
    assert "input gate" in explorer.words.value
    explorer.close()


def test_a_new_sentence_starts_the_walk_anew():
    """Catches a slider that keeps the stops of the sentence before."""
    explorer = small_explorer("gru")
    explorer.controls["step"].value = explorer.controls["step"].options[-1][1]
    explorer.controls["own"].value = "old keys"
    assert explorer.data.t == 0
    assert len(explorer.controls["step"].options) == 2 * 4
    assert explorer.controls["step"].options[4][0] == "2 keys · update"
    explorer.controls["own"].value = "   "  # nothing typed: back to the list
    assert len(explorer.data.words) == 5
    explorer.close()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("blorp the zonk", "“blorp”, “zonk”"),
        ("the " * 200, f"first {MOST_TOKENS} words and marks are read; {200 - MOST_TOKENS}"),
        ("the 😀 日本", "“😀”"),
        ("<script>alert(1)</script>", "&lt;"),
        ("$5 or $x^2$ or \\frac{1}{2} or a_b", "“5”"),
        ("¶ ¶ the", "new paragraph"),
        ("\u0000\u202e the " + "x" * 5000, "vocabulary"),
    ],
)
def test_odd_text_is_answered_in_words(typed, said):
    """Catches text taken for HTML or for a formula, missing glyphs, silence about lost words."""
    explorer = small_explorer("lstm")
    explorer.controls["own"].value = typed
    assert explorer.error.value == ""
    assert said.lower() in explorer.words.value.lower()
    assert "<script" not in explorer.words.value
    explorer.controls["step"].value = explorer.controls["step"].options[-1][1]
    explorer.numbers_switch.value = True
    assert "<script" not in explorer.numbers.value
    explorer.close()


def test_the_way_back_walks_from_the_last_word_to_the_first():
    """Catches stops of the way forward under gradients, and a walk that stays where it was."""
    explorer = small_explorer("lstm")
    explorer.controls["step"].value = 7
    explorer.controls["way"].value = "back"
    step = explorer.controls["step"]
    names = [name for name, _ in step.options]
    assert names[:6] == ["5 . · output", "5 . · cell", "5 . · candidate", "5 . · input",
                         "5 . · forget", "4 old · output"]  # fmt: skip
    assert names[-1] == "1 the · forget"
    assert step.value == 0
    step.value = 6
    assert (explorer.data.t, explorer.data.stop) == (3, "cell")
    gradient = explorer.data.gradients["c"][3]
    assert f"the gradient {number(gradient)}" in html.unescape(explorer.words.value)
    explorer.numbers_switch.value = True
    assert "∂J/∂f" in explorer.numbers.value
    explorer.close()


@pytest.mark.parametrize("way", ["forward", "back"])
def test_the_other_cell_is_shown_at_the_same_place(way):
    """Catches a switch that throws the reader back to the first word, or to another gate."""
    explorer = explorer_of({kind: small_model(kind) for kind in ("lstm", "gru")}, "gru", 2)
    explorer.controls["way"].value = way
    step = explorer.controls["step"]
    for _, value in list(step.options):
        explorer.controls["cell"].value = "gru"
        step.value = value
        t, stop = explorer.data.t, explorer.data.stop
        explorer.controls["cell"].value = "lstm"
        twin = {"update": "forget", "reset": "input", "state": "output"}.get(stop, stop)
        assert (explorer.data.kind, explorer.data.t, explorer.data.stop) == ("lstm", t, twin)
        explorer.controls["cell"].value = "gru"
        assert (explorer.data.t, explorer.data.stop) == (t, stop)
    explorer.close()


def test_the_story_follows_the_switch():
    """Catches the unit of one network shown as if it were the same unit of the other."""
    explorer = explore_gru_walk()
    explorer.controls["cell"].value = "lstm"
    assert explorer.data.unit == explorer.controls["unit"].value == STORY_UNITS["lstm"]
    explorer.controls["unit"].value = 5
    explorer.controls["cell"].value = "gru"
    assert explorer.data.unit == 5
    explorer.close()


def test_a_unit_out_of_reach_is_the_last():
    """Catches a story's unit that a smaller model does not have."""
    explorer = small_explorer("lstm", unit=500)
    assert explorer.data.unit == H - 1
    explorer.close()


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))


def _evaluate(side: str) -> float:
    source = side.replace("−", "-").replace("×", "*").replace("σ", "sigmoid")
    assert re.fullmatch(r"[\d\s.+\-*()a-z]+", source), source
    return float(eval(source, {"__builtins__": {}}, {"sigmoid": _sigmoid, "tanh": np.tanh}))
