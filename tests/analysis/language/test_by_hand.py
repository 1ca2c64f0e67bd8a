"""The gradients that lecture 01 derives by hand, on other sizes, against two autograds.

The notebook's own lines run here. `edugrad` (the NumPy autograd that such a course is built on)
shares nothing with torch, and its graph is made of its own operations wherever it has them.
"""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
import torch

from course_utils.authoring.notebook import read

LECTURE = Path(__file__).resolve().parents[3] / "notebooks" / "01_language_models.ipynb"
CELLS = {cell.node.id: cell.source for cell in read(LECTURE).code}
EXACT = {"rtol": 0, "atol": 1e-12}

# V, D and ids with repetitions, all alike, none repeated, one alone
TABLES = [(7, 5, [6, 0, 6, 6, 3, 0]), (5, 11, [4, 4, 4]), (11, 3, [9, 1, 5]), (2, 1, [1])]
BATCHES = [(11, 3), (3, 7), (1, 5)]  # B, D
RUNS = [(7, 3), (3, 11), (11, 5), (1, 2), (5, 1)]  # T, H


def run_cells(*ids: str, given: dict, before: dict | None = None, mistake=None) -> dict:
    """Run cells of the lecture, leaving out what assigns a given name; return all names.

    `before` holds names from cells above. A mistake is a pair: a piece of the lecture's text, and
    what somebody might write in its place.
    """
    names = {"np": np, "torch": torch, "claim": lambda *_, **__: None, **(before or {}), **given}
    left_out, found = set(), mistake is None
    for cell in ids:
        source = CELLS[cell]
        if mistake and mistake[0] in source:
            source, found = source.replace(*mistake), True
        tree = ast.parse(source)
        kept = []
        for statement in tree.body:
            targets = _assigned(statement)
            if targets and targets <= given.keys():
                left_out |= targets
            else:
                kept.append(statement)
        exec(compile(ast.Module(kept, []), cell, "exec"), names)
    assert found, f"no cell of {ids} holds the line {mistake[0]!r}"
    assert left_out == given.keys(), "a given name replaced nothing: was it renamed?"
    return names


def _assigned(statement: ast.stmt) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}


def close(found, expected) -> None:
    """Compare to rounding."""
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), **EXACT)


# ── edugrad's graph ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def edu():
    """Give edugrad, and the two operations it lacks: exp and log."""
    edugrad = pytest.importorskip("edugrad")
    from edugrad.tensor import Operation, tensor_op

    class Exp(Operation):
        @staticmethod
        def forward(ctx, a):
            ctx.append(np.exp(a))
            return ctx[0]

        @staticmethod
        def backward(ctx, grad_output):
            return [ctx[0] * grad_output]

    class Log(Operation):
        @staticmethod
        def forward(ctx, a):
            ctx.append(a)
            return np.log(a)

        @staticmethod
        def backward(ctx, grad_output):
            return [grad_output / ctx[0]]

    edugrad.exp, edugrad.log = tensor_op(Exp), tensor_op(Log)
    return edugrad


def one_hot_gradient(edu, E, ids, G):
    """Return rows and the table's gradient: a one-hot product whose upstream gradient is G."""
    table = edu.Tensor(E)
    rows = edu.ops.matmul(edu.Tensor(np.eye(len(E))[ids]), table)
    # d/drows of sum((rows + shift)^2) is 2 (rows + shift): choose the shift that makes it G
    aimed = rows + edu.Tensor(G / 2 - rows.value)
    edu.ops.reduce_sum(aimed**2).backward()
    return rows.value, table.grad


def row_products(edu, a, b):
    """Return the row-wise dot products (B, 1): ab = ((a + b)^2 - (a - b)^2) / 4, summed."""
    quarter = edu.Tensor(np.full((a.value.shape[1], 1), 0.25))
    return edu.ops.matmul((a + b) ** 2 - (a - b) ** 2, quarter)


def softplus(edu, s):
    """Return log(1 + e^s)."""
    return edu.log(edu.exp(s) + edu.Tensor(np.ones(s.value.shape)))


def tanh(edu, a):
    """Return 1 - 2 / (1 + e^2a)."""
    one = edu.Tensor(np.ones(a.value.shape))
    inverse = (edu.exp(a + a) + one) ** -1
    return one - (inverse + inverse)


def skip_gram_gradients(edu, x, near, far):
    """Return dJ/dx, dJ/dnear and dJ/dfar of -log s(x near) - log s(-x far), mean over the batch."""
    zero = edu.Tensor(np.zeros((len(x), 1)))
    words, true, random = (edu.Tensor(m) for m in (x, near, far))
    loss = softplus(edu, zero - row_products(edu, words, true))
    loss = loss + softplus(edu, row_products(edu, words, random))
    edu.ops.reduce_mean(loss).backward()
    return words.grad, true.grad, random.grad


def gradient_per_step(edu, U, inputs, goals):
    """Return dJ/dU_t of every step's own copy of U, first step first, (T, H, H)."""
    copies = [edu.Tensor(U.copy()) for _ in inputs]
    half = edu.Tensor(np.full((1, len(U)), 0.5))
    state, total = edu.Tensor(np.zeros((len(U), 1))), edu.Tensor(np.zeros((1, 1)))
    for U_t, x_t, goal in zip(copies, inputs, goals, strict=True):
        state = tanh(edu, edu.Tensor(x_t[:, None]) + edu.ops.matmul(U_t, state))
        total = total + edu.ops.matmul(half, (state - edu.Tensor(goal[:, None])) ** 2)
    edu.ops.reduce_sum(total).backward()
    return np.stack([U_t.grad for U_t in copies])


# ── the embedding layer ───────────────────────────────────────────────────────────────────────────


def check_embedding(edu, V, D, ids, mistake=None) -> None:
    """Run the lookup and the scatter-add of the lecture on a table (V, D)."""
    given = {"V": V, "D": D, "ids": np.array(ids)}
    names = run_cells("claim-01-1", "claim-01-2", given=given, mistake=mistake)
    E, G = names["E"], names["G"]
    rows, gradient = one_hot_gradient(edu, E, names["ids"], G)
    close(E[names["ids"]], rows)
    close(names["onehot"] @ E, rows)
    close(names["gradient"], gradient)
    close(names["table"].weight.grad, gradient)


@pytest.mark.parametrize(("V", "D", "ids"), TABLES)
def test_the_embedding_layer(edu, V, D, ids):
    """Catches a gradient that is assigned, averaged, negated, or given to the wrong rows."""
    check_embedding(edu, V, D, ids)


@pytest.mark.parametrize(
    "wrong",
    [
        "gradient[ids] = G",
        "gradient[ids] += G",
        "np.subtract.at(gradient, ids, G)",
        "np.add.at(gradient, ids, G / len(ids))",
        "np.add.at(gradient, ids[::-1], G)",
    ],
)
def test_mistakes_in_the_embedding_layer_are_caught(edu, wrong):
    """Catches a comparison that passes whatever the lecture writes."""
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_embedding(edu, *TABLES[0], mistake=("np.add.at(gradient, ids, G)", wrong))


# ── skip-gram with negative sampling ──────────────────────────────────────────────────────────────


def check_skip_gram(edu, B, D, mistake=None) -> None:
    """Run the gradient of a batch of pairs."""
    before = {"D": D, "rng": np.random.default_rng(B)}  # of the cells above
    names = run_cells("s3-by-hand", before=before, given={"B": B}, mistake=mistake)
    x, near, far = (names[name] for name in ("x", "near", "far"))
    close(names["positive"], np.einsum("bd,bd->b", x, near))
    by_hand = (names[name] for name in ("d_x", "d_near", "d_far"))
    for found, expected in zip(by_hand, skip_gram_gradients(edu, x, near, far), strict=True):
        close(found, expected)


@pytest.mark.parametrize(("B", "D"), BATCHES)
def test_skip_gram_over_a_batch(edu, B, D):
    """Catches a mean left out, a sign turned round, a random pair pulled like a true one."""
    check_skip_gram(edu, B, D)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("push = 1 / (1 + np.exp(-negative)) / B", "push = 1 / (1 + np.exp(-negative))"),
        ("pull = (1 / (1 + np.exp(-positive)) - 1)", "pull = (1 - 1 / (1 + np.exp(-positive)))"),
        ("np.exp(-negative)", "np.exp(negative)"),
        ("pull[:, None] * near", "pull[:, None] * x"),
        ("d_near, d_far = pull[:, None] * x", "d_near, d_far = pull[:, None] * near"),
        ("push[:, None] * x", "pull[:, None] * x"),
        ("(x * near).sum(axis=1)", "(x * near).mean(axis=1)"),
    ],
)
def test_mistakes_in_skip_gram_are_caught(edu, line, wrong):
    """Catches a comparison that passes whatever the lecture writes."""
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_skip_gram(edu, *BATCHES[0], mistake=(line, wrong))


# ── backpropagation through time ──────────────────────────────────────────────────────────────────


def check_bptt(edu, T, H, mistake=None) -> None:
    """Run the walk back through time, its finite differences and its copies of U."""
    cells = ("s5-forward", "s5-walk", "claim-01-6", "claim-01-7")
    names = run_cells(*cells, given={"T": T, "H": H}, mistake=mistake)
    U, inputs, goals = (names[name].detach().numpy() for name in ("U", "inputs", "goals"))
    per_step = gradient_per_step(edu, U, inputs, goals)
    close(torch.stack(names["terms"][::-1]), per_step)
    close(names["by_hand"], per_step.sum(axis=0))
    close(names["by_autograd"], per_step.sum(axis=0))
    close(torch.stack(names["per_step"]), per_step)
    np.testing.assert_allclose(names["differences"], per_step.sum(axis=0), rtol=0, atol=1e-8)


@pytest.mark.parametrize(("T", "H"), RUNS)
def test_backpropagation_through_time(edu, T, H):
    """Catches h_t for h_{t-1}, U for its transpose, a slope or the later losses left out."""
    check_bptt(edu, T, H)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("torch.outer(delta, h[t - 1])", "torch.outer(delta, h[t])"),
        ("torch.outer(delta, h[t - 1])", "torch.outer(h[t - 1], delta)"),
        ("U.detach().T @ delta", "U.detach() @ delta"),
        (" * (1 - h[t] ** 2)", ""),
        ("goals[t - 1] + later)", "goals[t - 1])"),
        ("by_hand = sum(terms)", "by_hand = sum(terms) / T"),
    ],
)
def test_mistakes_in_the_walk_are_caught(edu, line, wrong):
    """Catches a comparison that passes whatever the lecture writes."""
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_bptt(edu, *RUNS[0], mistake=(line, wrong))
