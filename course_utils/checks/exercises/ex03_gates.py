"""Lecture 03: one step of an LSTM, its direct path, and weights that hold a bit."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def one_lstm_step(
    x_t: Tensor, h_prev: Tensor, c_prev: Tensor, W: Tensor, U: Tensor, b: Tensor
) -> tuple[Tensor, Tensor]:
    """Return h_t and c_t; the rows of W, U and b hold the gates i, f, g, o, one below another."""
    a_i, a_f, a_g, a_o = _sums(x_t, h_prev, W, U, b)
    c = torch.sigmoid(a_f) * c_prev + torch.sigmoid(a_i) * torch.tanh(a_g)
    return torch.sigmoid(a_o) * torch.tanh(c), c


def direct_path_gradient(f: Tensor) -> Tensor:
    """Return dc_T/dc_0 past the gates' inputs, from the forget gates of the steps 1 to T."""
    return f.prod(dim=0)


def latch_by_hand(strength: float) -> tuple[Tensor, Tensor]:
    """Return W (4, 2) and b (4,) of one unit that stores `value` when `write` is 1."""
    W = torch.tensor([[0, 2 * strength], [0, -2 * strength], [2, 0], [0, 0]])
    return W, torch.tensor([-strength, strength, 0, strength])


def _sums(x_t: Tensor, h_prev: Tensor, W: Tensor, U: Tensor, b: Tensor) -> tuple[Tensor, ...]:
    return (x_t @ W.T + h_prev @ U.T + b).chunk(4, dim=-1)


def _a_step(order: str = "ifgo", candidate=torch.tanh, read=torch.tanh, forgets=True):
    """Return a step that is wrong in one way."""

    def step(x_t, h_prev, c_prev, W, U, b):
        a = dict(zip(order, _sums(x_t, h_prev, W, U, b), strict=True))
        kept = torch.sigmoid(a["f"]) * c_prev if forgets else c_prev + 0 * a["f"]
        c = kept + torch.sigmoid(a["i"]) * candidate(a["g"])
        return torch.sigmoid(a["o"]) * read(c), c

    return step


def _step_cases() -> list[tuple]:
    return [
        (some(B, D, seed=B), some(B, H, seed=B + 1), some(B, H, seed=B + 2),
         some(4 * H, D, seed=B + 3), some(4 * H, H, seed=B + 4), some(4 * H, seed=B + 5))
        for B, D, H in ((7, 3, 5), (2, 5, 3), (11, 2, 7))
    ]  # fmt: skip


def _weights(i, f, g, o, b) -> tuple[Tensor, Tensor]:
    return torch.tensor([i, f, g, o]), torch.tensor(b)


EXERCISES = (
    Exercise(
        number="3.1",
        task="one step of an LSTM",
        reference=one_lstm_step,
        cases=_step_cases,
        misconceptions=(
            Misconception(
                "input and forget gate swapped",
                _a_step(order="figo"),
                "Your input and forget gate are swapped. PyTorch stacks the rows in the order "
                "i, f, g, o: the first block is the input gate.",
            ),
            Misconception(
                "output gate before the candidate",
                _a_step(order="ifog"),
                "You read the blocks as i, f, o, g. The third block is the candidate, the fourth "
                "the output gate.",
            ),
            Misconception(
                "a sigmoid candidate",
                _a_step(candidate=torch.sigmoid),
                "Your candidate goes through a sigmoid. It is no gate: it says what to write, "
                "with a sign, so it goes through tanh.",
            ),
            Misconception(
                "memory read without tanh",
                _a_step(read=lambda c: c),
                "You read the memory as it is. Between the cell and the output gate stands a "
                "tanh: h_t = o_t tanh(c_t).",
            ),
            Misconception(
                "nothing forgotten",
                _a_step(forgets=False),
                "The old memory passes untouched. The forget gate multiplies it: f_t c_{t-1}.",
            ),
            Misconception(
                "bias forgotten",
                lambda *inputs: one_lstm_step(*inputs[:-1], 0 * inputs[-1]),
                "The bias is missing in the sums of the gates.",
            ),
            Misconception(
                "memory instead of state in the gates",
                lambda x_t, h_prev, c_prev, W, U, b: one_lstm_step(x_t, c_prev, c_prev, W, U, b),
                "U was multiplied with c_{t-1}. The gates look at the hidden state h_{t-1}; the "
                "memory cell itself they never see.",
            ),
            Misconception(
                "results in the other order",
                lambda *inputs: one_lstm_step(*inputs)[::-1],
                "You return c_t and h_t. The order asked for is h_t first, then c_t.",
            ),
        ),
        hints=(
            "All four sums at once: x_t @ W.T + h_prev @ U.T + b has 4 H columns. "
            "`chunk(4, dim=-1)` cuts them apart.",
            "The blocks are i, f, g, o. Three go through torch.sigmoid, g goes through torch.tanh.",
            "c = f * c_prev + i * g, then h = o * torch.tanh(c), and return h, c.",
        ),
    ),
    Exercise(
        number="3.2",
        task="the gradient along the direct path",
        reference=direct_path_gradient,
        cases=lambda: [
            (torch.sigmoid(some(T, B, H, seed=T)),)
            for T, B, H in ((7, 3, 5), (2, 5, 3), (11, 2, 7))
        ],
        misconceptions=(
            Misconception(
                "a sum",
                lambda f: f.sum(dim=0),
                "You added the gates. Steps follow each other, so their factors multiply.",
            ),
            Misconception(
                "the last factor missing",
                lambda f: f[:-1].prod(dim=0),
                "One factor is missing. T steps lead from c_0 to c_T, and each brings its gate.",
            ),
            Misconception(
                "the first factor missing",
                lambda f: f[1:].prod(dim=0),
                "One factor is missing: f[0] belongs to the first step, from c_0 to c_1.",
            ),
            Misconception(
                "the slope of the gate",
                lambda f: (f * (1 - f)).prod(dim=0),
                "f (1 - f) is the slope of the gate with respect to its sum. The direct path "
                "multiplies by the gate's value itself.",
            ),
            Misconception(
                "all units multiplied",
                lambda f: f.prod(dim=0).prod(dim=-1, keepdim=True).expand_as(f[0]),
                "You multiplied over the units as well. Each cell has a path of its own: only "
                "time is multiplied away.",
            ),
        ),
        hints=(
            "c_t = f_t c_{t-1} + i_t g_t. Hold the gates and the candidate fixed: what is left of "
            "the derivative by c_{t-1}?",
            "One factor a step, each unit for itself. The shape is (T, B, H), and T must go.",
            "f.prod(dim=0)",
        ),
    ),
    Exercise(
        number="3.3",
        task="a latch, by hand",
        reference=latch_by_hand,
        cases=lambda: [(6.0,), (12.0,), (3.5,)],
        misconceptions=(
            Misconception(
                "forget gate opens on write",
                lambda s: _weights([0, 2 * s], [0, 2 * s], [2.0, 0], [0.0, 0], [-s, -s, 0, s]),
                "Your forget gate opens when the bit is written and shuts while it should be "
                "kept. It must do the opposite of the input gate.",
            ),
            Misconception(
                "no bias",
                lambda s: _weights([0, s], [0, -s], [2.0, 0], [0.0, 0], [0, 0, 0, s]),
                "With write = 0 your gates have the sum 0, so they stand half open: distractors "
                "leak in and the bit leaks out. The bias must hold them to one side.",
            ),
            Misconception(
                "too little to turn the gate",
                lambda s: _weights([0, s], [0, -s], [2.0, 0], [0.0, 0], [-s, s, 0, s]),
                "With write = 1 the weight only cancels the bias: the sum is 0, the gate half "
                "open. From -strength to +strength it takes 2 strength.",
            ),
            Misconception(
                "rows in another order",
                lambda s: _weights([0, 2 * s], [0, -2 * s], [0.0, 0], [2.0, 0], [-s, s, s, 0]),
                "The last two rows are swapped: PyTorch's order is i, f, g, o.",
            ),
            Misconception(
                "columns in another order",
                lambda s: _weights([2 * s, 0], [-2 * s, 0], [0.0, 2], [0.0, 0], [-s, s, 0, s]),
                "The inputs are (value, write): value is the first column, write the second.",
            ),
        ),
        hints=(
            "Take the rows one by one. For the input gate: which w and b give w + b = strength "
            "and 0 + b = -strength?",
            "Input gate: weight 2 strength on write, bias -strength. The forget gate is its "
            "mirror image. The candidate hears only value, with weight 2.",
            "The output gate needs no weight: its bias alone keeps it open at strength.",
        ),
        gradients=False,
    ),
)
