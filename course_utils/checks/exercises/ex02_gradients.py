"""Lecture 02: one step's Jacobian, their product, its bound, clipping, the lag of silence."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from course_utils.analysis.gradients import (
    clip_by_norm,
    jacobian_bound,
    predicted_lag,
    step_jacobian,
)
from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def jacobian_of_a_step(a_t: Tensor, U: Tensor) -> Tensor:
    """Return dh_t/dh_{t-1} for h_t = tanh(a_t)."""
    return step_jacobian(1 - torch.tanh(a_t) ** 2, U)


def product_of_jacobians(jacobians: Tensor) -> Tensor:
    """Return dh_T/dh_0 from the Jacobians of the steps 1 to T."""
    product = jacobians[0]
    for jacobian in jacobians[1:]:
        product = jacobian @ product
    return product


def largest_allowed(U: Tensor, slope: float, lag: int) -> Tensor:
    """Return the bound on the norm of a product of `lag` Jacobians."""
    return jacobian_bound(U, slope, lag)


def clip(gradients: list[Tensor], threshold: float) -> list[Tensor]:
    """Return the gradients, scaled together to a joint norm of at most threshold."""
    return clip_by_norm(gradients, threshold)


def lag_of_silence(rate: float) -> int:
    """Return the first lag at which rate^lag is lost beside 1 in float32."""
    return predicted_lag(rate)


def fate_of_six() -> dict[str, str]:
    """Return what becomes of the gradients of networks A to F on 50 steps back."""
    return {
        "A": "vanishes",
        "B": "explodes",
        "C": "stays",
        "D": "vanishes",
        "E": "vanishes",
        "F": "stays",
    }


def repaired_bptt(U: Tensor, states: Tensor, d_last: Tensor) -> Tensor:
    """Return dJ/dU from states h_0 to h_T, (T + 1, H), and dJ/dh_T, (H,)."""
    return _walk_back(U, states, d_last)


def what_follows() -> set[str]:
    """Return the letters of the conclusions that the evidence allows."""
    return {"B", "D", "F"}


def _walk_back(
    U: Tensor,
    states: Tensor,
    d_last: Tensor,
    heard: int = 1,
    slope: Callable[[Tensor, int], Tensor] = lambda h, t: 1 - h[t] ** 2,
    adds: bool = True,
    back: str = "U.T",
    last: int = 0,
    forwards: bool = False,
) -> Tensor:
    """Walk back through tanh steps; every argument after the third can be made a mistake."""
    d_U, d_h = torch.zeros_like(U), d_last
    steps = range(len(states) - 1, last, -1)
    for t in reversed(steps) if forwards else steps:
        d_a = slope(states, t) * d_h
        term = torch.outer(d_a, states[t - heard])
        d_U = d_U + term if adds else term
        carried = {"U.T": U.T @ d_a, "U": U @ d_a, "added": d_h + U.T @ d_a, "nothing": d_h}
        d_h = carried[back]
    return d_U


def _walks(**mistakes):
    """Return a walk back with these mistakes."""
    return lambda U, states, d_last: _walk_back(U, states, d_last, **mistakes)


def _slope(a_t: Tensor) -> Tensor:
    return 1 - torch.tanh(a_t) ** 2


def _joint_norm(gradients: list[Tensor]) -> Tensor:
    return torch.sqrt(torch.as_tensor(sum(g.square().sum() for g in gradients)))


def _scaled(norm, shrink_only: bool = True):
    """Return a clipping by another norm."""

    def clipped(gradients: list[Tensor], threshold: float) -> list[Tensor]:
        factor = threshold / norm(gradients)
        return [g * (min(1.0, float(factor)) if shrink_only else factor) for g in gradients]

    return clipped


EXERCISES = (
    Exercise(
        number="2.1",
        task="the Jacobian of one step",
        reference=jacobian_of_a_step,
        takes="a_t (H,), U (H, H)",
        gives="a matrix (H, H)",
        example=(torch.tensor([0.0, 1.0]), torch.ones(2, 2)),
        cases=lambda: [(some(H, seed=H), some(H, H, seed=10 + H)) for H in (3, 5, 7)],
        misconceptions=(
            Misconception(
                "slope on the columns",
                lambda a_t, U: U * _slope(a_t),
                "You scaled the columns of U: that is U diag(g'). The slope belongs to the unit "
                "that is written, so it scales the rows: diag(g') U.",
            ),
            Misconception(
                "transposed",
                lambda a_t, U: (_slope(a_t).unsqueeze(1) * U).T,
                "This is the transposed Jacobian. Row i must hold how h_t[i] answers to every "
                "unit of h_{t-1}; you would need the transpose for a gradient written as a row.",
            ),
            Misconception(
                "no slope",
                lambda a_t, U: U * torch.ones_like(a_t),
                "This is U alone, the Jacobian of a linear step. The activation sits between "
                "a_t and h_t, so the chain rule brings in its slope g'(a_t).",
            ),
            Misconception(
                "the activation instead of its slope",
                lambda a_t, U: torch.tanh(a_t).unsqueeze(1) * U,
                "You used tanh(a_t) itself where its slope 1 - tanh(a_t)^2 belongs.",
            ),
            Misconception(
                "slope of the wrong thing",
                lambda a_t, U: (1 - a_t**2).unsqueeze(1) * U,
                "1 - a_t^2 forgets the tanh: the slope is 1 - h_t^2, and h_t = tanh(a_t).",
            ),
            Misconception(
                "slope on rows, U transposed",
                lambda a_t, U: _slope(a_t).unsqueeze(1) * U.T,
                "U is transposed, the slope is in its place: diag(g') U, with U as it is.",
            ),
            Misconception(
                "tanh without the square",
                lambda a_t, U: (1 - torch.tanh(a_t)).unsqueeze(1) * U,
                "The slope of tanh is 1 - tanh^2: the square is missing.",
            ),
            Misconception(
                "tanh on the columns",
                lambda a_t, U: torch.tanh(a_t) * U,
                "You used tanh(a_t) where its slope belongs, and on the columns: the slope 1 - "
                "tanh(a_t)^2 scales the rows.",
            ),
            Misconception(
                "1 - a^2 on the columns",
                lambda a_t, U: (1 - a_t**2) * U,
                "1 - a_t^2 forgets the tanh, and it scales the columns: the slope 1 - tanh(a_t)^2 "
                "scales the rows.",
            ),
            Misconception(
                "only the slopes",
                lambda a_t, U: torch.diag(_slope(a_t)),
                "This is dh_t/da_t. The way from h_{t-1} to a_t is missing: times U.",
            ),
            Misconception(
                "a vector",
                lambda a_t, U: U @ _slope(a_t),
                "You multiplied matrix and vector: what comes out is a vector. The Jacobian is a "
                "matrix, every row of U scaled by its unit's slope.",
            ),
            Misconception(
                "sign of the square",
                lambda a_t, U: (1 + torch.tanh(a_t) ** 2).unsqueeze(1) * U,
                "The slope of tanh is 1 MINUS tanh^2: it is never above 1.",
            ),
            Misconception(
                "slope of a sigmoid",
                lambda a_t, U: (torch.sigmoid(a_t) * (1 - torch.sigmoid(a_t))).unsqueeze(1) * U,
                "That is the slope of a sigmoid. These are tanh units: 1 - tanh(a_t)^2.",
            ),
            Misconception(
                "diagonal, entry by entry",
                lambda a_t, U: torch.diag(_slope(a_t)) * U,
                "diag(g') * U multiplies entry by entry, and all but the diagonal is lost. The "
                "product of two matrices is @.",
            ),
            Misconception(
                "slopes added up",
                lambda a_t, U: _slope(a_t).sum() * U,
                "You added the slopes up to one number. Each unit has its own, and it scales its "
                "own row.",
            ),
            Misconception(
                "slope twice",
                lambda a_t, U: _slope(a_t).unsqueeze(1) * U * _slope(a_t),
                "The slope stands on both sides. Only the unit that is written goes through the "
                "tanh at this step: the rows.",
            ),
            Misconception(
                "U applied once more",
                lambda a_t, U: _slope(U @ a_t).unsqueeze(1) * U,
                "a_t is already the sum after U. The slope is taken at a_t itself.",
            ),
        ),
        hints=(
            "h_t[i] depends on h_{t-1}[j] only through a_t[i]. Write the chain rule for that pair.",
            "dh_t[i]/dh_{t-1}[j] = g'(a_t[i]) U[i, j], and tanh' = 1 - tanh^2. "
            "Which axis of U does the slope run along?",
            "Make the slope a column, slope.unsqueeze(1), and multiply it with U: row i is scaled.",
        ),
    ),
    Exercise(
        number="2.2",
        task="the product of Jacobians",
        reference=product_of_jacobians,
        takes="jacobians (T, H, H), jacobians[0] = dh_1/dh_0",
        gives="a matrix (H, H)",
        example=(torch.tensor([[[2.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]),),
        cases=lambda: [(some(T, H, H, seed=T * H),) for T, H in ((3, 5), (7, 3), (2, 11))],
        misconceptions=(
            Misconception(
                "wrong order",
                lambda jacobians: torch.linalg.multi_dot(tuple(jacobians)),
                "The factors are in the wrong order. The last step acts last, so it stands "
                "leftmost: J_T ... J_2 J_1, and matrices do not commute.",
            ),
            Misconception(
                "elementwise product",
                lambda jacobians: jacobians.prod(dim=0),
                "You multiplied entry by entry with *. The chain rule sums over every path "
                "through the units in between: use the matrix product @.",
            ),
            Misconception(
                "the same matrix every step",
                lambda jacobians: torch.linalg.matrix_power(jacobians[0], len(jacobians)),
                "You took the first Jacobian to a power. U is the same at every step, but the "
                "slopes are not: each step has a Jacobian of its own.",
            ),
            Misconception(
                "a sum",
                lambda jacobians: jacobians.sum(dim=0),
                "You added the Jacobians. Steps follow each other, so their Jacobians multiply; "
                "sums appear where paths run in parallel.",
            ),
            Misconception(
                "one step short",
                lambda jacobians: product_of_jacobians(jacobians[:-1]),
                "One factor is missing: the last step. T Jacobians lead from h_0 to h_T.",
            ),
            Misconception(
                "first step left out",
                lambda jacobians: product_of_jacobians(jacobians[1:]),
                "One factor is missing: the first step, jacobians[0] = dh_1/dh_0.",
            ),
            Misconception(
                "started with zeros",
                lambda jacobians: 0 * jacobians[0],
                "All is zero: the product started with zeros. Start with the first factor, or with "
                "torch.eye(H).",
            ),
            Misconception(
                "started with ones",
                lambda jacobians: (
                    torch.ones_like(jacobians[0]) @ torch.linalg.multi_dot(tuple(jacobians))
                ),
                "A matrix of ones is no beginning: the neutral element of @ is torch.eye(H).",
            ),
            Misconception(
                "started with ones, right order",
                lambda jacobians: product_of_jacobians(jacobians) @ torch.ones_like(jacobians[0]),
                "You began with a matrix of ones: the neutral element of @ is torch.eye(H).",
            ),
            Misconception(
                "first factor twice",
                lambda jacobians: product_of_jacobians(jacobians) @ jacobians[0],
                "The first factor stands there twice: the loop begins with jacobians[0], which was "
                "already the start.",
            ),
            Misconception(
                "transposed factors",
                lambda jacobians: product_of_jacobians(jacobians.transpose(1, 2)),
                "Every factor is transposed. The way of a gradient needs transposes; the Jacobian "
                "itself does not.",
            ),
            Misconception(
                "transposed product",
                lambda jacobians: product_of_jacobians(jacobians).T,
                "This is the transposed product. Row i must say how h_T[i] answers to h_0.",
            ),
            Misconception(
                "only the two ends",
                lambda jacobians: jacobians[-1] @ jacobians[0],
                "Only the first and the last step are there. All steps in between bring a factor.",
            ),
            Misconception(
                "the two ends, turned",
                lambda jacobians: jacobians[0] @ jacobians[-1],
                "Only the first and the last step are there, in the wrong order.",
            ),
            Misconception(
                "the last step alone",
                lambda jacobians: jacobians[-1],
                "This is dh_T/dh_{T-1}, the last step alone. The way to h_0 leads through all of "
                "them.",
            ),
            Misconception(
                "the mean",
                lambda jacobians: jacobians.mean(dim=0),
                "You averaged the Jacobians. Steps follow each other, so their Jacobians multiply.",
            ),
        ),
        hints=(
            "Start with T = 2: dh_2/dh_0 = dh_2/dh_1 times dh_1/dh_0. Which index is which?",
            "jacobians[0] is dh_1/dh_0. Begin with it and let every later step act from the left.",
            "product = jacobians[0]; then for each later one: product = jacobian @ product.",
        ),
    ),
    Exercise(
        number="2.3",
        task="the bound",
        reference=largest_allowed,
        takes="U (H, H), slope a number, lag a whole number",
        gives="one number",
        example=(torch.tensor([[0.0, 2.0], [0.0, 0.0]]), 0.5, 3),
        cases=lambda: [
            (some(H, H, seed=20 + H), slope, lag)
            for H, slope, lag in ((3, 1.0, 5), (5, 0.25, 7), (7, 0.5, 2))
        ],
        misconceptions=(
            Misconception(
                "spectral radius",
                lambda U, slope, lag: (slope * torch.linalg.eigvals(U).abs().max()) ** lag,
                "You took the spectral radius, the largest eigenvalue. A matrix can stretch a "
                "vector by more than that: a bound needs the norm, the largest singular value.",
            ),
            Misconception(
                "Frobenius norm",
                lambda U, slope, lag: (slope * U.norm()) ** lag,
                "U.norm() is the Frobenius norm. That bounds too, but never tightly: ask for the "
                "spectral norm, torch.linalg.matrix_norm(U, ord=2).",
            ),
            Misconception(
                "no slope",
                lambda U, slope, lag: torch.linalg.matrix_norm(U, ord=2) ** lag,
                "The slope is missing: every factor is diag(g') U, and its norm is at most "
                "slope times the norm of U.",
            ),
            Misconception(
                "norm of the power",
                lambda U, slope, lag: (
                    slope**lag * torch.linalg.matrix_norm(torch.linalg.matrix_power(U, lag), ord=2)
                ),
                "You took the norm of U to the power of the lag. That is smaller, and no bound: "
                "slopes stand between the factors, and they may undo what U cancels.",
            ),
            Misconception(
                "slope only once",
                lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2) ** lag,
                "The slope stands outside the power. Every step brings its own slope, so it is "
                "raised to the lag together with the norm.",
            ),
            Misconception(
                "times the lag",
                lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2) * lag,
                "You multiplied by the lag. The factors multiply each other, so the lag is an "
                "exponent: that is why the bound is exponential.",
            ),
            Misconception(
                "one factor too few",
                lambda U, slope, lag: (slope * torch.linalg.matrix_norm(U, ord=2)) ** (lag - 1),
                "One factor is missing: a lag of k steps has k factors.",
            ),
            Misconception(
                "one factor too many",
                lambda U, slope, lag: (slope * torch.linalg.matrix_norm(U, ord=2)) ** (lag + 1),
                "There is one factor too many: a lag of k steps has k factors.",
            ),
            Misconception(
                "slope raised alone",
                lambda U, slope, lag: slope**lag * torch.linalg.matrix_norm(U, ord=2),
                "Only the slope is raised to the lag. Every step brings U as well: slope times "
                "norm, to the lag.",
            ),
            Misconception(
                "no power",
                lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2),
                "This bounds one step. Over a lag the factors multiply: to the power of the lag.",
            ),
            Misconception(
                "slope added",
                lambda U, slope, lag: (slope + torch.linalg.matrix_norm(U, ord=2)) ** lag,
                "You added slope and norm. The factor of a step is diag(g') U: its norm is at most "
                "their product.",
            ),
            Misconception(
                "largest entry",
                lambda U, slope, lag: (slope * U.abs().max()) ** lag,
                "You took the largest entry of U. Many small entries together can stretch a vector "
                "further: take the largest singular value.",
            ),
            Misconception(
                "largest entry with its sign",
                lambda U, slope, lag: (slope * U.max()) ** lag,
                "U.max() is the largest entry. How far U can stretch a vector is another number: "
                "the largest singular value, torch.linalg.matrix_norm(U, ord=2).",
            ),
            Misconception(
                "determinant",
                lambda U, slope, lag: (slope * torch.linalg.det(U).abs()) ** lag,
                "The determinant says how volumes change. How far one vector can be stretched is "
                "the largest singular value.",
            ),
            Misconception(
                "the one-norm",
                lambda U, slope, lag: (slope * torch.linalg.matrix_norm(U, ord=1)) ** lag,
                "ord=1 is the largest sum of a column. The bound speaks of lengths: ord=2, the "
                "largest singular value.",
            ),
            Misconception(
                "smallest singular value",
                lambda U, slope, lag: (slope * torch.linalg.svdvals(U).min()) ** lag,
                "That is the smallest singular value: how much every vector is stretched at least. "
                "A bound from above needs the largest.",
            ),
            Misconception(
                "the longest row",
                lambda U, slope, lag: (slope * U.norm(dim=1).max()) ** lag,
                "You took the longest row. Rows together stretch further: take the largest "
                "singular value of U.",
            ),
            Misconception(
                "all singular values",
                lambda U, slope, lag: (slope * torch.linalg.svdvals(U).sum()) ** lag,
                "You added all singular values. No vector is stretched by all of them at once: "
                "take the largest.",
            ),
            Misconception(
                "entry by entry",
                lambda U, slope, lag: (slope * U) ** lag,
                "You raised every entry of U. Asked for is one number: first the norm of U, then "
                "the power.",
            ),
        ),
        hints=(
            "The norm of a product is at most the product of the norms. How many factors?",
            "Each factor is diag(g') U. A diagonal matrix stretches by at most its largest entry.",
            "(slope * torch.linalg.matrix_norm(U, ord=2)) ** lag",
        ),
        gradients=False,
    ),
    Exercise(
        number="2.4",
        task="predict the fate of six networks",
        kind="predict",
        gives='a dict such as {"A": "stays", ...}, one fate for each of A to F',
        reference=fate_of_six,
        cases=lambda: [()],
        choices=("vanishes", "stays", "explodes"),
        misconceptions=(),
        reasons={
            ("A", "explodes"): "A: radius 1.5 lets it explode and does not make it. Inputs of "
            "size 1 push tanh units onto their flat parts, and the slopes win.",
            ("A", "stays"): "A: nothing balances here. Inputs of size 1 keep tanh units on their "
            "flat parts, so a step shrinks more than the radius of 1.5 can make good.",
            ("B", "vanishes"): "B: what would shrink it? A linear unit has slope 1 everywhere, so "
            "nothing stands between the gradient and 1.5 to the power of 50.",
            ("B", "stays"): "B: the slope is 1, so each step multiplies by about the radius: 1.5 "
            "to the power of 50 is some 600 millions.",
            ("C", "vanishes"): "C: an orthogonal U of radius 1 changes no length, and inputs of "
            "size 0.01 leave tanh where its slope is 1. What is left that could shrink it?",
            ("C", "explodes"): "C: an orthogonal U of radius 1 stretches nothing, and a slope of "
            "tanh is never above 1. It cannot grow.",
            ("D", "stays"): "D: the orthogonal U keeps lengths, but it is half of the factor. "
            "Inputs of size 1 move the units, and the slopes of tanh shrink every step.",
            ("D", "explodes"): "D: no factor is above 1: U keeps lengths, the slopes of tanh are "
            "at most 1. The bound (2.5) is 1.",
            ("E", "explodes"): "E: a radius of 3 meets a slope of at most 1/4. The product is 0.75 "
            "at best, and 0.75 to the power of 50 is 0.0000006.",
            ("E", "stays"): "E: radius 3 times the sigmoid's slope, at most 1/4, is 0.75 at best. "
            "Fifty times over, that is gone.",
            ("F", "explodes"): "F: large inputs make large states, not large gradients. Linear "
            "units have slope 1 whatever they hear, and this U keeps every length.",
            ("F", "vanishes"): "F: inputs of size 10 would flatten a tanh. A linear unit has no "
            "flat part, and this U keeps every length.",
        },
        hints=(
            "For each network ask two things: what does U do to a length, and what do the slopes?",
            "Slopes: linear 1 always; sigmoid at most 1/4; tanh 1 only while its sum is near 0, so "
            "look at the size of the inputs. An orthogonal U of radius 1 keeps every length.",
            "One explodes, two stay, three vanish. To measure one: "
            "gr.random_network(16, 64, radius=1.5, activation='linear', gain=1.0).",
        ),
    ),
    Exercise(
        number="2.5",
        task="the lag of silence",
        reference=lag_of_silence,
        takes="rate, a number between 0 and 1",
        gives="a whole number",
        example=(0.125,),
        cases=lambda: [(rate,) for rate in (0.9, 0.5, 0.25, 0.973, 0.95)],
        misconceptions=(
            Misconception(
                "float64",
                lambda rate: predicted_lag(rate, torch.float64),
                "That is where float64 falls silent, the numbers that Python computes with. "
                "PyTorch's default is float32: half of torch.finfo(torch.float32).eps.",
            ),
            Misconception(
                "the smallest number instead of the resolution",
                lambda rate: math.ceil(math.log(torch.finfo(torch.float32).tiny) / math.log(rate)),
                "You asked when the signal itself becomes zero (finfo.tiny). It is lost much "
                "earlier: when it no longer changes a sum near 1 (half of finfo.eps).",
            ),
            Misconception(
                "one too early",
                lambda rate: math.ceil(math.log(2**-24) / math.log(rate)) - 1,
                "One step too early: at that lag rate**lag is still above half the gap. Round up "
                "to the first lag at which it is not.",
            ),
            Misconception(
                "one too late",
                lambda rate: math.floor(math.log(2**-24) / math.log(rate)) + 1,
                "One step too late where rate**lag meets 2**-24 exactly, as 0.5**24 does: a signal "
                "of just half the gap is rounded away as well.",
            ),
            Misconception(
                "the whole gap",
                lambda rate: math.ceil(math.log(2**-23) / math.log(rate)),
                "That is where the signal reaches the whole gap, 2**-23. What is larger than half "
                "the gap still rounds up to it: the signal is lost at 2**-24.",
            ),
            Misconception(
                "not rounded",
                lambda rate: math.log(2**-24) / math.log(rate),
                "That is the solution of rate ** lag = 2 ** -24, which lies between two steps. The "
                "first whole lag at which the signal is lost is the next one: round up.",
            ),
            Misconception(
                "two kinds of logarithm",
                lambda rate: math.ceil(math.log10(2**-24) / math.log(rate)),
                "You divided a log10 by a natural log. Any base will do, but the same for both.",
            ),
            Misconception(
                "rounded to the nearest",
                lambda rate: round(math.log(2**-24) / math.log(rate)),
                "You rounded to the nearest step. The first step at which the signal is lost is "
                "the next one: round up.",
            ),
            Misconception(
                "divided the wrong way round",
                lambda rate: math.ceil(math.log(rate) / math.log(2**-24)),
                "The division is upside down: lag = log(2**-24) / log(rate).",
            ),
            Misconception(
                "negative",
                lambda rate: math.floor(-math.log(2**-24) / math.log(rate)) + 1,
                "Your lag is negative: both logarithms are negative, so their quotient needs no "
                "minus.",
            ),
            Misconception(
                "a log2 and a natural log",
                lambda rate: math.ceil(math.log2(2**-24) / math.log(rate)),
                "You divided a log2 by a natural log. Any base will do, but the same for both.",
            ),
            Misconception(
                "24 and a log10",
                lambda rate: math.floor(-24 / math.log10(rate)) + 1,
                "24 counts halvings, so it is a log2: divide it by math.log2(rate).",
            ),
            Misconception(
                "two too late",
                lambda rate: math.ceil(math.log(2**-24) / math.log(rate)) + 1,
                "One step too late: round up, and add nothing.",
            ),
            Misconception(
                "two too late, floor",
                lambda rate: math.floor(math.log(2**-24) / math.log(rate)) + 2,
                "One step too late: count the steps once more.",
            ),
            Misconception(
                "halved",
                lambda rate: 24,
                "You halve the signal at every step. It is multiplied by `rate`.",
            ),
            Misconception(
                "subtracted",
                lambda rate: math.ceil(math.log(2**-24) / -(1 - rate)),
                "log(rate) is not -(1 - rate): that is near only for rates near 1. Take the "
                "logarithm itself.",
            ),
            Misconception(
                "divided by the rate",
                lambda rate: math.ceil(24 / rate),
                "The rate is a base, not a divisor: 24 halvings take 24 / -log2(rate) steps.",
            ),
            Misconception(
                "one in ten million",
                lambda rate: math.floor(math.log(1e-7) / math.log(rate)) + 1,
                "1e-7 is a rule of thumb for float32. The exact number is half a gap: 2**-24.",
            ),
            Misconception(
                "half",
                lambda rate: math.floor(math.log(0.5) / math.log(rate)) + 1,
                "That is the half-life: the signal is at one half. It is lost at 2**-24.",
            ),
        ),
        hints=(
            "Write the condition: rate ** lag <= 2 ** -24. Solve it for the lag.",
            "Take logarithms. log(rate) is negative: the sign turns, "
            "lag >= log(2 ** -24) / log(rate).",
            "math.ceil(math.log(2**-24) / math.log(rate))",
        ),
        gradients=False,
    ),
    Exercise(
        number="2.6",
        task="find two bugs in a walk back",
        kind="debug",
        takes="U: (H, H); states: (T + 1, H), h_0 first; d_last: (H,), the gradient at h_T",
        gives="dJ/dU, a matrix (H, H)",
        reference=repaired_bptt,
        cases=lambda: [
            (some(H, H, seed=40 + T), torch.tanh(some(T + 1, H, seed=T)), some(H, seed=50 + T))
            for T, H in ((2, 1), (7, 5), (4, 2))
        ],
        example=(
            torch.tensor([[2.0]]).double(),
            torch.tensor([[1.0], [0.0], [0.0]]).double(),
            torch.tensor([1.0]).double(),
        ),
        misconceptions=(
            Misconception(
                "unchanged",
                _walks(heard=0, adds=False),
                "Both bugs are still in it. Follow d_U through two steps by hand: which value "
                "does it have at the end, and which state does it hold?",
            ),
            Misconception(
                "overwritten",
                _walks(adds=False),
                "One bug is left. Each step makes a new d_U and forgets the one before, so only "
                "the first step's term is returned. U acts at every step: its terms add up.",
            ),
            Misconception(
                "the state that was written",
                _walks(heard=0),
                "One bug is left. At step t, U met the state that went in, h_{t-1}, not the state "
                "h_t that came out. Which index is that?",
            ),
            Misconception(
                "the slope of the step before",
                _walks(slope=lambda h, t: 1 - h[t - 1] ** 2),
                "You moved one index too many. The slope belongs to the state that was written: "
                "1 - h_t^2. Only the state that U met is h_{t-1}.",
            ),
            Misconception(
                "the walk added up",
                _walks(back="added"),
                "You add up d_h as well. The loss is at the last step only, so the gradient at "
                "h_{t-1} is U.T @ d_a and nothing else; what adds up is d_U.",
            ),
            Misconception(
                "U without its transpose",
                _walks(back="U"),
                "The line with U.T was right. Forwards U takes h_{t-1} to a_t; the way back "
                "goes through its transpose.",
            ),
            Misconception(
                "the way back left out",
                _walks(back="nothing"),
                "d_h stays the last step's gradient in your loop. It has to be carried back: "
                "d_h = U.T @ d_a, once a step.",
            ),
            Misconception(
                "outer product turned round",
                lambda U, states, d_last: _walk_back(U, states, d_last).T,
                "Your matrix is the transpose. U[i, j] takes state j to unit i, so the row belongs "
                "to d_a: outer(d_a, state).",
            ),
            Misconception(
                "no slope",
                _walks(slope=lambda h, t: torch.ones_like(h[t])),
                "The slope of tanh is gone. The line with 1 - states[t] ** 2 was right.",
            ),
            Misconception(
                "tanh of a state",
                _walks(slope=lambda h, t: 1 - torch.tanh(h[t]) ** 2),
                "You took tanh of a state that is one already: h_t = tanh(a_t), so the slope is "
                "1 - h_t^2. That line was right.",
            ),
            Misconception(
                "returned inside the loop",
                lambda U, states, d_last: _walk_back(U, states, d_last, last=len(states) - 2),
                "Only the last step's term comes back. Does the `return` stand inside the loop?",
            ),
            Misconception(
                "forwards",
                _walks(forwards=True),
                "You walk forwards in time. The gradient is known at the last state and is carried "
                "back from there; the range was right.",
            ),
            Misconception(
                "first step left out",
                _walks(last=1),
                "The walk ends one step too early: h_1 was made by U from h_0, so t = 1 counts. "
                "The range was right.",
            ),
            Misconception(
                "one step too many",
                _walks(last=-1),
                "You walk to t = 0. Nothing made h_0, and states[-1] is the last state, not one "
                "before the first. The range was right.",
            ),
            Misconception(
                "the mean of the steps",
                lambda U, states, d_last: _walk_back(U, states, d_last) / (len(states) - 1),
                "You took the mean over the steps. (2.6) is a sum: U counts every time it acts.",
            ),
        ),
        hints=(
            "Take one unit and two steps, as in the example, and write down d_U after each pass.",
            "(2.6) is a sum over the steps, and its last factor holds h_{k-1} fixed: which state "
            "does U multiply at step t?",
            "d_U = zeros before the loop; inside, d_U = d_U + torch.outer(d_a, states[t - 1]).",
        ),
    ),
    Exercise(
        number="2.7",
        task="clip by norm",
        reference=clip,
        takes="gradients: a list of tensors of any shapes, threshold: a number",
        gives="a list of tensors of the same shapes",
        example=([torch.tensor([3.0]), torch.tensor([0.0, 4.0])], 1.0),
        cases=lambda: [
            ([some(3, 5, seed=31), some(7, seed=32)], 1.0),
            ([some(5, seed=33) / 10, some(2, 3, seed=34) / 10], 4.0),
            ([0.01 * some(2, seed=36), some(11, seed=35)], 0.5),
        ],
        misconceptions=(
            Misconception(
                "every entry for itself",
                lambda gradients, threshold: [g.clamp(-threshold, threshold) for g in gradients],
                "You clipped every entry by itself. That turns the gradient into another "
                "direction; scale all of it by one number instead.",
            ),
            Misconception(
                "every tensor for itself",
                lambda gradients, threshold: [
                    g * min(1.0, threshold / g.norm().item()) for g in gradients
                ],
                "You clipped every tensor by its own norm. The parameters move together, so the "
                "norm is that of all of them taken as one long vector.",
            ),
            Misconception(
                "always to the threshold",
                lambda gradients, threshold: [
                    g * threshold / _joint_norm(gradients) for g in gradients
                ],
                "You also stretch gradients that are shorter than the threshold. Those must stay "
                "as they are: the factor is never above 1.",
            ),
            Misconception(
                "sum of sizes",
                lambda gradients, threshold: [
                    g * min(1.0, threshold / sum(h.abs().sum() for h in gradients).item())
                    for g in gradients
                ],
                "You divided by the sum of all sizes. The norm is the root of the sum of squares.",
            ),
            Misconception(
                "squared norm",
                lambda gradients, threshold: [
                    g * min(1.0, threshold / _joint_norm(gradients).item() ** 2) for g in gradients
                ],
                "You divided by the squared norm: the square root is missing.",
            ),
            Misconception(
                "sum of norms",
                _scaled(lambda gradients: sum(g.norm() for g in gradients)),
                "You added the norms of the tensors. Their squares add up: the root of the sum of "
                "squares.",
            ),
            Misconception(
                "largest norm",
                _scaled(lambda gradients: max(g.norm() for g in gradients)),
                "You took the largest tensor's norm. The norm of all together is larger: the root "
                "of the sum of squares.",
            ),
            Misconception(
                "largest entry",
                _scaled(lambda gradients: max(g.abs().max() for g in gradients)),
                "You divided by the largest entry. The norm is the root of the sum of all squares.",
            ),
            Misconception(
                "mean of norms",
                _scaled(lambda gradients: sum(g.norm() for g in gradients) / len(gradients)),
                "You averaged the norms of the tensors. The norm of all together is the root of "
                "the sum of squares.",
            ),
            Misconception(
                "first tensor's norm",
                _scaled(lambda gradients: gradients[0].norm()),
                "You took the norm of the first tensor alone. All of them count together.",
            ),
            Misconception(
                "root of the mean",
                _scaled(
                    lambda gradients: (
                        torch.cat([g.flatten() for g in gradients]).square().mean().sqrt()
                    )
                ),
                "You took the mean of the squares. The norm has their sum.",
            ),
            Misconception(
                "max for min",
                lambda gradients, threshold: [
                    g * max(1.0, threshold / _joint_norm(gradients).item()) for g in gradients
                ],
                "You took max where min belongs: the factor shrinks what is too long and is never "
                "above 1.",
            ),
            Misconception(
                "factor upside down",
                lambda gradients, threshold: [
                    g * max(1.0, _joint_norm(gradients).item() / threshold) for g in gradients
                ],
                "The factor is upside down: threshold / norm.",
            ),
            Misconception(
                "to length one",
                lambda gradients, threshold: [
                    g / max(1.0, _joint_norm(gradients).item())
                    if _joint_norm(gradients) > threshold
                    else g
                    for g in gradients
                ],
                "You shrink to length 1. The length asked for is the threshold.",
            ),
            Misconception(
                "thrown away",
                lambda gradients, threshold: [
                    g if _joint_norm(gradients) <= threshold else torch.zeros_like(g)
                    for g in gradients
                ],
                "You throw long gradients away. They keep their direction and are shortened to the "
                "threshold.",
            ),
            Misconception(
                "clipped above only",
                lambda gradients, threshold: [g.clamp(max=threshold) for g in gradients],
                "You cut off large entries, and only positive ones. Scale all of it by one number "
                "instead.",
            ),
            Misconception(
                "one long vector",
                lambda gradients, threshold: (
                    torch.cat([g.flatten() for g in gradients])
                    * min(1.0, threshold / _joint_norm(gradients).item())
                ),
                "You return one long vector. Asked for is the list, every tensor with its own "
                "shape.",
            ),
        ),
        hints=(
            "Which one number, multiplied into everything, makes the whole gradient short enough?",
            "The joint norm is the root of the sum of all squares, over all tensors. "
            "Shrink only when it is above the threshold.",
            "factor = min(1, threshold / joint_norm), then [g * factor for g in gradients].",
        ),
        gradients=False,
    ),
    Exercise(
        number="2.8",
        task="judge which conclusions the evidence allows",
        kind="judge",
        gives='a set of letters such as {"A", "C"}',
        reference=what_follows,
        cases=lambda: [()],
        choices=tuple("ABCDEFG"),
        misconceptions=(),
        reasons={
            "A": "A does not follow. The profile says how far this network can hear, not whether "
            "anybody speaks: shuffled targets gave the same profile in section 6.",
            "C": "C does not follow. One seed of three carries the whole lead: without it P "
            "would be behind. More seeds could turn it round.",
            "E": "E does not follow. Nobody ran it without clipping; some unclipped runs settle, "
            "too. It needs the same seeds without the clip.",
            "G": "G does not follow. Clipping shortens long gradients and lengthens none: what "
            "had vanished stays vanished. A lower loss may come from near effects.",
            ("missing", "B"): "One that follows is missing: a signal of a billionth that is added "
            "to terms near 1 will hardly be followed by any update. That is about this network "
            "at these weights, and it may be said.",
            ("missing", "D"): "One that follows is missing: it was seen, so it is possible. One "
            "run is enough for 'it can happen' and never for 'it is better'.",
            ("missing", "F"): "One that follows is missing, by (2.9): clipping multiplies the "
            "whole gradient by one number below 1, which turns nothing.",
        },
        hints=(
            "For each letter: which experiment would have to come out differently if it were "
            "false? Was that experiment made?",
            "'It can happen' needs one case. 'It is better' and 'without it ...' need a "
            "comparison that chance could not have made.",
            "Three follow, one from each piece of evidence.",
        ),
    ),
)
