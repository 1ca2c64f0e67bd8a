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

from course_utils.pages.notebook import read

LECTURE = Path(__file__).resolve().parents[3] / "notebooks" / "01_language_models.ipynb"
CELLS = {cell.node.id: cell.source for cell in read(LECTURE).code}
EXACT = {"rtol": 0, "atol": 1e-12}

# V, D and ids with repetitions, all alike, none repeated, one alone
TABLES = [(7, 5, [6, 0, 6, 6, 3, 0]), (5, 11, [4, 4, 4]), (11, 3, [9, 1, 5]), (2, 1, [1])]
BATCHES = [(11, 3), (3, 7), (1, 5)]  # B, D
RUNS = [(7, 3, 5), (3, 11, 2), (11, 5, 13), (1, 2, 3), (5, 1, 4)]  # T, H, N


def run_cells(*ids: str, given: dict, before: dict | None = None, mistake=None) -> dict:
    """Run cells of the lecture, leaving out what assigns a given name; return all names.

    `before` holds names from cells above. A mistake is a pair: a piece of the lecture's text, and
    what somebody might write in its place.
    """
    unheard = lambda *_, **__: None  # noqa: E731
    names = {
        "np": np,
        "torch": torch,
        "claim": unheard,
        "same": unheard,
        "draw_table": unheard,
        "show": unheard,
        "plot_amounts": unheard,
        **(before or {}),
        **given,
    }
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


def gradient_per_step(edu, U, O, inputs, words):
    """Return dJ/dU_t of every step's own copy of U, first step first, (T, H, H).

    J is the sum of -log softmax(O h_t)[word_t] = log(sum of e^s) - s_word.
    """
    copies = [edu.Tensor(U.copy()) for _ in inputs]
    ones = edu.Tensor(np.ones((1, len(O))))
    zero = edu.Tensor(np.zeros((1, 1)))
    state, total = edu.Tensor(np.zeros((len(U), 1))), zero
    for U_t, x_t, word in zip(copies, inputs, words, strict=True):
        state = tanh(edu, edu.Tensor(x_t[:, None]) + edu.ops.matmul(U_t, state))
        scores = edu.ops.matmul(edu.Tensor(O), state)  # (N, 1)
        true = edu.ops.matmul(edu.Tensor(np.eye(len(O))[[word]]), scores)
        total = total + edu.log(edu.ops.matmul(ones, edu.exp(scores))) + (zero - true)
    edu.ops.reduce_sum(total).backward()
    return np.stack([U_t.grad for U_t in copies])


# ── the embedding layer ───────────────────────────────────────────────────────────────────────────


def check_embedding(edu, V, D, ids, mistake=None) -> None:
    """Run the lookup and the scatter-add of the lecture on a table (V, D)."""
    given = {"rows": V, "columns": D, "ids": np.array(ids)}
    names = run_cells("s4-lookup", "s4-scatter", given=given, mistake=mistake)
    table, G = names["table"], names["G"]
    rows, gradient = one_hot_gradient(edu, table, names["ids"], G)
    close(table[names["ids"]], rows)
    close(names["onehot"] @ table, rows)
    close(names["gradient"], gradient)
    close(names["layer"].weight.grad, gradient)


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
    before = {"rng": np.random.default_rng(B)}  # of the cells above
    names = run_cells("s4-pairs", before=before, given={"B": B, "D": D}, mistake=mistake)
    x, near, far = (names[name] for name in ("x", "near", "far"))
    close(names["true_pairs"], np.einsum("bd,bd->b", x, near))
    expected, _, _ = skip_gram_gradients(edu, x, near, far)
    close(names["d_x"], expected)
    close(names["by_chain"], expected)


@pytest.mark.parametrize(("B", "D"), BATCHES)
def test_skip_gram_over_a_batch(edu, B, D):
    """Catches a mean left out, a sign turned round, a random pair pulled like a true one."""
    check_skip_gram(edu, B, D)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("np.exp(-random_pairs)) / B", "np.exp(-random_pairs))"),
        ("pull = (1 / (1 + np.exp(-true_pairs)) - 1)", "pull = 1 - 1 / (1 + np.exp(-true_pairs))"),
        ("np.exp(-random_pairs)", "np.exp(random_pairs)"),
        ("pull[:, None] * near", "pull[:, None] * x"),
        ("push[:, None] * far", "push[:, None] * near"),
        ("(x * near).sum(1), (x * far)", "(x * near).mean(1), (x * far)"),
        ("log_sigmoid(-(X * Z).sum(1))", "log_sigmoid((X * Z).sum(1))"),
        ("(X * Z).sum(1))).mean()", "(X * Z).sum(1))).sum()"),
    ],
)
def test_mistakes_in_skip_gram_are_caught(edu, line, wrong):
    """Catches a comparison that passes whatever the lecture writes."""
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_skip_gram(edu, *BATCHES[0], mistake=(line, wrong))


# ── backpropagation through time ──────────────────────────────────────────────────────────────────


def check_bptt(edu, T, H, N, mistake=None) -> None:
    """Run the walk back through time, its finite differences and its copies of U."""
    cells = ("s5-loss", "s7-forward", "s7-loss", "s7-walk", "claim-01-3", "s7-nudges", "s7-copies")
    names = run_cells(*cells, given={"T": T, "H": H, "N": N}, mistake=mistake)
    U, O, inputs, words = (
        names[name].detach().numpy() for name in ("U", "O", "inputs", "asked_words")
    )
    per_step = gradient_per_step(edu, U, O, inputs, words)
    close(torch.stack(names["terms"][::-1]), per_step)
    close(names["walked"], per_step.sum(axis=0))
    close(names["by_autograd"], per_step.sum(axis=0))
    close(torch.stack(names["per_step"]), per_step)
    np.testing.assert_allclose(names["measured"], per_step.sum(axis=0), rtol=0, atol=1e-8)


@pytest.mark.parametrize(("T", "H", "N"), RUNS)
def test_backpropagation_through_time(edu, T, H, N):
    """Catches h_t for h_{t-1}, U for its transpose, a slope or the later losses left out."""
    check_bptt(edu, T, H, N)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("torch.outer(delta, h_fixed[t - 1])", "torch.outer(delta, h_fixed[t])"),
        ("torch.outer(delta, h_fixed[t - 1])", "torch.outer(h_fixed[t - 1], delta)"),
        ("U.detach().T @ delta", "U.detach() @ delta"),
        (" * (1 - h_fixed[t] ** 2)", ""),
        ("(p_t - y_t) + later)", "(p_t - y_t))"),
        ("(p_t - y_t)", "(y_t - p_t)"),
        ("walked = sum(terms)", "walked = sum(terms) / T"),
        ("return T * cross_entropy", "return cross_entropy"),
        (".mean()  # line (1.8)", ".sum()  # line (1.8)"),
    ],
)
def test_mistakes_in_the_walk_are_caught(edu, line, wrong):
    """Catches a comparison that passes whatever the lecture writes."""
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_bptt(edu, *RUNS[0], mistake=(line, wrong))
