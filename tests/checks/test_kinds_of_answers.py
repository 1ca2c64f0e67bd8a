"""Right answers pass in any style, wrong kinds do not, and each is told what was asked for."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.find_exercise import find
from course_utils.checks.judging.judge import judge


def exercise(reference, *cases, **more) -> Exercise:
    return Exercise("9.1", "a task", reference, lambda: list(cases), (), ("a", "b", "c"), **more)


def verdict(number: str, answer):
    return judge(find(number)[1], answer)


def embed_in_numpy(table, ids, upstream):
    gradient = np.zeros_like(table)
    np.add.at(gradient, ids, upstream)
    return np.eye(len(table))[ids] @ table, gradient


def embed_with_new_tensors(table, ids, upstream):
    hot = torch.eye(len(table))[ids]
    return hot @ table, torch.zeros(table.shape).index_add_(0, ids, upstream)


def embed_in_float32(table, ids, upstream):
    zeros = torch.zeros(table.shape, dtype=torch.float32)
    return table[ids], zeros.index_add(0, ids, upstream)


def multiplied_by_the_lecture(jacobians):
    from course_utils.analysis.gradients.jacobians import jacobian_products

    return jacobian_products(jacobians)[-1]


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        ("0.1", lambda u, h, x: torch.tanh(u * h + x)),
        ("0.1", lambda u, h, x: (u * h + x).tanh()),
        ("0.1", lambda u, h, x: math.tanh(u * h + x)),
        ("0.1", lambda u, h, x: np.tanh(u * h + x)),
        ("0.1", lambda u, h, x: np.tanh(float(u) * float(h) + float(x))),
        ("0.1", lambda u, h, x: np.array(math.tanh(u * h + x))),
        ("1.3", embed_in_numpy),
        ("1.3", embed_with_new_tensors),
        ("1.3", embed_in_float32),
        ("1.3", lambda t, i, g: [t[i], torch.zeros_like(t).index_add(0, i, g)]),
        ("1.5", lambda x, h, W, U, b: np.tanh(W @ x + U @ h + b)),
        ("1.5", lambda x, h, W, U, b: [math.tanh(n) for n in W @ x + U @ h + b]),
        ("1.2", lambda lp: math.exp(-lp.mean())),
        ("1.2", lambda lp: math.exp(-sum(lp) / len(lp))),
        ("1.2", lambda lp: lp.mean().neg().exp().item()),
        ("1.2", lambda lp: np.exp(-lp.numpy().mean())),
        ("1.2", lambda lp: np.exp(-np.mean(lp.tolist()))),
        ("1.2", lambda lp: lp.detach().mean().neg().exp()),
        ("1.7", lambda: {"line": 4, "without": 60, "with": 20}),  # net(read, h.detach())
        ("2.1", lambda a, U: np.diag(1 - np.tanh(a) ** 2) @ U.numpy()),
        ("2.2", multiplied_by_the_lecture),
        ("2.3", lambda U, slope, lag: (slope * np.linalg.norm(U.numpy(), 2)) ** lag),
        ("2.5", lambda rate: float(math.ceil(math.log(2**-24) / math.log(rate)))),
        ("2.5", lambda rate: np.int64(math.ceil(math.log(2**-24) / math.log(rate)))),
        ("2.5", lambda rate: torch.tensor(math.ceil(math.log(2**-24) / math.log(rate)))),
        ("2.7", lambda gs, m: tuple(g * min(1, m / torch.cat([h.flatten() for h in gs]).norm())
                                    for g in gs)),
        ("3.4", lambda f: np.prod(f.numpy(), axis=0).tolist()),
    ],
)  # fmt: skip
def test_a_right_answer_passes_in_any_style(number, answer):
    """Catches a check that refuses math, NumPy, lists, float32 or the lecture's own functions."""
    assert verdict(number, answer).kind == "ok", verdict(number, answer).message


TANH = lambda u, h, x: torch.tanh(u * h + x)  # noqa: E731


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda u, h, x: (TANH(u, h, x),), "extra comma"),
        (lambda u, h, x: [TANH(u, h, x)], "a single number"),
        (lambda u, h, x: {"h": TANH(u, h, x)}, "a dict of 1"),
        (lambda u, h, x: TANH(u, h, x).reshape(1), "shape (1,)"),
        (lambda u, h, x: str(TANH(u, h, x)), "yours is 'tensor("),
        (lambda u, h, x: range(100), "a range"),
        (lambda u, h, x: print(end=""), "Is the `return` missing?"),
        (lambda u, h, x: TANH, "brackets"),
        (lambda u, h, x: TANH(u, h, x) + 5e-6, "only about 6 digits"),
        (lambda u, h, x: TANH(u, h, x) + 2e-5, "should be 0.57167, yours is 0.57169"),
        (lambda u, h, x: 1 / 0, "ZeroDivisionError"),
        (lambda u, h, x: u * h + x, "tanh around it"),
        (lambda u, h, x: 10**23, "yours is 1e+23"),
        (lambda u, h, x: -(10**400), "yours is -1e+300"),
    ],
)
def test_a_wrong_kind_is_told(wrong, says):
    """Catches a dict or a tuple that passes, and "is the return missing" where it is not."""
    found = verdict("0.1", wrong)
    assert found.kind != "ok"
    assert says in found.message
    assert ("`return`" in found.message) == (says == "Is the `return` missing?")


def test_a_message_shows_the_numbers_tried_and_what_is_asked():
    """Catches "a tensor ()", which nobody can follow by hand."""
    told = verdict("0.1", lambda u, h, x: {}).message
    assert "With u = 0.8, h_before = 0.5, x = 0.25:" in told
    assert "Asked for: one number." in told
    large = verdict("1.3", lambda table, ids, upstream: {}).message
    assert "table = a tensor of shape (7, 3)" in large


def test_float32_is_refused_where_precision_is_the_point():
    """Catches rounding that passes where it is the exercise, and float64 that does not."""
    case = (torch.tensor([0.1, 0.2, 0.4], dtype=torch.float64),)
    asked = exercise(lambda x: x.sum(), case, precise=True, tolerance=1e-12)
    assert judge(asked, lambda x: x.sum()).kind == "ok"
    assert judge(asked, lambda x: float(x.sum())).kind == "ok"
    assert judge(asked, lambda x: torch.ones(3) @ x).kind == "ok"  # new tensors fit
    assert "this exercise is about float64" in judge(asked, lambda x: x.float().sum()).message
    assert judge(asked, lambda x: x.float().sum().double()).kind == "wrong"
    loose = exercise(lambda x: x.sum(), case)
    assert judge(loose, lambda x: x.float().sum()).kind == "ok"


FATES = exercise(
    lambda: {"A": "vanishes", "B": "explodes"},
    (),
    kind="predict",
    choices={"A": ("vanishes", "stays", "explodes"), "B": ("vanishes", "stays", "explodes")},
    reasons={("A", "stays"): "A's radius is below one.", "B": "B's slope is one."},
    gives="a dict",
)


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        ({"A": "vanishes", "B": "explodes"}, "ok", "Correct."),
        ({"B": " Explodes", "A": "VANISHES "}, "ok", ""),
        ({"A": "stays", "B": "explodes"}, "misconception", "radius is below one"),
        ({"A": "explodes", "B": "explodes"}, "wrong", "A: 'explodes' is not what happens"),
        ({"A": "vanishes", "B": "stays"}, "misconception", "B's slope"),
        ({"A": "vanishes"}, "wrong", "lacks 'B'"),
        ({"A": "vanishes", "B": "explodes", "C": 1}, "wrong", "an extra key 'C'"),
        ({"A": "vanishs", "B": "explodes"}, "wrong", "Did you mean 'vanishes'?"),
        ({"A": 3, "B": "explodes"}, "wrong", "a text in quotes, yours is the number 3"),
        ("vanishes", "wrong", "should be a dict with 'A', 'B'"),
        (..., "not attempted", ""),
    ],
)
def test_choices_are_judged_one_by_one(answer, kind, says):
    """Catches a prediction that must be spelled like the reference, or is only told "wrong"."""
    for given in (answer, lambda: answer):
        found = judge(FATES, given)
        if answer is not ... or given is answer:
            assert (found.kind, says in found.message) == (kind, True), found.message


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        ({"A", "C"}, "ok", ""), (["C", "A"], "ok", ""), (("A", "C"), "ok", ""),
        ({"A"}, "misconception", "C follows"), ({"C"}, "wrong", "missing"),
        ({"A", "B", "C"}, "misconception", "three seeds"), ({"A", "X"}, "wrong", "'X' is not one"),
        ("AC", "wrong", "a set such as"),
    ],
)  # fmt: skip
def test_conclusions_are_a_set(answer, kind, says):
    """Catches an order that counts, and a missing conclusion that is not told from a wrong one."""
    reasons = {"B": "not from three seeds", ("missing", "C"): "C follows"}
    asked = exercise(lambda: {"A", "C"}, (), choices=("A", "B", "C"), reasons=reasons)
    found = judge(asked, answer)
    assert (found.kind, says in found.message) == (kind, True), found.message


def test_an_empty_dict_is_told_from_an_empty_set():
    """Catches "a set such as {'A', 'B'}" where somebody wrote {} for the empty set."""
    asked = exercise(lambda: set(), ())
    assert judge(asked, set()).kind == judge(asked, []).kind == "ok"
    found = judge(asked, {})
    assert (found.kind, "{} is an empty dict: write set()" in found.message) == ("wrong", True)


def gate(biases, x):
    return {"kept": torch.sigmoid(torch.tensor(biases["f"])).round(), "seen": x}


def test_many_answers_are_right_where_the_effect_counts():
    """Catches a design refused for not being ours, and one of the wrong kind that stops."""
    asked = exercise(
        lambda x: {"f": 9.0, "i": -9.0}, (torch.ones(2),), (torch.zeros(3),), effect=gate
    )
    shut = Misconception("shut", lambda x: {"f": -9.0, "i": 9.0}, "Your gate is shut.")
    asked = replace(asked, misconceptions=(shut,))
    assert judge(asked, lambda x: {"f": 20, "i": 3}).kind == "ok"
    assert judge(asked, lambda x: {"f": -5.0, "i": 0.0}).message == "Your gate is shut."
    assert "lacks 'f'" in judge(asked, lambda x: {"g": 1.0}).message
    assert "should be a number" in judge(asked, lambda x: {"f": "open", "i": 1.0}).message


def test_truth_is_a_choice():
    """Catches True for 1, "yes" for True, and NumPy's own True refused."""
    asked = exercise(lambda x: bool(x > 0), (torch.tensor(1.0),), (torch.tensor(-1.0),))
    assert judge(asked, lambda x: x > 0).kind == "ok"
    assert judge(asked, lambda x: np.bool_(x > 0)).kind == "ok"
    assert judge(asked, lambda x: x < 0).kind == "wrong"
    assert "True or False" in judge(asked, lambda x: "yes").message
