"""Lecture 03: one step of an LSTM, its direct path, and weights that hold a bit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from typing import Any

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


def biases_by_hand() -> dict[str, dict[str, float]]:
    """Return the biases of gates that count, hold, reset and swap."""
    return {
        behaviour: {gate: 12.0 if gate in opened else -12.0 for gate in "ifo"}
        for behaviour, opened in OPEN.items()
    }


def bias_for_half_life(steps: float) -> float:
    """Return the forget bias at which half of a memory is left after `steps` steps."""
    f = 0.5 ** (1 / steps)
    return math.log(f / (1 - f))


def matched_control(marks: list[bool], position: list[int]) -> set[int]:
    """Return one unmarked place for every marked one, at the same position in its sentence."""
    chosen: set[int] = set()
    for place, marked in enumerate(marks):
        if marked:
            chosen.add(
                next(
                    k
                    for k, other in enumerate(marks)
                    if not other and k not in chosen and position[k] == position[place]
                )
            )
    return chosen


def name_the_loops() -> dict[str, str]:
    """Return what each of the loops A to D is."""
    return {
        "A": "gates hear the memory",
        "B": "h shows the old memory",
        "C": "the fused layer",
        "D": "c is squashed and stored",
    }


OPEN = {"count": "ifo", "hold": "f", "reset": "o", "swap": "io"}  # which gates
LEAK = 1e-4  # how far a gate may be from 0 or 1

GATES_AT_WORK = {
    ("count", "f"): "the forget gate is shut. Each step wipes what was counted before it.",
    ("count", "i"): "the input gate is shut. Nothing is ever written, so nothing adds up.",
    ("count", "o"): "the output gate is shut. The unit counts and nobody sees it.",
    ("hold", "f"): "the forget gate is shut. The memory is gone after one step.",
    ("hold", "i"): "the input gate is open. Whatever comes by is added to what it should hold.",
    ("hold", "o"): "the output gate is open. It was to hold without showing.",
    ("reset", "f"): "the forget gate is open. What should be wiped stays.",
    ("reset", "i"): "the input gate is open. The old memory goes, and the candidate takes its "
    "place: that is swap.",
    ("reset", "o"): "the output gate is shut. It shows 0, but the memory behind is not asked.",
    ("swap", "f"): "the forget gate is open. The new is added to the old: that is count.",
    ("swap", "i"): "the input gate is shut. The old goes and nothing comes: that is reset.",
    ("swap", "o"): "the output gate is shut. The newest candidate is stored and not shown.",
}
NOT_TIGHT = {
    "f": "the forget gate does not close or open far enough. Over a hundred steps its miss counts "
    "a hundred times: 0.99 to the power of 100 is 0.37. Within 0.0001 it takes a bias beyond 9.2.",
    "i": "the input gate does not close or open far enough. A hundred steps add a hundred small "
    "mistakes. Within 0.0001 of 0 or 1 it takes a bias beyond 9.2.",
    "o": "the output gate does not close or open far enough: within 0.0001 of 0 or 1 it takes a "
    "bias beyond 9.2.",
}
FULL_GATES = (
    "these look like gates, not like biases. A gate is sigmoid(bias): a bias of 0 leaves it half "
    "open and a bias of 1 makes 0.73. Which number makes it 0.9999?"
)


def _gates_do(biases: dict) -> dict[str, str]:
    """Return what is wrong with the gates of each behaviour, `as asked` when nothing is."""
    return {behaviour: _fault(biases[behaviour], opened) for behaviour, opened in OPEN.items()}


def _fault(biases: dict, opened: str) -> str:
    numbers = {gate: float(biases[gate]) for gate in "fio"}
    if {*numbers.values()} <= {0.0, 1.0}:
        return "gates"
    for gate, bias in numbers.items():
        value = torch.sigmoid(torch.tensor(bias)).item()
        miss = 1 - value if gate in opened else value
        if miss > 0.5:
            return f"{gate} turned round"
        if not miss <= LEAK:
            return f"{gate} not tight"
    return "as asked"


def _reasons_for_gates() -> dict:
    found = {
        (name, f"{gate} turned round"): f"{name}: {why}"
        for (name, gate), why in GATES_AT_WORK.items()
    }
    found |= {
        (name, f"{gate} not tight"): f"{name}: {why}"
        for name in OPEN
        for gate, why in NOT_TIGHT.items()
    }
    return found | {(name, "gates"): f"{name}: {FULL_GATES}" for name in OPEN}


def _places(sentences: tuple[int, ...], marked: tuple[int, ...]) -> tuple[list, list]:
    """Return marks and positions of a text whose marks prefer the beginnings of sentences."""
    position = [place for length in sentences for place in range(length)]
    return [place in marked for place in range(len(position))], position


def _choice_of_places(places: Collection[Any], marks: list[bool], position: list[int]) -> str:
    """Return what a choice of control places is: `as asked`, or its first fault."""
    places = list(places)
    if len(places) == len(marks) and all(isinstance(k, bool) for k in places):
        return "a mask"
    if not all(isinstance(k, int | float) and int(k) == k for k in places):
        return "no places"
    if not all(0 <= k < len(marks) for k in places):
        return "outside"
    if len({*places}) < len(places):
        return "twice"
    if any(marks[int(k)] for k in places):
        return "marked"
    wanted = Counter(position[k] for k, marked in enumerate(marks) if marked)
    found = Counter(position[int(k)] for k in places)
    if found == wanted:
        return "as asked"
    if not places:
        return "nothing"
    if len(places) == len(marks) - sum(marks):
        return "all others"
    if found.total() > wanted.total() and {*found} == {*wanted}:
        return "all of the position"
    if found.total() < wanted.total() and not found - wanted:
        return "too few"
    return "other positions"


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
                lambda x_t, h_prev, c_prev, W, U, b: one_lstm_step(
                    x_t, h_prev, c_prev, W, U, 0 * b
                ),
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
        task="choose the places to compare with: as many, unmarked, at the same positions",
        kind="design",
        takes="marks: a list of True and False, one a word; position: a list of whole numbers, "
        "the word's place in its sentence",
        gives="a set of places in the lists, as many as there are marks",
        reference=matched_control,
        cases=lambda: [
            _places((3, 3, 2), (0, 4)),
            _places((5, 4, 6, 3, 5, 4), (0, 5, 9, 10)),
            _places((7, 2, 5, 5, 3, 6, 4, 2), (0, 1, 9, 14, 20)),
        ],
        example=_places((3, 2), (3,)),
        effect=_choice_of_places,
        misconceptions=(),
        reasons={
            "a mask": "You return True or False for every word. Asked for are the places "
            "themselves: {k for k in range(len(marks)) if ...}.",
            "no places": "These are no places. A place is a whole number k, as in marks[k].",
            "outside": "One of your places is not in the text: they run from 0 to len(marks) - 1.",
            "twice": "One place stands in it twice. The same word counted twice is no second "
            "witness: every mark needs a word of its own.",
            "marked": "Your control holds marked words. What has X cannot show how the unit "
            "behaves without it.",
            "nothing": "Your control is empty. Every mark needs a word to be compared with.",
            "all others": "You take every unmarked word. Marks stand where sentences begin and "
            "these words do not: a unit that only tells the position would seem to track X.",
            "all of the position": "The positions are right, the numbers are not. A position with "
            "many unmarked words counts more here than among the marks: take one for each mark.",
            "too few": "Some marks have no partner. One mark, one word at its position.",
            "other positions": "Your words stand at other positions in their sentences than the "
            "marked ones. A unit that only tells the position would seem to track X.",
        },
        hints=(
            "What else is different at a mark? The unit may hear that instead of X. Choose words "
            "for which it is the same.",
            "For every marked place look for an unmarked one with the same position that you "
            "have not taken yet.",
            "for each marked m: the first k with not marks[k], position[k] == position[m] and "
            "k not in chosen; then chosen.add(k).",
        ),
    ),
    Exercise(
        number="3.3",
        task="read four loops: which is the fused layer, and what is wrong with the others?",
        kind="read",
        gives='a dict such as {"A": "the fused layer", ...}, one choice for each of A to D',
        reference=name_the_loops,
        cases=lambda: [()],
        choices=(
            "the fused layer",
            "gates hear the memory",
            "h shows the old memory",
            "c is squashed and stored",
            "the forget gate is missing",
        ),
        misconceptions=(),
        reasons={
            ("A", "the fused layer"): "A: look at what `gates` is given. In (3.1) the gates hear "
            "h, the part of the memory that was shown.",
            ("A", "h shows the old memory"): "A: c is renewed before h is made of it. The trouble "
            "stands one line above.",
            ("A", "c is squashed and stored"): "A: tanh makes h, and c keeps its size. The trouble "
            "stands in another line.",
            ("B", "the fused layer"): "B: read the last two lines in the order in which they run. "
            "Which memory is in c when h is made?",
            ("B", "gates hear the memory"): "B: the gates get h, as they should. Compare the order "
            "of the lines with (3.4) and (3.6).",
            ("B", "c is squashed and stored"): "B: tanh makes h, and c keeps its size. Look at "
            "the order of the lines.",
            ("C", "gates hear the memory"): "C: the gates get h. A product does not mind the order "
            "of its factors: compare again with (3.4) and (3.6).",
            ("C", "h shows the old memory"): "C: c is renewed first, then h is made of it, as in "
            "(3.4) and (3.6). Only the factors stand in another order.",
            ("C", "c is squashed and stored"): "C: tanh makes h, and c keeps its size: (3.6).",
            ("D", "the fused layer"): "D: after one step its h is right, so a test with one step "
            "finds nothing. What does the second step find in c?",
            ("D", "gates hear the memory"): "D: the gates get h, as they should. What does c hold "
            "after the step?",
            ("D", "h shows the old memory"): "D: h is made of the new c. What does c hold for "
            "the next step?",
            **{
                (loop, "the forget gate is missing"): f"{loop}: f multiplies the old c in each of "
                "the four."
                for loop in "ABCD"
            },
        },
        hints=(
            "Take each line of a loop and find its equation: what does `gates` hear, which c does "
            "h show, what is kept for the next step?",
            "The order of factors does not matter, the order of lines does. One loop is right.",
            "A: look at the call of gates. B: at the order of its lines. D: at where tanh stands.",
        ),
    ),
    Exercise(
        number="3.4",
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
        number="3.5",
        task="the forget bias for a half-life",
        kind="derive",
        takes="steps: a number, 1 or more",
        gives="the bias b, a number",
        reference=bias_for_half_life,
        cases=lambda: [(2.0,), (10.0,), (100.0,), (37.5,)],
        example=(1.0,),
        misconceptions=(
            Misconception(
                "the gate instead of its bias",
                lambda steps: 0.5 ** (1 / steps),
                "That is the gate f that halves a memory in this time. Which bias makes it, "
                "f = sigmoid(b)? Solve for b.",
            ),
            Misconception(
                "the time constant",
                lambda steps: math.log(steps),
                "ln(steps) makes the gate steps / (steps + 1), as chrono does. That is a time "
                "constant: what is left after it is near 1/e, not one half.",
            ),
            Misconception(
                "chrono's time constant",
                lambda steps: math.log(steps - 1),
                "That is the bias of the gate 1 - 1/steps: a time constant of `steps`, after "
                "which some 0.37 is left, not one half.",
            ),
            Misconception(
                "e for 2",
                lambda steps: -math.log(math.exp(1 / steps) - 1),
                "You let the memory fall to 1/e. A half-life asks for one half: "
                "f to the power of steps is 0.5.",
            ),
            Misconception(
                "the other sign",
                lambda steps: -bias_for_half_life(steps),
                "The sign is turned round: your gate erases what it should keep. "
                "sigmoid(b) = f gives b = ln(f / (1 - f)).",
            ),
            Misconception(
                "the logarithm of the gate",
                lambda steps: math.log(0.5) / steps,
                "That is ln f. The inverse of the sigmoid is not the logarithm alone: "
                "b = ln(f / (1 - f)).",
            ),
            Misconception(
                "minus the logarithm of the rest",
                lambda steps: -math.log(1 - 0.5 ** (1 / steps)),
                "The numerator is missing: b = ln(f / (1 - f)) = ln f - ln(1 - f).",
            ),
            Misconception(
                "logarithm to base 2",
                lambda steps: bias_for_half_life(steps) / math.log(2),
                "The base is 2. The sigmoid is made of e, so its inverse takes the natural log.",
            ),
            Misconception(
                "logarithm to base 10",
                lambda steps: bias_for_half_life(steps) / math.log(10),
                "The base is 10. The sigmoid is made of e, so its inverse takes the natural log.",
            ),
            Misconception(
                "half a gate a step",
                lambda steps: math.log((1 - 0.5 / steps) / (0.5 / steps)),
                "You took away 0.5 / steps at each step. What is lost is a share of what is left: "
                "the factors multiply, f = 0.5 ** (1 / steps).",
            ),
            Misconception(
                "the sigmoid again",
                lambda steps: 1 / (1 + math.exp(-(0.5 ** (1 / steps)))),
                "You sent f through the sigmoid. f has been through it: go back, with its inverse "
                "ln(f / (1 - f)).",
            ),
            Misconception(
                "the half-life of that bias",
                lambda steps: math.log(0.5) / math.log(1 / (1 + math.exp(-steps))),
                "You answer the reverse: how long a gate lasts whose bias is given. Here the time "
                "is given and the bias is asked.",
            ),
        ),
        hints=(
            "Two steps: which gate f leaves one half after that many steps? Which bias makes it?",
            "f ** steps = 0.5, so f = 0.5 ** (1 / steps). Then solve f = 1 / (1 + exp(-b)) for b.",
            "b = math.log(f / (1 - f))",
        ),
    ),
    Exercise(
        number="3.6",
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
                "forget gate never open",
                _latch(b=(-1.0, -1.0, 0.0, 1.0)),
                "Your forget gate is never open: with write = 0 its sum must be +strength, and "
                "the bias alone can bring it there.",
            ),
            Misconception(
                "output gate on command",
                lambda s: _weights([0, 2 * s], [0, -2 * s], [2.0, 0], [0, s], [-s, s, 0, 0]),
                "Your output gate hears `write`. Its sum is always +strength: no weight, and the "
                "bias does it.",
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
    Exercise(
        number="3.7",
        task="set the biases of gates that count, hold, reset and swap",
        kind="set",
        gives='a dict such as {"count": {"i": 3.0, "f": -3.0, "o": 0.0}, ...}, a bias a gate',
        reference=biases_by_hand,
        cases=lambda: [()],
        effect=_gates_do,
        misconceptions=(),
        reasons=_reasons_for_gates(),
        hints=(
            "First the gates, in words: for each of the four, is the old memory kept, is the "
            "candidate written, is the result shown?",
            "count: all open. hold: f alone. reset: o alone. swap: i and o. "
            "And a gate is sigmoid(bias).",
            "sigmoid(b) comes within 0.0001 of 1 from b = 9.3 on, and of 0 from b = -9.3 down: "
            "12 and -12 will do.",
        ),
    ),
)
