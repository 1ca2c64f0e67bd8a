"""A layer made of plain arrays computes what torch.nn computes with the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.analysis.gru.conventions import run_gru_in
from course_utils.models.layers.from_gates import GRU_GATES, LSTM_GATES, from_gates
from course_utils.models.steps import Weights

D, H, T, B = 3, 5, 7, 2


def gates_of(names, seed, biases=1, kind=np.float64):
    """Return random arrays for each gate: W (H, D), U (H, H) and one bias or two."""
    random = np.random.default_rng(seed)
    shapes = [(H, D), (H, H), *[(H,)] * biases]
    return {name: [random.normal(size=shape).astype(kind) for shape in shapes] for name in names}


def torch_layer(kind, gates, names):
    """Return torch's own layer with the gates stacked by hand."""
    layer = kind(D, H, dtype=torch.float64)
    with torch.no_grad():
        for place, parameter in enumerate(layer.parameters()):
            rows = [gates[n][place] if place < len(gates[n]) else np.zeros(H) for n in names]
            parameter.copy_(torch.from_numpy(np.concatenate(rows)))
    return layer


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def test_an_lstm_of_named_gates_is_torchs_with_the_same_rows():
    """Catches rows in another framework's order (i f o g, i g f o), and W taken for U."""
    gates = gates_of(LSTM_GATES, seed=1)
    theirs = torch_layer(torch.nn.LSTM, gates, LSTM_GATES)
    shuffled = {name: gates[name] for name in ("o", "g", "i", "f")}
    ours = from_gates(**shuffled)
    x = torch.randn(T, B, D, dtype=torch.float64)
    for a, b in zip((ours(x)[0], *ours(x)[1]), (theirs(x)[0], *theirs(x)[1]), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-14)


def test_an_lstm_of_named_gates_is_the_formula_in_numpy():
    """Catches a gate that is stacked in the wrong place in layer and test alike."""
    gates = gates_of(LSTM_GATES, seed=2)
    x = np.random.default_rng(3).normal(size=(T, D))
    h, c = np.zeros(H), np.zeros(H)
    for x_t in x:
        a = {name: W @ x_t + U @ h + b for name, (W, U, b) in gates.items()}
        c = sigmoid(a["f"]) * c + sigmoid(a["i"]) * np.tanh(a["g"])
        h = sigmoid(a["o"]) * np.tanh(c)
    found, (_, cell) = from_gates(**gates)(torch.from_numpy(x)[:, None])
    np.testing.assert_allclose(found[-1, 0].detach(), h, rtol=0, atol=1e-14)
    np.testing.assert_allclose(cell[0, 0].detach(), c, rtol=0, atol=1e-14)


@pytest.mark.parametrize("update", ["keep", "renew"])
def test_a_gru_of_named_gates_is_the_formula_in_numpy(update):
    """Catches a renewing gate read as a keeping one, and b_U outside the reset."""
    gates = gates_of(GRU_GATES, seed=4, biases=2)
    x = np.random.default_rng(5).normal(size=(T, D))
    h = np.zeros(H)
    for x_t in x:
        r, z = (sigmoid(W @ x_t + b + U @ h + c) for W, U, b, c in (gates["r"], gates["z"]))
        W, U, b, c = gates["n"]
        n = np.tanh(W @ x_t + b + r * (U @ h + c))
        kept = z if update == "keep" else 1 - z
        h = kept * h + (1 - kept) * n
    found, _ = from_gates(update=update, reset="after", **gates)(torch.from_numpy(x)[:, None])
    np.testing.assert_allclose(found[-1, 0].detach(), h, rtol=0, atol=1e-14)


def test_a_reset_before_the_product_is_refused_or_the_same():
    """Catches a GRU of another convention that runs, and silently computes something else."""
    gates = gates_of(GRU_GATES, seed=6)
    with pytest.raises(ValueError, match=r"no weights turn one into the other.*run_gru_in"):
        from_gates(update="keep", reset="before", **gates)
    gates["n"][1] = np.diag(np.diag(gates["n"][1]))
    x = torch.randn(T, B, D, dtype=torch.float64)
    parts = [np.concatenate([gates[name][place] for name in GRU_GATES]) for place in range(3)]
    theirs = run_gru_in(x, Weights(*map(torch.from_numpy, parts)), "keep", "before").h
    ours, _ = from_gates(update="keep", reset="before", **gates)(x)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-14)
    gates["n"].append(np.ones(H))  # b_U stands inside one of the two resets only
    with pytest.raises(ValueError, match="no weights"):
        from_gates(update="keep", reset="before", **gates)


def test_what_is_not_said_is_asked():
    """Catches a default convention: half of all GRUs would be opened wrongly, and run."""
    gates = gates_of(GRU_GATES, seed=7)
    for said in ({}, {"update": "keep"}, {"reset": "after"}, {"update": "z", "reset": "after"}):
        with pytest.raises(ValueError, match="say which GRU it is"):
            from_gates(**said, **gates)
    with pytest.raises(ValueError, match="neither an update nor a reset gate"):
        from_gates(update="keep", **gates_of(LSTM_GATES, seed=7))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda g: g.pop("o"), "no layer has the gates i, f, g"),
        (lambda g: g.update(p=g["o"]), "no layer has the gates"),
        (lambda g: g["f"].__setitem__(0, g["f"][0].T), r"gate f has the shapes \(3, 5\)"),
        (lambda g: g["o"].pop(), "gate o has the shapes"),
        (lambda g: g["g"].extend([g["g"][2]] * 2), "gate g has the shapes"),
        (lambda g: g["i"].__setitem__(0, g["i"][2]), "two matrices and a vector"),
    ],
)
def test_what_does_not_fit_is_told(change, says):
    """Catches a transposed matrix that broadcasts, a peephole that is dropped in silence."""
    gates = gates_of(LSTM_GATES, seed=8)
    change(gates)
    with pytest.raises(ValueError, match=says):
        from_gates(**gates)


def test_the_numbers_keep_their_precision():
    """Catches float64 arrays rounded to float32, and an integer matrix cut to whole numbers."""
    assert from_gates(**gates_of(LSTM_GATES, 9)).weight_ih_l0.dtype == torch.float64
    single = from_gates(**gates_of(LSTM_GATES, 9, kind=np.float32))
    assert single.weight_ih_l0.dtype == torch.float32
    whole = {name: [np.ones((H, D), int), np.eye(H, dtype=int), np.ones(H)] for name in LSTM_GATES}
    assert from_gates(**whole).weight_ih_l0.dtype == torch.float64
    listed = {name: [part.tolist() for part in gate] for name, gate in whole.items()}
    x = torch.randn(T, B, D, dtype=torch.float64)
    torch.testing.assert_close(from_gates(**listed)(x)[0], from_gates(**whole)(x)[0])
