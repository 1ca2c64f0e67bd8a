"""The walkthrough's numbers are the network's, and it answers whatever is typed."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from torch import nn

from course_utils.analysis.gates.walk import MOST_TOKENS, Reader, reader_of, walk_through
from course_utils.data.vocabulary import Vocabulary
from course_utils.explorers.gate_walk import Walkthrough, tabulate_gates, view_of
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.models import RecurrentLM
from course_utils.plots.gates.cell import plot_cell
from course_utils.plots.gates.cell_layout import LAYOUTS, layout_of
from course_utils.plots.gates.equations import equation
from course_utils.plots.gates.walk import ROWS, GateWalkDrawing, values_at
from course_utils.plots.glyphs import drawable
from course_utils.plots.picture import words_of

WORDS = ["<unk>", "the", "keys", "on", "table", "are", ".", "\n\n", "old"]
SENTENCES = ("the keys are old .", "the old table . ¶ the keys")
D, H = 5, 7


def a_reader(kind: str) -> Reader:
    torch.manual_seed(3)
    model = RecurrentLM(len(WORDS), kind, width=D, hidden=H).double()
    nn.init.normal_(model.embedding.weight)
    model.vocabulary = Vocabulary(WORDS)
    return reader_of(model)


def an_explorer(kind: str, unit: int = 2) -> Explorer:
    walkthrough = Walkthrough(a_reader(kind), kind, unit, SENTENCES)
    drawing = GateWalkDrawing(kind)
    return Explorer("walk", walkthrough.controls, walkthrough.view, drawing, tabulate_gates)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_states_are_those_of_torch_cells(kind):
    """Catch a sentence read from a wrong state or in a wrong order."""
    reader = a_reader(kind)
    walk = walk_through(reader, SENTENCES[0])
    cell = {"lstm": nn.LSTMCell, "gru": nn.GRUCell}[kind](D, H).double()
    cell.load_state_dict(
        {name.removesuffix("_l0"): value for name, value in reader.layer.state_dict().items()}
    )
    state = None
    for t, word in enumerate(walk.words):
        x_t = reader.embed(torch.tensor([reader.numbers[word]]))
        state = cell(x_t, state)
        h = state[0] if kind == "lstm" else state
        np.testing.assert_allclose(walk.values["h"][t], h[0].detach().numpy(), atol=1e-12)


def test_three_parts_of_a_sum_make_the_gate():
    """Catch rows of the wrong gate, a forgotten second bias, and h_t where h_{t-1} belongs."""
    walk = walk_through(a_reader("lstm"), SENTENCES[0])
    for name, squash in {"i": _sigmoid, "f": _sigmoid, "g": np.tanh, "o": _sigmoid}.items():
        parts = walk.sums[name]
        total = parts.from_word + parts.from_state + parts.bias
        np.testing.assert_allclose(squash(total), walk.values[name], atol=1e-12)
    walk = walk_through(a_reader("gru"), SENTENCES[0])
    parts = walk.sums["n"]
    inner = walk.values["r"] * (parts.from_state + parts.inner_bias)
    total = parts.from_word + parts.bias + inner
    np.testing.assert_allclose(np.tanh(total), walk.values["n"], atol=1e-12)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_every_printed_equation_holds(kind):
    """Catch a number in a wrong place: evaluate what stands between the equals signs."""
    walk = walk_through(a_reader(kind), SENTENCES[1])
    for t in range(len(walk.words)):
        for stop in LAYOUTS[kind].parts:
            view = view_of(walk, 4, t, stop)
            for printed in equation(kind, stop, values_at(view), view.sums).numbers.split("   "):
                if printed.strip():
                    first, *rest = (_evaluate(side) for side in printed.split("="))
                    assert all(abs(first - other) < 0.03 for other in rest), printed


def test_the_step_slider_walks_gate_by_gate_and_word_by_word():
    """Catch stops out of order, and a picture that stays behind the slider."""
    explorer = an_explorer("lstm")
    step = explorer.controls["step"]
    seen = []
    for _, value in step.options[:7]:
        step.value = value
        seen.append((explorer.data.t, explorer.data.stop))
    gates = ["forget", "input", "candidate", "cell", "output"]
    assert seen == [(0, gate) for gate in gates] + [(1, "forget"), (1, "input")]
    assert "“keys”" in explorer.words.value
    assert "input gate" in explorer.words.value
    assert explorer.canvas.backgrounds_drawn == 1  # walking redraws only what moves
    explorer.close()


def test_a_new_sentence_starts_the_walk_anew():
    """Catch a slider that keeps the stops of the sentence before."""
    explorer = an_explorer("gru")
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
        ("\u0000\u202e the " + "x" * 5000, "not among"),
    ],
)
def test_odd_text_is_answered_in_words(typed, said):
    """Catch text taken for HTML or for a formula, missing glyphs, and silence about lost words."""
    explorer = an_explorer("lstm")
    explorer.controls["own"].value = typed
    assert explorer.error.value == ""
    assert said.lower() in explorer.words.value.lower()
    assert "<script" not in explorer.words.value
    explorer.controls["step"].value = explorer.controls["step"].options[-1][1]
    explorer.numbers_switch.value = True
    assert "<script" not in explorer.numbers.value
    explorer.close()


def test_a_unit_out_of_reach_is_the_last():
    """Catch a story's unit that a smaller model does not have."""
    explorer = an_explorer("lstm", unit=500)
    assert explorer.data.unit == H - 1
    explorer.close()


@pytest.mark.parametrize("kind", LAYOUTS)
def test_a_cell_grows_gate_by_gate(kind):
    """Catch a part that is drawn too early, and a drawing without words."""
    stops = list(layout_of(kind).parts)
    drawn = [len(plot_cell(stop, kind).get_children()) for stop in stops]
    assert drawn == sorted(set(drawn))
    values = dict.fromkeys([*ROWS[kind], "c_prev", "h_prev"], 0.25)
    words = words_of(plot_cell(stops[1], kind, values).figure)
    assert "0.25" in words
    with pytest.raises(ValueError, match=stops[-1]):
        plot_cell("peephole", kind)
    with pytest.raises(ValueError, match="lstm"):
        plot_cell("cell", "transformer")


def test_any_word_can_be_drawn():
    """Catch a formula made of two dollar signs, and glyphs that the font lacks."""
    assert drawable("$5$") == r"\$5\$"
    assert drawable("日本") == "□□"
    assert drawable("\n\n") == "¶"
    assert drawable("internationalisation", 8) == "interna…"


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))


def _evaluate(side: str) -> float:
    source = side.replace("−", "-").replace("×", "*").replace("σ", "sigmoid")
    assert re.fullmatch(r"[\d\s.+\-*()a-z]+", source), source
    return float(eval(source, {"__builtins__": {}}, {"sigmoid": _sigmoid, "tanh": np.tanh}))
