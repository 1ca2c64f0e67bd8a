"""Exercise 3.1: one step of an LSTM."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def one_lstm_step(
    x_t: Tensor, h_prev: Tensor, c_prev: Tensor, W: Tensor, U: Tensor, b: Tensor
) -> tuple[Tensor, Tensor]:
    """Return h_t and c_t; the rows of W, U and b hold the gates i, f, g, o, one below another."""
    a_i, a_f, a_g, a_o = (x_t @ W.T + h_prev @ U.T + b).chunk(4, dim=-1)
    i, f, g, o = torch.sigmoid(a_i), torch.sigmoid(a_f), torch.tanh(a_g), torch.sigmoid(a_o)
    c = f * c_prev + i * g
    return o * torch.tanh(c), c


def _step_cases() -> list[Arguments]:
    return [
        (some(B, D, seed=B), some(B, H, seed=B + 1), some(B, H, seed=B + 2),
         some(4 * H, D, seed=B + 3), some(4 * H, H, seed=B + 4), some(4 * H, seed=B + 5))
        for B, D, H in ((7, 3, 5), (2, 5, 3), (11, 2, 7))
    ]  # fmt: skip


EXERCISE = Exercise(
    number="3.1",
    task="one step of an LSTM",
    reference=one_lstm_step,
    takes="x_t (B, D), h_prev and c_prev (B, H), W (4H, D), U (4H, H), b (4H,)",
    gives="two tensors (B, H): h_t, then c_t",
    example=(
        torch.ones(1, 1),
        torch.zeros(1, 1),
        torch.ones(1, 1),
        torch.zeros(4, 1),
        torch.zeros(4, 1),
        torch.zeros(4),
    ),
    cases=_step_cases,
    hints=(
        "All four sums at once: x_t @ W.T + h_prev @ U.T + b has 4 H columns. `chunk(4, dim=-1)` "
        "cuts them apart.",
        "The blocks are i, f, g, o. Three go through torch.sigmoid, g goes through torch.tanh.",
        "c = f * c_prev + i * g, then h = o * torch.tanh(c), and return h, c.",
    ),
    misconceptions=(
        *mistakes("""
            input and forget gate swapped
                a_i, a_f, a_g, a_o = => a_f, a_i, a_g, a_o =
                Your input and forget gate are swapped. PyTorch stacks the rows in the order i, f,
                g, o: the first block is the input gate.
            output gate before the candidate
                a_i, a_f, a_g, a_o = => a_i, a_f, a_o, a_g =
                You read the blocks as i, f, o, g. The third block is the candidate, the fourth the
                output gate.
            a sigmoid candidate
                torch.tanh(a_g) => torch.sigmoid(a_g)
                Your candidate goes through a sigmoid. It is no gate: it says what to write, with a
                sign, so it goes through tanh.
            memory read without tanh
                o * torch.tanh(c) => o * c
                You read the memory as it is. Between the cell and the output gate stands a tanh:
                h_t = o_t tanh(c_t).
            nothing forgotten
                f * c_prev => c_prev
                The old memory passes untouched. The forget gate multiplies it: f_t c_{t-1}.
            bias forgotten
                h_prev @ U.T + b => h_prev @ U.T
                The bias is missing in the sums of the gates.
            memory instead of state in the gates
                h_prev @ U.T => c_prev @ U.T
                U was multiplied with c_{t-1}. The gates look at the hidden state h_{t-1}; the
                memory cell itself they never see.
            results in the other order
                o * torch.tanh(c), c => c, o * torch.tanh(c)
                You return c_t and h_t. The order asked for is h_t first, then c_t.
            forget gate first, then input, output, candidate
                a_i, a_f, a_g, a_o = => a_f, a_i, a_o, a_g =
                You read the blocks as f, i, o, g, as some texts draw them. PyTorch's order is i, f,
                g, o.
            candidate second
                a_i, a_f, a_g, a_o = => a_i, a_g, a_f, a_o =
                You read the blocks as i, g, f, o. The second block is the forget gate, the third
                the candidate.
            forget gate turned round
                f * c_prev => (1 - f) * c_prev
                Your forget gate is turned round: f = 1 keeps everything, so f_t itself multiplies
                c_{t-1}.
            coupled by the input gate
                f * c_prev => (1 - i) * c_prev
                You keep 1 - i of the memory. An LSTM has a forget gate of its own; coupling the two
                is a GRU's way.
            coupled by the forget gate
                i * g => (1 - f) * g
                You write 1 - f of the candidate. An LSTM has an input gate of its own; coupling the
                two is a GRU's way.
            no input gate
                i * g => g
                The candidate is written in full. The input gate multiplies it: i_t g_t.
            h from the old memory
                torch.tanh(c) => torch.tanh(c_prev)
                h_t reads the memory of the step before. First c_t is made, then h_t shows it.
            candidate not squashed
                torch.tanh(a_g) => a_g
                The candidate is not squashed: it is the tanh of its sum.
        """),
        Misconception(
            "gates not squashed",
            Change(
                "torch.sigmoid(a_i), torch.sigmoid(a_f), torch.tanh(a_g), torch.sigmoid(a_o)",
                "a_i, a_f, torch.tanh(a_g), a_o",
            ),
            "Your gates are plain sums. A gate lies between 0 and 1: torch.sigmoid.",
        ),
        Misconception(
            "gates through tanh",
            Change(
                "torch.sigmoid(a_i), torch.sigmoid(a_f), torch.tanh(a_g), torch.sigmoid(a_o)",
                "(torch.tanh(a) for a in (a_i, a_f, a_g, a_o))",
            ),
            "Your gates go through tanh. A gate says how much, between 0 and 1: torch.sigmoid.",
        ),
        *mistakes("""
            rows dealt in turn
                .chunk(4, dim=-1) => .unflatten(-1, (-1, 4)).unbind(dim=-1)
                You took every fourth row for a gate. The rows of one gate stand together: H of i,
                then H of f ... (chunk, not reshape).
            tanh stored in the memory
                f * c_prev + i * g => torch.tanh(f * c_prev + i * g)
                You stored tanh(c_t). The memory itself stays unsquashed; the tanh belongs only to
                what h_t shows.
            no output gate
                o * torch.tanh(c) => torch.tanh(c)
                The output gate is missing: h_t = o_t tanh(c_t).
            no state in the gates
                x_t @ W.T + h_prev @ U.T => x_t @ W.T
                U h_{t-1} is missing in the sums.
            no input in the gates
                x_t @ W.T + h_prev @ U.T => h_prev @ U.T
                W x_t is missing in the sums.
            memory read through a sigmoid
                torch.tanh(c) => torch.sigmoid(c)
                You read the memory through a sigmoid. What is shown has a sign: tanh(c_t).
            h alone
                o * torch.tanh(c), c => o * torch.tanh(c)
                You return h_t alone. The next step needs c_t as well: return both.
        """),
    ),
)
