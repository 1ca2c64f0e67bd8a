"""Lecture 04: the step of a GRU, weights for another convention, the number of parameters."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.analysis.gru.conventions import gru_step_in, swap_update_gate
from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.models import Weights


def gru_step(x_t: Tensor, h_prev: Tensor, W: Tensor, U: Tensor, b: Tensor) -> Tensor:
    """Return h_t as the sources write it: u renews, the reset gate acts before the product."""
    return gru_step_in(x_t, h_prev, Weights(W, U, b), "renew", "before").h


def to_keeping(W: Tensor, U: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return weights whose update gate keeps what the given one renews."""
    return tuple(swap_update_gate(Weights(W, U, b))[:3])


def count_parameters(gates: int, D: int, H: int) -> int:
    """Return the parameters of one of PyTorch's recurrent layers."""
    return gates * H * (D + H + 2)


def _weights(D: int, H: int) -> tuple[Tensor, Tensor, Tensor]:
    return some(3 * H, D, seed=D), some(3 * H, H, seed=H), some(3 * H, seed=D * H)


def _gates(x_t: Tensor, h_prev: Tensor, W: Tensor, U: Tensor, b: Tensor) -> list[Tensor]:
    """Return r, u and the three parts of the candidate."""
    a_r, a_u, a_n = (x_t @ W.T + b).chunk(3, dim=-1)
    U_r, U_u, U_n = U.chunk(3)
    r, u = torch.sigmoid(a_r + h_prev @ U_r.T), torch.sigmoid(a_u + h_prev @ U_u.T)
    return [r, u, a_n, U_n, h_prev]


def _mixed(candidate, old=None):
    """Return a whole step from a formula for the candidate, and one for the mixing."""

    def step(*arguments: Tensor) -> Tensor:
        r, u, a_n, U_n, h_prev = _gates(*arguments)
        n = candidate(r, u, a_n, U_n, h_prev)
        return (1 - u) * h_prev + u * n if old is None else old(u, h_prev, n)

    return step


def _candidate(r: Tensor, u: Tensor, a_n: Tensor, U_n: Tensor, h_prev: Tensor) -> Tensor:
    return torch.tanh(a_n + (r * h_prev) @ U_n.T)


def _update_before_reset(x_t, h_prev, W, U, b):
    swap = [1, 0, 2]
    W, U, b = (part.unflatten(0, (3, -1))[swap].flatten(0, 1) for part in (W, U, b))
    return gru_step(x_t, h_prev, W, U, b)


def _negated(rows: slice | None):
    """Return a conversion that turns the sign of some rows, of all when None."""

    def convert(W: Tensor, U: Tensor, b: Tensor) -> tuple[Tensor, ...]:
        H = U.shape[1]
        chosen = slice(None) if rows is None else slice(rows.start * H, rows.stop * H)
        sign = torch.ones_like(b)
        sign[chosen] = -1
        return sign.unsqueeze(1) * W, sign.unsqueeze(1) * U, sign * b

    return convert


def _without_bias(W, U, b):
    W, U, _ = to_keeping(W, U, b)
    return W, U, 1 * b


def _one_minus(W, U, b):
    H = U.shape[1]
    parts = []
    for part in (W, U, b):
        r, u, n = part.split(H)
        parts.append(torch.cat([r, 1 - u, n]))
    return tuple(parts)


EXERCISES = (
    Exercise(
        number="4.1",
        task="the step of a GRU",
        reference=gru_step,
        cases=lambda: [
            (some(B, D, seed=1), some(B, H, seed=2), *_weights(D, H))
            for B, D, H in ((3, 5, 7), (2, 7, 5), (5, 3, 11))
        ],
        misconceptions=(
            Misconception(
                "u keeps",
                _mixed(_candidate, lambda u, h_prev, n: u * h_prev + (1 - u) * n),
                "Your u keeps the old state: that is PyTorch's z. In (4.4) the gate u says how "
                "much of the candidate is taken.",
            ),
            Misconception(
                "reset after the product",
                _mixed(lambda r, u, a_n, U_n, h_prev: torch.tanh(a_n + r * (h_prev @ U_n.T))),
                "You reset after the product, r * (U h), as PyTorch does. In (4.3) the gate acts "
                "on the state first: U (r * h).",
            ),
            Misconception(
                "no reset",
                _mixed(lambda r, u, a_n, U_n, h_prev: torch.tanh(a_n + h_prev @ U_n.T)),
                "Your reset gate is computed and never used. It decides what the candidate sees "
                "of the old state.",
            ),
            Misconception(
                "reset on everything",
                _mixed(lambda r, u, a_n, U_n, h_prev: torch.tanh(r * (a_n + h_prev @ U_n.T))),
                "You reset the input's part of the candidate too. The reset gate acts on the old "
                "state alone.",
            ),
            Misconception(
                "candidate with a sigmoid",
                _mixed(lambda r, u, a_n, U_n, h_prev: torch.sigmoid(a_n + (r * h_prev) @ U_n.T)),
                "The candidate is content, not a gate: tanh, so that it can be negative.",
            ),
            Misconception(
                "gates in the order u r n",
                _update_before_reset,
                "You took the update gate's rows for the reset gate's. The rows stand in the "
                "order r, u, candidate.",
            ),
        ),
        hints=(
            "Split W x_t + b and U into three parts of H rows each: r, u, candidate. Which of "
            "them needs the old state as it is, and which needs it reset?",
            "r and u first, from x_t and h_prev. Then the candidate from x_t and r * h_prev.",
            "n = tanh(x_n + (r * h_prev) @ U_n.T), then (1 - u) * h_prev + u * n.",
        ),
    ),
    Exercise(
        number="4.2",
        task="convert the update gate",
        reference=to_keeping,
        cases=lambda: [_weights(D, H) for D, H in ((5, 7), (7, 3), (3, 11))],
        misconceptions=(
            Misconception(
                "one minus the weights",
                _one_minus,
                "You took 1 minus the weights. It is the gate that must become 1 - u, after the "
                "sigmoid: which change of its input does that?",
            ),
            Misconception(
                "bias forgotten",
                _without_bias,
                "The bias belongs to the gate's input as well: it changes its sign with W and U.",
            ),
            Misconception(
                "the reset gate's rows",
                _negated(slice(0, 1)),
                "You turned the first block of rows, the reset gate. The update gate is second.",
            ),
            Misconception(
                "the candidate's rows",
                _negated(slice(2, 3)),
                "You turned the candidate's rows. Count from 0: rows H to 2H are the update gate.",
            ),
            Misconception(
                "everything",
                _negated(None),
                "You turned every row. Only the update gate means something else; the reset gate "
                "and the candidate stay.",
            ),
        ),
        hints=(
            "You need a gate z = 1 - u. Where is 1 - sigmoid(a) on the curve of the sigmoid?",
            "1 - sigmoid(a) = sigmoid(-a): the gate's input changes its sign. Which rows make it?",
            "sign = torch.ones(3 * H); sign[H : 2 * H] = -1; multiply the rows of W, U and b.",
        ),
    ),
    Exercise(
        number="4.3",
        task="count the parameters",
        reference=count_parameters,
        cases=lambda: [(4, 5, 7), (3, 7, 5), (1, 3, 11)],
        misconceptions=(
            Misconception(
                "one bias",
                lambda gates, D, H: gates * H * (D + H + 1),
                "You counted one bias a gate. PyTorch keeps two, one beside W and one beside U.",
            ),
            Misconception(
                "no bias",
                lambda gates, D, H: gates * H * (D + H),
                "The biases are missing: two vectors of H numbers for every gate.",
            ),
            Misconception(
                "gates on one matrix only",
                lambda gates, D, H: gates * H * D + H * H + 2 * gates * H,
                "U has rows for every gate as well, not only W.",
            ),
            Misconception(
                "square input matrix",
                lambda gates, D, H: gates * H * (2 * H + 2),
                "W has D columns, U has H: they are the same only when the layer is as wide as "
                "its input.",
            ),
            Misconception(
                "candidate forgotten",
                lambda gates, D, H: (gates - 1) * H * (D + H + 2),
                "`gates` already counts every block of rows, the candidate among them.",
            ),
        ),
        hints=(
            "Write down the shapes of W, U and the two biases of one gate.",
            "One gate has H x D, H x H and two times H numbers.",
            "gates * H * (D + H + 2)",
        ),
        gradients=False,
    ),
)
