"""Lecture 04: the step of a GRU, weights for another convention, the number of parameters."""

from __future__ import annotations

import math

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
    swapped = swap_update_gate(Weights(W, U, b))
    assert swapped.b is not None
    return swapped.W, swapped.U, swapped.b


def count_parameters(gates: int, D: int, H: int) -> int:
    """Return the parameters of one of PyTorch's recurrent layers."""
    return gates * H * (D + H + 2)


def elman_start(H: int) -> tuple[Tensor, Tensor]:
    """Return U (H, H) and b (H,) with which a signal at rest keeps its length."""
    return torch.linalg.qr(some(H, H, seed=H)).Q, torch.zeros(H, dtype=torch.float64)


def what_three_seeds_allow() -> dict[str, str]:
    """Return what the table says of each statement."""
    return {
        "A": "shown",
        "B": "refuted",
        "C": "open",
        "D": "refuted",
        "E": "open",
        "F": "shown",
    }


def which_hold() -> dict[str, bool]:
    """Return which statements on parameters and time hold."""
    return {"A": True, "B": False, "C": False, "D": False, "E": True, "F": False}


def time_constant(bias: float, renews: bool) -> float:
    """Return 1 / (1 - k), k the direct lane's factor, from the bias of the update gate."""
    return 1 + math.exp(-bias if renews else bias)


def _sigmoid(a: float) -> float:
    return 1 / (1 + math.exp(-a))


def _kept(bias: float, renews: bool) -> float:
    return _sigmoid(-bias if renews else bias)


NEAR = 1e-4  # of a length, so that float32 will do


def _what_the_start_does(start: tuple, H: int) -> str:
    """Return what a start does to signals at rest: `as asked`, or its first fault."""
    U, b = (torch.tensor(p.tolist() if hasattr(p, "tolist") else p).double() for p in start)
    if not (U.isfinite().all() and b.isfinite().all()):
        return "no numbers"
    if b.abs().max() > NEAR:
        return "not at rest"
    stretch = torch.linalg.svdvals(U)  # what becomes of a signal of length 1
    longest, shortest = stretch.max().item(), stretch.min().item()
    if max(abs(longest - 1), abs(shortest - 1)) < NEAR:
        return "as asked"
    if longest < NEAR:
        return "nothing passes"
    if longest - shortest < NEAR:
        return "all shorter" if longest < 1 else "all longer"
    if abs(longest - 1) < NEAR:
        return "norm 1"
    if abs(torch.linalg.eigvals(U).abs().max().item() - 1) < NEAR:
        return "radius 1"
    if (U.norm(dim=1) - 1).abs().max() < NEAR or (U.norm(dim=0) - 1).abs().max() < NEAR:
        return "rows of length 1"
    if longest < 1:
        return "all shorter"
    return "some lost" if shortest < NEAR else "some longer, some shorter"


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


def _gates_by(squash):
    """Return a step whose gates are squashed in another way."""

    def step(*arguments: Tensor) -> Tensor:
        x_t, h_prev, W, U, b = arguments
        a_r, a_u, a_n = (x_t @ W.T + b).chunk(3, dim=-1)
        U_r, U_u, U_n = U.chunk(3)
        r, u = squash(a_r + h_prev @ U_r.T), squash(a_u + h_prev @ U_u.T)
        return (1 - u) * h_prev + u * torch.tanh(a_n + (r * h_prev) @ U_n.T)

    return step


def _in_order(*order: int):
    """Return a step that reads the blocks of rows in another order."""

    def step(x_t, h_prev, W, U, b):
        W, U, b = (part.unflatten(0, (3, -1))[list(order)].flatten(0, 1) for part in (W, U, b))
        return gru_step(x_t, h_prev, W, U, b)

    return step


def _reset_in_the_mix(candidate):
    def step(*arguments: Tensor) -> Tensor:
        r, u, a_n, U_n, h_prev = _gates(*arguments)
        return (1 - u) * r * h_prev + u * candidate(r, u, a_n, U_n, h_prev)

    return step


def _only(*which: bool, block: int = 1):
    """Return a conversion that turns one block of rows in some of W, U and b."""

    def convert(W: Tensor, U: Tensor, b: Tensor) -> tuple[Tensor, ...]:
        sign = torch.ones(3, dtype=b.dtype)
        sign[block] = -1
        sign = sign.repeat_interleave(U.shape[1])
        turned = sign.unsqueeze(1) * W, sign.unsqueeze(1) * U, sign * b
        pairs = zip(which, turned, (W, U, b), strict=True)
        return tuple(new if on else 1 * old for on, new, old in pairs)

    return convert


def _blocks(*signs: int, order: tuple[int, ...] = (0, 1, 2)):
    """Return a conversion that reorders the blocks of rows and gives them signs."""

    def convert(*parts: Tensor) -> tuple[Tensor, ...]:
        found = []
        for part in parts:
            blocks = part.chunk(3)
            pairs = zip(signs, order, strict=True)
            found.append(torch.cat([sign * blocks[k] for sign, k in pairs]))
        return tuple(found)

    return convert


def _in_place(*parts: Tensor) -> tuple[Tensor, ...]:
    turned = to_keeping(*parts)
    for part, new in zip(parts, turned, strict=True):
        part.copy_(new)
    return parts


EXERCISES = (
    Exercise(
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
            Misconception(
                "1 - r",
                _mixed(lambda r, u, a_n, U_n, h_prev: torch.tanh(a_n + ((1 - r) * h_prev) @ U_n.T)),
                "Your reset gate is turned round: r = 1 lets the old state through, so r itself "
                "multiplies it.",
            ),
            Misconception(
                "candidate first",
                _in_order(1, 2, 0),
                "You took the first block for the candidate. The rows stand in the order reset, "
                "update, candidate.",
            ),
            Misconception(
                "only the new part",
                _mixed(_candidate, lambda u, h_prev, n: u * n),
                "The part of the old state that stays is missing: (1 - u) h_{t-1}.",
            ),
            Misconception(
                "old state in full",
                _mixed(_candidate, lambda u, h_prev, n: h_prev + u * n),
                "The old state stays in full, so the sum can grow without an end. It is weighted "
                "by 1 - u.",
            ),
            Misconception(
                "reset in the mix",
                _reset_in_the_mix(_candidate),
                "The reset gate stands in the mixing as well. It acts only on what the candidate "
                "sees; the update gate alone mixes.",
            ),
            Misconception(
                "reset in the mix only",
                _reset_in_the_mix(lambda r, u, a_n, U_n, h_prev: torch.tanh(a_n + h_prev @ U_n.T)),
                "You reset the old state in the mixing, not for the candidate: r acts inside the "
                "tanh, u alone mixes.",
            ),
            Misconception(
                "candidate alone",
                _mixed(_candidate, lambda u, h_prev, n: n + 0 * u),
                "You return the candidate. The update gate mixes it with the old state: (4.4).",
            ),
            Misconception(
                "both weighted by u",
                _mixed(_candidate, lambda u, h_prev, n: u * h_prev + u * n),
                "Both parts are weighted by u. The shares must add up to one: 1 - u for the old "
                "state.",
            ),
            Misconception(
                "candidate not squashed",
                _mixed(lambda r, u, a_n, U_n, h_prev: a_n + (r * h_prev) @ U_n.T),
                "The candidate is not squashed: it is the tanh of its sum.",
            ),
            Misconception(
                "gates through tanh",
                _gates_by(torch.tanh),
                "Your gates go through tanh. A gate says how much, between 0 and 1: torch.sigmoid.",
            ),
            Misconception(
                "gates not squashed",
                _gates_by(lambda a: a),
                "Your gates are plain sums. A gate lies between 0 and 1: torch.sigmoid.",
            ),
            Misconception(
                "bias forgotten",
                lambda x_t, h_prev, W, U, b: gru_step(x_t, h_prev, W, U, 0 * b),
                "The bias is missing in the sums.",
            ),
            Misconception(
                "tanh around the result",
                lambda *arguments: torch.tanh(gru_step(*arguments)),
                "There is a tanh too many: h_t is the mixture itself. Only the candidate is "
                "squashed.",
            ),
            Misconception(
                "added without a gate",
                _mixed(_candidate, lambda u, h_prev, n: h_prev + n),
                "You add candidate and old state. The update gate mixes them: shares u and 1 - u.",
            ),
            Misconception(
                "PyTorch's step",
                _mixed(
                    lambda r, u, a_n, U_n, h_prev: torch.tanh(a_n + r * (h_prev @ U_n.T)),
                    lambda u, h_prev, n: u * h_prev + (1 - u) * n,
                ),
                "This is PyTorch's GRU, in both ways: its gate keeps, and it resets after the "
                "product. Asked for are (4.1) to (4.4).",
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
        task="derive the time constant of the direct lane",
        kind="derive",
        takes="bias: a number; renews: True for a gate u that renews, False for a z that keeps",
        gives="the time constant, a number of steps",
        reference=time_constant,
        cases=lambda: [(1.0, False), (1.0, True), (-2.5, True), (3.0, False), (4.5, True)],
        example=(0.0, True),
        misconceptions=(
            Misconception(
                "the same sign for both",
                lambda bias, renews: 1 + math.exp(bias),
                "You treat both conventions alike. A gate that renews leaves k = 1 - u on the "
                "direct lane, and 1 - sigmoid(b) = sigmoid(-b).",
            ),
            Misconception(
                "the conventions swapped",
                lambda bias, renews: 1 + math.exp(bias if renews else -bias),
                "You have the conventions the wrong way round, or divided 1 by what is kept: both "
                "come to the same. z itself is k, u is the loss, and it is 1 over the loss.",
            ),
            Misconception(
                "always renewing",
                lambda bias, renews: 1 + math.exp(-bias),
                "You treat both conventions alike, as if the gate always renewed. A gate that "
                "keeps is the factor itself: k = z.",
            ),
            Misconception(
                "chrono's m without the 1",
                lambda bias, renews: math.exp(-bias if renews else bias),
                "That is m. The gate is m / (m + 1), so 1 - k is 1 / (m + 1): one step more.",
            ),
            Misconception(
                "the factor itself",
                lambda bias, renews: _kept(bias, renews),
                "That is k, what one step keeps. The time constant is 1 / (1 - k).",
            ),
            Misconception(
                "the share that is lost",
                lambda bias, renews: 1 - _kept(bias, renews),
                "That is 1 - k, what one step loses. The time constant is 1 over it.",
            ),
            Misconception(
                "the half-life",
                lambda bias, renews: math.log(0.5) / math.log(_kept(bias, renews)),
                "That is the half-life, as in lecture 03. The time constant asked for is "
                "1 / (1 - k).",
            ),
            Misconception(
                "the time to 1/e",
                lambda bias, renews: -1 / math.log(_kept(bias, renews)),
                "That is the time to fall to 1/e exactly. For long memories it is half a step less "
                "than 1 / (1 - k), which is asked for here.",
            ),
            Misconception(
                "no sigmoid",
                lambda bias, renews: 1 / bias if renews else 1 / (1 - bias) if bias != 1 else 0.0,
                "You took the bias for the gate. The gate is sigmoid(bias).",
            ),
            Misconception(
                "a tanh for a gate",
                lambda bias, renews: 1 / (1 - math.tanh(-bias if renews else bias)),
                "You squashed the bias with tanh. Gates go through a sigmoid.",
            ),
        ),
        hints=(
            "Along (4.4) with PyTorch's letters, what multiplies h_{t-1}? With ours?",
            "k = sigmoid(b) for a gate that keeps, 1 - sigmoid(b) for one that renews. "
            "Then simplify 1 / (1 - k).",
            "1 + math.exp(b) when it keeps, 1 + math.exp(-b) when it renews.",
        ),
    ),
    Exercise(
        number="4.3",
        task="convert the update gate",
        reference=to_keeping,
        takes="W (3H, D), U (3H, H), b (3H,), rows reset, update, candidate",
        gives="three tensors of the same shapes: W, U, b",
        example=(torch.ones(3, 1), torch.ones(3, 1), torch.ones(3)),
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
            Misconception(
                "W only",
                _only(True, False, False),
                "Only W has changed its sign. U and b make the same gate's input: turn their rows "
                "too.",
            ),
            Misconception(
                "U forgotten",
                _only(True, False, True),
                "U has kept its sign. It makes the gate's input together with W and b.",
            ),
            Misconception(
                "b only",
                _only(False, False, True),
                "Only the bias has changed its sign. W and U make the same gate's input: turn "
                "their rows too.",
            ),
            Misconception(
                "W forgotten",
                _only(False, True, True),
                "W has kept its sign. It makes the gate's input together with U and b.",
            ),
            Misconception(
                "blocks swapped",
                _blocks(1, 1, 1, order=(1, 0, 2)),
                "You swapped the first two blocks of rows. The order stays; the update gate's rows "
                "change their sign.",
            ),
            Misconception(
                "candidate too",
                _blocks(1, -1, -1),
                "You turned the candidate's rows as well. Only the update gate means something "
                "else.",
            ),
            Misconception(
                "reset too",
                _blocks(-1, -1, 1),
                "You turned the reset gate's rows as well. Only the update gate means something "
                "else.",
            ),
            Misconception(
                "unchanged",
                _blocks(1, 1, 1),
                "Nothing has changed. Which rows make the update gate, and what turns sigmoid(a) "
                "into 1 - sigmoid(a)?",
            ),
            Misconception(
                "changed in place",
                _in_place,
                "The numbers are right, but you changed the given weights themselves: whoever goes "
                "on with them has another network. Work on copies (clone).",
            ),
            Misconception(
                "one minus everything",
                lambda W, U, b: (1 - W, 1 - U, 1 - b),
                "You took 1 minus all weights. It is the gate that must become 1 - u, after the "
                "sigmoid.",
            ),
        ),
        hints=(
            "You need a gate z = 1 - u. Where is 1 - sigmoid(a) on the curve of the sigmoid?",
            "1 - sigmoid(a) = sigmoid(-a): the gate's input changes its sign. Which rows make it?",
            "sign = torch.ones(3 * H); sign[H : 2 * H] = -1; multiply the rows of W, U and b.",
        ),
    ),
    Exercise(
        number="4.4",
        task="count the parameters",
        reference=count_parameters,
        takes="gates, D and H: whole numbers",
        gives="a whole number",
        example=(2, 1, 1),
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
            Misconception(
                "one gate",
                lambda gates, D, H: H * (D + H + 2),
                "You counted one block of rows. There are `gates` of them.",
            ),
            Misconception(
                "one gate too many",
                lambda gates, D, H: (gates + 1) * H * (D + H + 2),
                "`gates` already counts every block of rows: add none.",
            ),
            Misconception(
                "D for H in W",
                lambda gates, D, H: gates * (D * D + H * H + 2 * H),
                "W is not square: it has H rows for every gate and D columns.",
            ),
            Misconception(
                "biases of the input's size",
                lambda gates, D, H: gates * (D * H + H * H + D + H),
                "Both biases have H numbers a gate: they are added to sums, one for every unit.",
            ),
            Misconception(
                "two numbers for biases",
                lambda gates, D, H: gates * (D * H + H * H + 2),
                "A bias has a number for every unit: two vectors of H numbers a gate.",
            ),
            Misconception(
                "biases once",
                lambda gates, D, H: gates * (D * H + H * H) + 2 * H,
                "The biases belong to every gate, as W and U do.",
            ),
            Misconception(
                "one bias once",
                lambda gates, D, H: gates * (D * H + H * H) + H,
                "The biases belong to every gate, and PyTorch keeps two of them.",
            ),
            Misconception(
                "U forgotten",
                lambda gates, D, H: gates * (D * H + 2 * H),
                "U is missing: H x H numbers for every gate.",
            ),
            Misconception(
                "U has D columns",
                lambda gates, D, H: gates * (2 * D * H + 2 * H),
                "U has H columns, for it meets the state; only W has D.",
            ),
            Misconception(
                "one square only",
                lambda gates, D, H: gates * D * H + H * H + 2 * H,
                "U and the biases have rows for every gate as well, not only W.",
            ),
            Misconception(
                "multiplied",
                lambda gates, D, H: gates * (D * H * H + 2 * H),
                "You multiplied the sizes of W and U. Their numbers are added: D H + H H.",
            ),
        ),
        hints=(
            "Write down the shapes of W, U and the two biases of one gate.",
            "One gate has H x D, H x H and two times H numbers.",
            "gates * H * (D + H + 2)",
        ),
        gradients=False,
    ),
    Exercise(
        number="4.5",
        task="predict which statements on parameters and time hold",
        kind="predict",
        gives='a dict such as {"A": False, ...}, True or False for each of A to F',
        reference=which_hold,
        cases=lambda: [()],
        misconceptions=(),
        reasons={
            ("A", False): "A: k H (D + H + 2), with k = 3 and k = 4: all but the k cancels.",
            ("B", True): "B: the matrix U has H rows and H columns, so it grows fourfold. Put "
            "D = H = 100 and then H = 200 into the formula.",
            ("C", True): "C: that is the count of multiplications. The time depends on the kernel: "
            "on a CPU PyTorch fuses the LSTM and not the GRU.",
            ("D", True): "D: step t needs h of step t - 1. However many processors there are, "
            "the steps wait for each other.",
            ("E", False): "E: W x_t needs no state. All of x is there from the start, and one "
            "large product does all steps.",
            ("F", True): "F: parameters grow with H squared. To have four times as many a layer "
            "needs about twice the units: with D = 64, 284 units for an LSTM's 128.",
        },
        hints=(
            "A, B and F: put numbers into k H (D + H + 2), say D = 64 and H = 128.",
            "C, D and E: what must be known before a product can be computed? And who wrote the "
            "kernel?",
            "Two of the six hold: one on parameters, one on time.",
        ),
    ),
    Exercise(
        number="4.6",
        task="a start for the Elman network with which a signal at rest keeps its length",
        kind="set",
        takes="H: a whole number",
        gives="U, a matrix (H, H), and b, a vector (H,)",
        reference=elman_start,
        cases=lambda: [(3,), (7,), (11,)],
        effect=_what_the_start_does,
        misconceptions=(),
        reasons={
            "no numbers": "There is infinity or NaN in your weights.",
            "not at rest": "With a bias the units do not rest at 0: they sit where the slope of "
            "tanh is below 1, and every signal shrinks. Which bias leaves them at 0?",
            "nothing passes": "Your U lets nothing through: each signal is 0 after one step.",
            "all shorter": "Every signal shrinks at every step. Between states the slope of tanh "
            "at rest is 1, so U itself must keep lengths.",
            "all longer": "Every signal grows at every step: at rest nothing holds it back.",
            "norm 1": "The largest singular value is 1, so one direction keeps its length, and all "
            "others shrink. Every singular value has to be 1.",
            "radius 1": "The spectral radius is 1, and that says what happens to eigenvectors in "
            "the long run. Other signals are stretched or shrunk: lengths ask for singular values.",
            "rows of length 1": "Rows (or columns) of length 1 are half of it. They must also "
            "stand at right angles, or signals are stretched one way and lost another.",
            "some lost": "Some signals vanish in one step: your U has directions that it sends to "
            "0. (All rows alike is the usual way to get there.)",
            "some longer, some shorter": "Some signals grow and others shrink, as with every "
            "matrix of independent random numbers, however it is scaled.",
        },
        hints=(
            "At rest a step is U times the slope of tanh at 0, which is 1. Which matrices change "
            "no length at all?",
            "Turnings and mirrors: U.T @ U is the identity. The simplest one has ones on its "
            "diagonal. And b?",
            "torch.linalg.qr(torch.randn(H, H)).Q is a random one; b is torch.zeros(H).",
        ),
    ),
    Exercise(
        number="4.7",
        task="judge what three seeds allow",
        kind="judge",
        gives='a dict such as {"A": "open", ...}, one choice for each of A to F',
        reference=what_three_seeds_allow,
        cases=lambda: [()],
        choices=("shown", "refuted", "open"),
        misconceptions=(),
        reasons={
            ("A", "open"): "A: 'can' needs one case, and the table has three runs near 1.",
            ("A", "refuted"): "A: the failures say that it need not. The runs near 1 say that it "
            "can.",
            ("B", "shown"): "B: look at the second and the third seed of that row.",
            ("B", "open"): "B: 'every time' falls with one failure, and there are two. This is "
            "settled.",
            ("C", "shown"): "C: two good runs of three against one of three. Had one seed come out "
            "otherwise, they would be level. The medians agree with you and mean as little.",
            ("C", "refuted"): "C: what you see even leans towards it, by one seed. Neither side "
            "can be read from three runs each.",
            ("D", "shown"): "D: an Elman network has no gates. Look at its rows.",
            ("D", "open"): "D: one run without gates that succeeds ends this sentence, and there "
            "are three.",
            ("E", "shown"): "E: 'never' about all seeds and any training, from three seeds of 300 "
            "updates. If it worked in one start of four, three failures would still be common.",
            ("E", "refuted"): "E: no run of this row rises above chance, so nothing here speaks "
            "against it. Nor do three seeds prove it.",
            ("F", "open"): "F: same cell, same task, same updates: three at chance, three at 1. "
            "'Can decide' says no more than that.",
            ("F", "refuted"): "F: compare the last two rows: only the biases at the start differ.",
        },
        hints=(
            "Look at the small words: can, every, never, better. How many runs does each need to "
            "be shown, and how many to fall?",
            "'Can' is shown by one run, 'every' and 'without' fall with one run, and 'better' and "
            "'never' speak of all seeds.",
            "Two each: two are shown, two refuted, two open.",
        ),
    ),
)
