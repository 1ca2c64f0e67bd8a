"""Exercises that are no formula: choices, designs, bugs, gates; and the facts that they rest on."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
import torch

from course_utils.analysis import gradients as gr
from course_utils.checks.exercise import KINDS_OF_EXERCISES
from course_utils.checks.exercises.ex02_gradients.e2_4_fate_of_six import fate_of_six
from course_utils.checks.exercises.ex02_gradients.e2_6_repaired_bptt import repaired_bptt
from course_utils.checks.exercises.ex03_gates.e3_2_matched_control import matched_control
from course_utils.checks.exercises.ex03_gates.e3_3_name_the_loops import name_the_loops
from course_utils.checks.exercises.ex03_gates.e3_5_bias_for_half_life import bias_for_half_life
from course_utils.checks.exercises.ex03_gates.e3_7_biases_by_hand import OPEN, biases_by_hand
from course_utils.checks.exercises.ex04_gru.e4_2_time_constant import time_constant
from course_utils.checks.exercises.ex04_gru.e4_5_which_hold import which_hold
from course_utils.checks.exercises.ex04_gru.e4_6_elman_start import elman_start
from course_utils.checks.find_exercise import all_exercises, find
from course_utils.checks.judging.judge import judge
from course_utils.models import LSTM
from course_utils.results.memory import Entrant, curves_at
from tests.checks.other_kinds import RIGHT, WRONG

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
CHOSEN = ("2.4", "2.8", "3.3", "4.5", "4.7", "5.4", "6.7", "7.8")
WITHOUT_A_NAME = {"0.5 / steps", "torch.eye(H)", '"aabb"'}  # a Python error, or a wrong kind


def answers(table: dict) -> list:
    return [
        pytest.param(number, answer, id=f"{number}-{place}")
        for number, group in table.items()
        for place, answer in enumerate(group)
    ]


def prose(number: str) -> str:
    """Return the text of an exercise's prompt in its lecture."""
    start = f"ex-{number.replace('.', '-')}"
    (path,) = NOTEBOOKS.glob(f"{int(number.partition('.')[0]):02d}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    asked = [c for c in cells if c["id"].startswith(start) and c["cell_type"] == "markdown"]
    return "\n".join("".join(cell["source"]) for cell in asked)


@pytest.mark.parametrize(("number", "answer"), answers(RIGHT))
def test_a_right_answer_in_another_style_passes(number, answer):
    """Catches a check that wants our way of writing it."""
    verdict = judge(find(number)[1], answer)
    assert verdict.kind == "ok", verdict.message


@pytest.mark.parametrize(("number", "answer"), answers(WRONG))
def test_a_natural_wrong_answer_is_named(number, answer):
    """Catches a wrong answer that passes, and a mistake of many that meets only a number."""
    verdict = judge(find(number)[1], answer)
    named = answer.__name__ not in WITHOUT_A_NAME
    assert verdict.kind == ("misconception" if named else "wrong"), verdict.message


@pytest.mark.parametrize("number", CHOSEN)
def test_every_wrong_choice_has_a_reason_of_its_own(number):
    """Catches a tempting choice that is only told to be wrong, or told what belongs to another."""
    exercise = find(number)[1]
    right, told = exercise.reference(), []
    for answer, letter in wrong_by_one(exercise, right):
        verdict = judge(exercise, lambda answer=answer: answer)
        assert verdict.kind == "misconception", (answer, verdict.message)
        assert letter in verdict.message
        told.append(verdict.message)
    assert len({*told}) == len(told) == len(exercise.reasons)


def wrong_by_one(exercise, right):
    """Yield every answer that differs in one choice, and the letter that it should hear of."""
    if isinstance(right, set):
        for letter in exercise.choices:
            yield right ^ {letter}, f"{letter} does not" if letter not in right else "is missing"
        return
    for letter, choice in right.items():
        options = (True, False) if isinstance(choice, bool) else exercise.choices
        for other in options:
            if other != choice:
                yield {**right, letter: other}, f"{letter}:"


@pytest.mark.parametrize("number", ["3.2", "4.6", "5.3", "5.2"])
def test_every_reason_is_met_by_some_wrong_answer(number):
    """Catches a word on a mistake that another word always hides."""
    exercise = find(number)[1]
    met = {judge(exercise, answer).message for answer in WRONG[number]}
    assert {*exercise.reasons.values()} <= met


def test_every_gate_is_told_for_itself():
    """Catches one behaviour that is told another's reason, one gate another's."""
    exercise = find("3.7")[1]
    told = set()
    for behaviour, opened in OPEN.items():
        for gate in "ifo":
            side = 1 if gate in opened else -1
            for bias, fault in ((-12 * side, "turned round"), (4 * side, "not tight")):
                biases = biases_by_hand()
                biases[behaviour][gate] = bias
                verdict = judge(exercise, lambda biases=biases: biases)
                assert verdict.message == exercise.reasons[behaviour, f"{gate} {fault}"]
                told.add(verdict.message)
    assert len(told) == 4 * 3 * 2


@pytest.mark.parametrize("bias", [0.0, 1, "12", None, float("nan"), [12.0], 9.0])
def test_a_gate_that_is_no_bias_does_not_pass(bias):
    """Catches NaN, text and half open gates that pass a comparison."""
    biases = biases_by_hand()
    biases["hold"]["f"] = bias
    assert judge(find("3.7")[1], lambda: biases).kind != "ok"


def test_the_course_asks_in_many_ways():
    """Catches thirty exercises of one kind."""
    kinds = [exercise.kind for _, exercise in all_exercises().values()]
    assert {*kinds} == {*KINDS_OF_EXERCISES}


# ── the facts ─────────────────────────────────────────────────────────────────────────────────────


def test_the_fates_are_what_six_networks_do():
    """Catches a fate that was guessed, and one that another seed would turn."""
    table = re.findall(
        r"^\| ([A-F]) \| (\w+) \| (\w+) \| ([\d.]+) \| ([\d.]+) \|$", prose("2.4"), re.MULTILINE
    )
    assert len(table) == 6
    for seed in range(4):
        torch.manual_seed(seed)
        x = torch.randn(60, 4, 16, dtype=torch.float64)
        for letter, units, kind, radius, size in table:
            network = gr.random_network(
                16, 64, float(radius), units, float(size), kind.lower(), seed=seed
            )
            norms = gr.gradient_norms_by_lag(network, x).mean(dim=1)
            left = norms[50] / norms[0]
            found = "vanishes" if left < 1e-3 else "explodes" if left > 1e3 else "stays"
            assert found == fate_of_six()[letter], (letter, seed, left)


def test_the_walk_back_is_autograds():
    """Catches a repaired walk that still has a bug; the one in the prompt has both."""
    U, W = (torch.randn(5, 5, dtype=torch.float64) for _ in range(2))
    U.requires_grad_()
    states = [torch.randn(5, dtype=torch.float64)]
    for _ in range(7):
        states.append(torch.tanh(U @ states[-1] + W @ torch.randn(5, dtype=torch.float64)))
    d_last = torch.randn(5, dtype=torch.float64)
    (expected,) = torch.autograd.grad(states[-1] @ d_last, U)
    inputs = U.detach(), torch.stack(states).detach(), d_last
    assert torch.allclose(repaired_bptt(*inputs), expected)
    names = {"torch": torch}
    exec(re.search(r"```python\n(.*?)```", prose("2.6"), re.DOTALL)[1], names)
    assert "Both bugs" in judge(find("2.6")[1], names["repaired_bptt"]).message


def test_one_of_the_four_loops_is_the_fused_layer():
    """Catches a second loop that is right too, and a right one that is not."""
    layer = torch.nn.LSTM(3, 5).double()
    x = torch.randn(7, 3, dtype=torch.float64)  # T, D
    with torch.no_grad():
        fused = {T: layer(x[:T, None])[0][-1, 0] for T in (1, 7)}
    W, U, b_i, b_h = (p.detach() for p in layer.parameters())

    def gates(x_t, heard):
        i, f, g, o = (W @ x_t + U @ heard + b_i + b_h).chunk(4)
        return torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)

    loops = re.findall(r"^for x_t in x:  # ([A-D])\n((?:    .*\n)+)", prose("3.3"), re.MULTILINE)
    right = {1: "", 7: ""}
    for letter, body in loops:
        for T in right:
            names = {"x": x[:T], "gates": gates, "torch": torch}
            names |= {"h": torch.zeros(5).double(), "c": torch.zeros(5).double()}
            exec(f"for x_t in x:\n{body}", names)
            right[T] += letter * torch.allclose(names["h"], fused[T])
    named = name_the_loops()
    assert [letter for letter, _ in loops] == [*named]
    assert right[7] == "".join(k for k, name in named.items() if name == "the fused layer")
    assert right[1] == "ACD"  # one step tells only B


def test_the_choices_in_the_text_are_those_of_the_check():
    """Catches a choice that the prompt spells otherwise."""
    for number in ("2.4", "3.3", "4.7"):
        for choice in find(number)[1].choices:
            assert choice in prose(number), (number, choice)


def test_biases_by_hand_do_it_in_a_real_layer():
    """Catches gates that only look right: a layer with these biases counts, holds, wipes, swaps."""
    signs = torch.tensor([1.0, -1, 1, 1, -1, 1, 1])
    shows = {"count": signs.sum() + 0.5, "hold": 0.5, "reset": 0.0, "swap": signs[-1]}
    for behaviour, biases in biases_by_hand().items():
        layer = LSTM(1, 1)
        with torch.no_grad():
            for part in layer.parameters():
                part.zero_()
            layer.weight_ih_l0[2] = 20.0  # the candidate is the sign of the input
            layer.bias_ih_l0.copy_(torch.tensor([biases["i"], biases["f"], 0.0, biases["o"]]))
        start = torch.zeros(1, 1, 1), torch.full((1, 1, 1), 0.5)
        output, (_, c) = layer(signs.reshape(-1, 1, 1), start)
        assert c.item() == pytest.approx(float(shows[behaviour]), abs=1e-3)
        shown = 0.0 if behaviour == "hold" else c.tanh().item()
        assert output[-1].item() == pytest.approx(shown, abs=1e-3)


@pytest.mark.parametrize("steps", [1, 4, 60])
def test_the_bias_halves_a_memory_in_its_time(steps):
    """Catches a formula for another time."""
    memory = 1.0
    for _ in range(steps):
        memory *= torch.sigmoid(torch.tensor(bias_for_half_life(steps)).double()).item()
    assert memory == pytest.approx(0.5)


@pytest.mark.parametrize("renews", [True, False])
@pytest.mark.parametrize("bias", [-1.5, 0.0, 2.5])
def test_the_time_constant_is_what_the_gate_keeps(bias, renews):
    """Catches the wrong convention: the share kept is measured on a step of (4.4)."""
    gate = torch.sigmoid(torch.tensor(bias).double())
    h = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    step = (1 - gate) * h + gate * 0.7 if renews else gate * h + (1 - gate) * 0.7
    (kept,) = torch.autograd.grad(step, h)
    assert time_constant(bias, renews) == pytest.approx(1 / (1 - kept.item()))


def test_the_statements_on_parameters_are_counted():
    """Catches "holds" where counting says otherwise."""

    def count(layer):
        return sum(p.numel() for p in layer.parameters())

    sizes = [(5, 7), (64, 128), (300, 11)]
    shares = [count(torch.nn.GRU(*s)) / count(torch.nn.LSTM(*s)) for s in sizes]
    assert shares == [0.75] * 3
    assert all(count(torch.nn.LSTM(D, 2 * H)) > 2.05 * count(torch.nn.LSTM(D, H)) for D, H in sizes)
    lstm = count(torch.nn.LSTM(64, 128))
    assert count(torch.nn.RNN(64, 283)) < lstm <= count(torch.nn.RNN(64, 284))
    held = which_hold()
    assert (held["A"], held["B"], held["F"]) == (True, False, False)
    assert "284 units" in find("4.5")[1].reasons["F", True]


def test_a_signal_at_rest_keeps_its_length():
    """Catches a start that passes its own check and shrinks a real network's signal."""
    U, b = elman_start(7)
    layer = torch.nn.RNN(2, 7).double()
    with torch.no_grad():
        layer.weight_hh_l0.copy_(U)
        layer.bias_hh_l0.copy_(b)
        layer.bias_ih_l0.zero_()
    small = 1e-6 * torch.randn(1, 1, 7, dtype=torch.float64)
    left = layer(torch.zeros(100, 1, 2).double(), small)[0][-1]
    assert left.norm().item() == pytest.approx(small.norm().item(), rel=1e-6)


def test_the_table_of_seeds_is_the_files():
    """Catches counts that a new race has left behind, and verdicts that they no longer bear."""
    rows = re.findall(r"^\| (Elman|LSTM), (.+?) \| (.+) \|$", prose("4.7"), re.M)
    starts = {"PyTorch's start": "torch", "orthogonal U": "orthogonal",
              "orthogonal U, small W": "quiet", "chrono": "chrono"}  # fmt: skip
    counts = []
    for cell, start, told in rows:
        entrant = Entrant(cell.lower(), starts[start])
        points = [curves_at("recall over 200 steps", entrant, r) for r in (1e-2, 3e-3, 1e-3, 3e-4)]
        counts.append([point.solved() for point in points])
        assert told == " | ".join(map(str, counts[-1]))
    assert [cell for cell, *_ in rows] == ["Elman"] * 3 + ["LSTM"] * 2
    _, orthogonal, quiet, never, chrono = counts
    assert max(quiet) > 0  # A, D
    assert max(quiet) < 10  # B
    assert 0 < orthogonal[0] - quiet[0] < 5  # C: p > 0.05 by Fisher's exact test
    assert not any(never)  # E
    assert chrono[0] - quiet[0] > 5  # F
    assert quiet[2] - chrono[2] > 5


def test_examples_in_the_prompts_are_true():
    """Catches an example that the reference contradicts."""
    walk = repaired_bptt(*(torch.tensor(part) for part in ([[2.0]], [[1.0], [0.0], [0.0]], [1.0])))
    assert walk.tolist() == [[2.0]]
    assert "give `[[2.]]`" in prose("2.6")
    marks = ast.literal_eval(re.search(r"Marks `(.*?)`", prose("3.2"))[1])
    position = ast.literal_eval(re.search(r"positions `(.*?)`", prose("3.2"))[1])
    left = ast.literal_eval(re.search(r"one choice: `(.*?)`", prose("3.2"))[1])
    assert matched_control(marks, position) == left
    assert bias_for_half_life(1) == 0
    assert time_constant(0.0, True) == time_constant(0.0, False) == 2
