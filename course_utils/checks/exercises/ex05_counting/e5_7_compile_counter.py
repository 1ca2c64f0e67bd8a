"""Exercise 5.7: put a table of moves into the weights of an LSTM."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from course_utils.checks.exercise import Arguments, Exercise

TEXT = 60  # letters of each text that the cells must follow
NEAR = 0.05


def compile_counter(moves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return W and b of an LSTM whose cells move by a table of -1, 0 and 1."""
    H = moves.shape[1]
    W = np.zeros((4 * H, len(moves)))
    W[2 * H : 3 * H] = 20 * moves.T  # the candidate: its sign is the move's, 0 writes nothing
    b = np.zeros(4 * H)
    b[: 2 * H] = 40  # the input and the forget gate: 1
    return W, b


def _what_the_cells_do(answer: Any, moves: np.ndarray) -> str:
    """Return `follows the table`, or the first fault of an LSTM with these weights."""
    H = moves.shape[1]
    try:
        W, b = (np.asarray(part, dtype=np.float64) for part in answer)
    except (TypeError, ValueError):
        return "two arrays"
    if W.shape != (4 * H, len(moves)) or b.shape != (4 * H,):
        return "shapes"
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        return "no numbers"
    if _follows(W, b, moves):
        return "follows the table"
    exchanged = np.r_[: 2 * H, 3 * H : 4 * H, 2 * H : 3 * H]
    if _follows(W[exchanged], b[exchanged], moves):
        return "order of the gates"
    if _follows(W, b, -moves):
        return "turned round"
    sums = W + b[:, None]  # what goes into every gate at every letter, (4 H, V)
    i, f = 1 / (1 + np.exp(-np.clip(sums[: 2 * H], -700, 700).reshape(2, H, -1)))
    if (f < 0.999).any():
        return "forgets"
    written = i * np.tanh(sums[2 * H : 3 * H])  # (H, V)
    if (np.abs(written)[moves.T == 0] > NEAR / TEXT).any():
        return "never rests"
    if (np.abs(written)[moves.T != 0] < 0.99).any():
        return "small steps"
    return "another table"


def _follows(W: np.ndarray, b: np.ndarray, moves: np.ndarray) -> bool:
    """Let an LSTM with these weights read every letter alone and all in turn."""
    V, H = moves.shape
    layer = nn.LSTM(V, H, dtype=torch.float64)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        layer.get_parameter("weight_ih_l0").copy_(torch.from_numpy(W))
        layer.get_parameter("bias_ih_l0").copy_(torch.from_numpy(b))
        for letters in (*np.eye(V, dtype=int), np.ones(V, dtype=int)):
            text = np.resize(np.flatnonzero(letters), TEXT)
            _, (_, c) = layer(torch.eye(V, dtype=torch.float64)[text])
            if np.abs(c[0].numpy() - moves[text].sum(axis=0)).max() > NEAR:
                return False
    return True


def _cases() -> list[Arguments]:
    tables = (
        [[1], [-1]],
        [[1, 0], [-1, 1], [0, -1]],
        [[1, 0, 1], [-1, 0, 1], [0, 1, 1], [0, -1, 1]],
    )
    return [(np.array(table),) for table in tables]


EXERCISE = Exercise(
    number="5.7",
    task="put a table of moves into the weights of an LSTM",
    kind="set",
    reference=compile_counter,
    takes="moves: whole numbers -1, 0 or 1, (V, H), a row a letter and a column a cell",
    gives="W (4H, V) and b (4H,), the rows in the order i, f, g, o",
    cases=_cases,
    effect=_what_the_cells_do,
    reasons={
        "two arrays": "Asked for are two arrays: W and b.",
        "shapes": "W must be (4H, V) and b (4H,), with (V, H) the shape of moves.",
        "no numbers": "There is infinity or NaN in it: a weight is a number.",
        "order of the gates": "With its last two blocks exchanged it would count: PyTorch's order "
        "is i, f, g, o, and the candidate g is the third.",
        "turned round": "Every cell moves the wrong way: look at the candidate's sign.",
        "forgets": "A forget gate is below 1 at some letter, so counts leak: what must go into it?",
        "never rests": "A cell moves at a letter where the table says 0: its candidate must be 0 "
        "there, or its input gate shut.",
        "small steps": "A cell moves by less than 1: the input gate and the candidate must both be "
        "at their ends.",
        "another table": "The cells count, and by another table: is W (gates, letters), and not "
        "the other way round?",
    },
    hints=(
        "Three things must hold at every letter: f is 1, i is 1, and the candidate is the move.",
        "U is 0, so W and b alone decide. Which gates are the same at every letter? They can stand "
        "in b.",
        "Zeros, then b[:2 * H] = 40 and W[2 * H : 3 * H] = 20 * moves.T.",
    ),
    misconceptions=(),
)
