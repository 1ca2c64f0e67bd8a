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


def _a_step(order: str = "ifgo", candidate=torch.tanh, read=torch.tanh, gate=torch.sigmoid,
            kept=lambda i, f: f, written=lambda i, f: i, shown=lambda o: o, old=False,
            stored=lambda c: c, sums=_sums):  # fmt: skip
    """Return a step that is wrong in one way."""

    def step(x_t, h_prev, c_prev, W, U, b):
        a = dict(zip(order, sums(x_t, h_prev, W, U, b), strict=True))
        i, f, o = (gate(a[name]) for name in "ifo")
        c = stored(kept(i, f) * c_prev + written(i, f) * candidate(a["g"]))
        return shown(o) * read(c_prev if old else c), c

    return step


def _without_input(x_t: Tensor, h_prev: Tensor, W: Tensor, U: Tensor, b: Tensor) -> tuple:
    return _sums(0 * x_t, h_prev, W, U, b)


def _without_state(x_t: Tensor, h_prev: Tensor, W: Tensor, U: Tensor, b: Tensor) -> tuple:
    return _sums(x_t, 0 * h_prev, W, U, b)


def _every_fourth_row(x_t: Tensor, h_prev: Tensor, W: Tensor, U: Tensor, b: Tensor) -> tuple:
    sums = torch.cat(_sums(x_t, h_prev, W, U, b), dim=-1)
    return sums.unflatten(-1, (-1, 4)).unbind(dim=-1)


def _step_cases() -> list[tuple]:
    return [
        (some(B, D, seed=B), some(B, H, seed=B + 1), some(B, H, seed=B + 2),
         some(4 * H, D, seed=B + 3), some(4 * H, H, seed=B + 4), some(4 * H, seed=B + 5))
        for B, D, H in ((7, 3, 5), (2, 5, 3), (11, 2, 7))
    ]  # fmt: skip


def _weights(i, f, g, o, b) -> tuple[Tensor, Tensor]:
    return torch.tensor([i, f, g, o]), torch.tensor(b)


def _latch(i=(0.0, 2.0), f=(0.0, -2.0), g=2.0, b=(-1.0, 1.0, 0.0, 1.0)):
    """Return an answer whose weights, but for the candidate's, grow with the strength."""

    def latch(s: float) -> tuple[Tensor, Tensor]:
        W = torch.tensor([[i[0] * s, i[1] * s], [f[0] * s, f[1] * s], [g, 0.0], [0.0, 0.0]])
        return W, torch.tensor([part * s for part in b])

    return latch


EXERCISES = (
    Exercise(
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
                _a_step(kept=lambda i, f: torch.ones_like(f)),
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
            Misconception(
                "forget gate first, then input, output, candidate",
                _a_step(order="fiog"),
                "You read the blocks as f, i, o, g, as some texts draw them. PyTorch's order is i, "
                "f, g, o.",
            ),
            Misconception(
                "candidate second",
                _a_step(order="igfo"),
                "You read the blocks as i, g, f, o. The second block is the forget gate, the third "
                "the candidate.",
            ),
            Misconception(
                "forget gate turned round",
                _a_step(kept=lambda i, f: 1 - f),
                "Your forget gate is turned round: f = 1 keeps everything, so f_t itself "
                "multiplies c_{t-1}.",
            ),
            Misconception(
                "coupled by the input gate",
                _a_step(kept=lambda i, f: 1 - i),
                "You keep 1 - i of the memory. An LSTM has a forget gate of its own; coupling the "
                "two is a GRU's way.",
            ),
            Misconception(
                "coupled by the forget gate",
                _a_step(written=lambda i, f: 1 - f),
                "You write 1 - f of the candidate. An LSTM has an input gate of its own; coupling "
                "the two is a GRU's way.",
            ),
            Misconception(
                "no input gate",
                _a_step(written=lambda i, f: torch.ones_like(i)),
                "The candidate is written in full. The input gate multiplies it: i_t g_t.",
            ),
            Misconception(
                "h from the old memory",
                _a_step(old=True),
                "h_t reads the memory of the step before. First c_t is made, then h_t shows it.",
            ),
            Misconception(
                "candidate not squashed",
                _a_step(candidate=lambda a: a),
                "The candidate is not squashed: it is the tanh of its sum.",
            ),
            Misconception(
                "gates not squashed",
                _a_step(gate=lambda a: a),
                "Your gates are plain sums. A gate lies between 0 and 1: torch.sigmoid.",
            ),
            Misconception(
                "gates through tanh",
                _a_step(gate=torch.tanh),
                "Your gates go through tanh. A gate says how much, between 0 and 1: torch.sigmoid.",
            ),
            Misconception(
                "rows dealt in turn",
                _a_step(sums=_every_fourth_row),
                "You took every fourth row for a gate. The rows of one gate stand together: H of "
                "i, then H of f ... (chunk, not reshape).",
            ),
            Misconception(
                "tanh stored in the memory",
                _a_step(stored=torch.tanh),
                "You stored tanh(c_t). The memory itself stays unsquashed; the tanh belongs only "
                "to what h_t shows.",
            ),
            Misconception(
                "no output gate",
                _a_step(shown=lambda o: torch.ones_like(o)),
                "The output gate is missing: h_t = o_t tanh(c_t).",
            ),
            Misconception(
                "no state in the gates",
                _a_step(sums=_without_state),
                "U h_{t-1} is missing in the sums.",
            ),
            Misconception(
                "no input in the gates",
                _a_step(sums=_without_input),
                "W x_t is missing in the sums.",
            ),
            Misconception(
                "memory read through a sigmoid",
                _a_step(read=torch.sigmoid),
                "You read the memory through a sigmoid. What is shown has a sign: tanh(c_t).",
            ),
            Misconception(
                "h alone",
                lambda *inputs: one_lstm_step(*inputs)[0],
                "You return h_t alone. The next step needs c_t as well: return both.",
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
        takes="f (T, B, H): the forget gates of steps 1 to T",
        gives="a tensor (B, H)",
        example=(torch.tensor([[[0.5, 1.0]], [[0.5, 0.25]]]),),
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
            Misconception(
                "the mean",
                lambda f: f.mean(dim=0),
                "You averaged the gates. Steps follow each other, so their factors multiply.",
            ),
            Misconception(
                "the last gate",
                lambda f: f[-1],
                "This is the last step alone. T steps lead from c_0 to c_T, and each brings its "
                "gate.",
            ),
            Misconception(
                "the first gate",
                lambda f: f[0],
                "This is the first step alone. T steps lead from c_0 to c_T, and each brings its "
                "gate.",
            ),
            Misconception(
                "what is erased",
                lambda f: (1 - f).prod(dim=0),
                "1 - f is what is erased. What passes is f.",
            ),
            Misconception(
                "the first gate to a power",
                lambda f: f[0] ** len(f),
                "You took the first gate to the power T. Every step has a gate of its own: "
                "multiply them.",
            ),
            Misconception(
                "every lag",
                lambda f: f.cumprod(dim=0),
                "These are the products up to every step. Asked for is the last of them: (B, H).",
            ),
            Misconception(
                "one number",
                lambda f: f.prod(),
                "You multiplied everything into one number. Only time is multiplied away: "
                "f.prod(dim=0).",
            ),
            Misconception(
                "over the batch",
                lambda f: f.prod(dim=1),
                "You multiplied over the sequences of the batch. Time is the first axis: dim=0.",
            ),
            Misconception(
                "over the units",
                lambda f: f.prod(dim=-1),
                "You multiplied over the units. Time is the first axis: dim=0.",
            ),
            Misconception(
                "logarithms",
                lambda f: f.log().sum(dim=0),
                "This is the logarithm of the answer: exp is missing.",
            ),
            Misconception(
                "the two ends",
                lambda f: f[0] * f[-1],
                "Only the first and the last gate are there. Every step between brings one too.",
            ),
            Misconception(
                "a sigmoid of a gate",
                lambda f: torch.sigmoid(f).prod(dim=0),
                "f holds gates already, between 0 and 1: no sigmoid is needed.",
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
        takes="strength, a positive number",
        gives="two tensors: W (4, 2), rows i, f, g, o, columns value, write; and b (4,)",
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
            Misconception(
                "both gates turned round",
                _latch(i=(0.0, -2.0), f=(0.0, 2.0), b=(1.0, -1.0, 0.0, 1.0)),
                "Input and forget gate are turned round: write = 1 must open the input gate and "
                "shut the forget gate.",
            ),
            Misconception(
                "input gate shuts on write",
                _latch(i=(0.0, -2.0), b=(1.0, 1.0, 0.0, 1.0)),
                "Your input gate shuts when the bit is to be written. With write = 1 its sum must "
                "be +strength.",
            ),
            Misconception(
                "candidate too weak",
                _latch(g=1.0),
                "The candidate's weight is 1. Its sum must be 2 times value.",
            ),
            Misconception(
                "output gate shut",
                _latch(b=(-1.0, 1.0, 0.0, -1.0)),
                "Your output gate is always shut: its sum must be +strength.",
            ),
            Misconception(
                "output gate half open",
                _latch(b=(-1.0, 1.0, 0.0, 0.0)),
                "Your output gate stands half open: its sum must be +strength, by its bias.",
            ),
            Misconception(
                "no biases at all",
                _latch(b=(0.0, 0.0, 0.0, 1.0)),
                "With write = 0 the sums of both gates are 0: half open. The biases must hold them "
                "at -strength and +strength.",
            ),
            Misconception(
                "twice the strength",
                _latch(i=(0.0, 4.0), f=(0.0, -4.0), b=(-2.0, 2.0, 0.0, 2.0)),
                "Your sums are twice as large as asked: +strength and -strength.",
            ),
            Misconception(
                "W and b swapped",
                lambda s: latch_by_hand(s)[::-1],
                "You return b first. The order asked for is W, then b.",
            ),
            Misconception(
                "a fixed strength",
                lambda s: latch_by_hand(1.0),
                "Your weights do not depend on `strength`.",
            ),
            Misconception(
                "transposed",
                lambda s: (latch_by_hand(s)[0].T, latch_by_hand(s)[1]),
                "W is transposed. It has a row for each gate and a column for each input: (4, 2).",
            ),
            Misconception(
                "W alone",
                lambda s: latch_by_hand(s)[0],
                "You return W alone. The biases are needed too: return W, b.",
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
