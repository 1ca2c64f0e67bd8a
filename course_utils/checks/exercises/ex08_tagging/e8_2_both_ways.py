"""Exercise 8.2: a bidirectional layer from two cells."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes

Step = Callable[[Tensor, Tensor], Tensor]


def both_ways(x: Tensor, ahead: Step, back: Step, h_0: Tensor) -> Tensor:
    """Return [h_t; k_t] (T, 2H): h has read x_1..x_t from the left, k x_T..x_t from the right."""
    forward: list[Tensor] = []
    backward: list[Tensor] = []
    h = h_0
    for x_t in x:
        h = ahead(x_t, h)
        forward.append(h)
    k = h_0
    for x_t in x.flip(0):
        k = back(x_t, k)
        backward.append(k)
    pairs = zip(forward, reversed(backward), strict=True)
    return torch.stack([torch.cat(pair) for pair in pairs])


def _way_cases() -> list[tuple[Tensor, Step, Step, Tensor]]:
    def cell(seed: int, D: int, H: int) -> Step:
        W, U = some(H, D, seed=seed), some(H, H, seed=seed + 1) / 2
        return lambda x_t, h: torch.tanh(W @ torch.as_tensor(x_t) + U @ torch.as_tensor(h))

    return [
        (some(T, D, seed=T), cell(T, D, H), cell(T + 30, D, H), some(H, seed=9) / 3)
        for T, D, H in ((2, 1, 1), (5, 3, 2), (4, 2, 3))
    ]


EXERCISE = Exercise(
    number="8.2",
    task="a bidirectional layer from two cells",
    reference=both_ways,
    takes="x: (T, D); ahead, back: functions (x_t, h) -> h of two cells; h_0: (H,)",
    gives="(T, 2H), row t the forward and the backward state at word t",
    cases=_way_cases,
    hints=(
        "Two loops, each with its own cell and its own h.",
        "The second loop goes over the words from the last to the first.",
        "Collect the second loop's states, turn the list round, then join row by row.",
    ),
    misconceptions=(
        *mistakes("""
            read from the end, left in that order
                reversed(backward) => backward
                The backward states are in the order in which they were made: row 0 holds what was
                read at the last word. Turn them round before you join them.
            both read forward
                x.flip(0) => x &&
                reversed(backward) => backward
                Both cells read from the left. The second one begins with the last word.
            only the answer is turned
                x.flip(0) => x
                The second cell reads from the left, and only its states are turned.
            one cell for both
                k = back(x_t, k) => k = ahead(x_t, k)
                Both directions read with the forward cell. The second has one of its own, `back`.
            states added
                torch.cat(pair) => sum(pair)
                You added the two states. They are put side by side: (T, 2H).
            backward first
                torch.cat(pair) => torch.cat(pair[::-1])
                The forward state comes first, then the backward one.
            the state before the word
                k = back(x_t, k) => before = k &&
                backward.append(k) => k = back(x_t, k); backward.append(before)
                Your backward state has not read the word itself yet: that is k of the next word.
                Row t holds k_t, which has read word t, too.
            both states before the word
                h = ahead(x_t, h) => before = h &&
                forward.append(h) => h = ahead(x_t, h); forward.append(before) &&
                k = back(x_t, k) => last = k &&
                backward.append(k) => k = back(x_t, k); backward.append(last)
                Both states have not read the word itself yet. Row t holds h_t and k_t, and both
                have read word t.
            starts where the other ended
                k = h_0 => k = h
                The backward cell starts from the forward one's last state. Each starts from h_0:
                otherwise the right side would know the left.
        """),
        Misconception(
            "the last states only",
            Change(
                "torch.stack([torch.cat(pair) for pair in pairs])",
                "torch.cat([h, k]).expand(len(x), -1)",
            ),
            "You return the last states at every word. Row t has what was read up to word t, from "
            "both sides.",
        ),
    ),
)
