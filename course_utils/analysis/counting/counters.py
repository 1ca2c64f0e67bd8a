"""Find the cells that count, chosen on one text and reported on a longer one, and how they move.

A counter's cell follows a difference of counts: it climbs by the same amount at every letter of one
kind, falls by the same amount at another, and turns where the letters change.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.choice import Choice, Marked, choose_unit
from course_utils.data.counting import Powers, members, reading
from course_utils.models import LSTMStep, RecurrentLM
from course_utils.models.quiet import quiet

EDGE = 3  # letters at either end of a run that are not fitted: a network may settle there


class Ramp(NamedTuple):
    """How one cell moves while one letter is read again and again."""

    letter: str
    slope: float  # a letter
    r_squared: float  # of the straight line; 1 where the cell does not move at all
    turn: float  # what the first letter of the run adds to the cell


def counted(letters: str, up: str, down: str, n: int) -> Marked:
    """Return a member as tokens, and at each token how many more `up` than `down` came so far."""
    language = Powers(letters)
    text = language.member(n)
    difference = [0]
    for letter in text:
        difference.append(difference[-1] + (letter == up) - (letter == down))
    tokens = reading(language, [text]).tokens[:, 0]
    return Marked(tokens, torch.tensor(difference).double(), torch.ones(len(tokens)).bool())


def choose_counter(
    model: RecurrentLM,
    letters: str,
    up: str = "a",
    down: str = "b",
    choose_at: int = 40,
    report_at: int = 90,
    shuffles: int = 20,
) -> Choice:
    """Return the cell that follows #up - #down best at one n, as it does at another n.

    It comes with what luck finds: the same search with the counts rotated round the text, which
    keeps them equally smooth.
    """
    choose_on, report_on = (counted(letters, up, down, n) for n in (choose_at, report_at))
    of = "c" if model.recurrent.mode == "LSTM" else "h"
    return choose_unit(model, choose_on, report_on, of=of, shuffles=shuffles, dealt="shifted")


def cells_along(model: RecurrentLM, letters: str, n: int) -> Tensor:
    """Return the cells of an LSTM, or the states of another network, along a member, (T, H)."""
    tokens = members(Powers(letters), [n]).tokens
    with quiet(model):
        step = model.trace(tokens)[0]
    return (step.c if isinstance(step, LSTMStep) else step.h)[:, 0]


def ramps(model: RecurrentLM, letters: str, n: int, unit: int) -> list[Ramp]:
    """Return how a cell moves along each letter's run of a member, by least squares."""
    least = 2 * EDGE + 3
    if n < least:
        raise ValueError(f"n is {n}: a line needs at least three points, so pass n >= {least}")
    cell = cells_along(model, letters, n)[:, unit].double()
    found = []
    for k, letter in enumerate(letters):
        run = cell[k * n : (k + 1) * n + 1]  # from before its first letter to its last
        slope, r_squared = straight_line(run[1 + EDGE : n + 1 - EDGE])
        found.append(Ramp(letter, slope, r_squared, (run[1] - run[0]).item()))
    return found


def straight_line(y: Tensor) -> tuple[float, float]:
    """Return slope and R^2 of the least-squares line through y at 0, 1, 2 ..."""
    x = torch.arange(len(y), dtype=y.dtype)
    x, y = x - x.mean(), y - y.mean()
    slope = (x @ y) / (x @ x)
    spread = y @ y
    if spread == 0:
        return 0.0, 1.0
    return slope.item(), (1 - (y - slope * x).square().sum() / spread).item()
