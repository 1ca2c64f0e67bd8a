"""Exercise 4.1: the step of a GRU."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def gru_step(x_t: Tensor, h_prev: Tensor, W: Tensor, U: Tensor, b: Tensor) -> Tensor:
    """Return h_t as the sources write it: u renews, the reset gate acts before the product."""
    x_r, x_u, x_n = (x_t @ W.T + b).chunk(3, dim=-1)
    U_r, U_u, U_n = U.chunk(3)
    r = torch.sigmoid(x_r + h_prev @ U_r.T)
    u = torch.sigmoid(x_u + h_prev @ U_u.T)
    n = torch.tanh(x_n + (r * h_prev) @ U_n.T)
    return (1 - u) * h_prev + u * n


def _weights(D: int, H: int) -> tuple[Tensor, Tensor, Tensor]:
    return some(3 * H, D, seed=D), some(3 * H, H, seed=H), some(3 * H, seed=D * H)


EXERCISE = Exercise(
    number="4.1",
    task="the step of a GRU",
    reference=gru_step,
    takes="x_t (B, D), h_prev (B, H), W (3H, D), U (3H, H), b (3H,)",
    gives="a tensor (B, H)",
    example=(
        torch.ones(1, 1),
        torch.ones(1, 1),
        torch.zeros(3, 1),
        torch.zeros(3, 1),
        torch.zeros(3),
    ),
    cases=lambda: [
        (some(B, D, seed=1), some(B, H, seed=2), *_weights(D, H))
        for B, D, H in ((3, 5, 7), (2, 7, 5), (5, 3, 11))
    ],
    hints=(
        "Split W x_t + b and U into three parts of H rows each: r, u, candidate. Which of them "
        "needs the old state as it is, and which needs it reset?",
        "r and u first, from x_t and h_prev. Then the candidate from x_t and r * h_prev.",
        "n = tanh(x_n + (r * h_prev) @ U_n.T), then (1 - u) * h_prev + u * n.",
    ),
    misconceptions=(
        *mistakes("""
            u keeps
                (1 - u) * h_prev + u * n => u * h_prev + (1 - u) * n
                Your u keeps the old state: that is PyTorch's z. In (4.4) the gate u says how much
                of the candidate is taken.
            reset after the product
                (r * h_prev) @ U_n.T => r * (h_prev @ U_n.T)
                You reset after the product, r * (U h), as PyTorch does. In (4.3) the gate acts on
                the state first: U (r * h).
            no reset
                (r * h_prev) @ U_n.T => h_prev @ U_n.T
                Your reset gate is computed and never used. It decides what the candidate sees of
                the old state.
            reset on everything
                x_n + (r * h_prev) @ U_n.T => r * (x_n + h_prev @ U_n.T)
                You reset the input's part of the candidate too. The reset gate acts on the old
                state alone.
            candidate with a sigmoid
                torch.tanh => torch.sigmoid
                The candidate is content, not a gate: tanh, so that it can be negative.
            gates in the order u r n
                x_r, x_u, x_n = => x_u, x_r, x_n = &&
                U_r, U_u, U_n = => U_u, U_r, U_n =
                You took the update gate's rows for the reset gate's. The rows stand in the order r,
                u, candidate.
            1 - r
                (r * h_prev) => ((1 - r) * h_prev)
                Your reset gate is turned round: r = 1 lets the old state through, so r itself
                multiplies it.
            candidate first
                x_r, x_u, x_n = => x_n, x_r, x_u = &&
                U_r, U_u, U_n = => U_n, U_r, U_u =
                You took the first block for the candidate. The rows stand in the order reset,
                update, candidate.
            only the new part
                (1 - u) * h_prev + u * n => u * n
                The part of the old state that stays is missing: (1 - u) h_{t-1}.
            old state in full
                (1 - u) * h_prev + u * n => h_prev + u * n
                The old state stays in full, so the sum can grow without an end. It is weighted by 1
                - u.
            reset in the mix
                (1 - u) * h_prev + u * n => (1 - u) * r * h_prev + u * n
                The reset gate stands in the mixing as well. It acts only on what the candidate
                sees; the update gate alone mixes.
            reset in the mix only
                (1 - u) * h_prev + u * n => (1 - u) * r * h_prev + u * n &&
                (r * h_prev) @ U_n.T => h_prev @ U_n.T
                You reset the old state in the mixing, not for the candidate: r acts inside the
                tanh, u alone mixes.
            candidate alone
                (1 - u) * h_prev + u * n => n
                You return the candidate. The update gate mixes it with the old state: (4.4).
            both weighted by u
                (1 - u) * h_prev + u * n => u * h_prev + u * n
                Both parts are weighted by u. The shares must add up to one: 1 - u for the old
                state.
            candidate not squashed
                torch.tanh(x_n + (r * h_prev) @ U_n.T) => x_n + (r * h_prev) @ U_n.T
                The candidate is not squashed: it is the tanh of its sum.
            gates through tanh
                r = torch.sigmoid => r = torch.tanh &&
                u = torch.sigmoid => u = torch.tanh
                Your gates go through tanh. A gate says how much, between 0 and 1: torch.sigmoid.
        """),
        Misconception(
            "gates not squashed",
            Change("r = torch.sigmoid", "r = ", also={"u = torch.sigmoid": "u = "}),
            "Your gates are plain sums. A gate lies between 0 and 1: torch.sigmoid.",
        ),
        *mistakes("""
            bias forgotten
                x_t @ W.T + b => x_t @ W.T
                The bias is missing in the sums.
            tanh around the result
                (1 - u) * h_prev + u * n => torch.tanh((1 - u) * h_prev + u * n)
                There is a tanh too many: h_t is the mixture itself. Only the candidate is squashed.
            added without a gate
                (1 - u) * h_prev + u * n => h_prev + n
                You add candidate and old state. The update gate mixes them: shares u and 1 - u.
            PyTorch's step
                (r * h_prev) @ U_n.T => r * (h_prev @ U_n.T) &&
                (1 - u) * h_prev + u * n => u * h_prev + (1 - u) * n
                This is PyTorch's GRU, in both ways: its gate keeps, and it resets after the
                product. You need (4.1) to (4.4).
        """),
    ),
)
