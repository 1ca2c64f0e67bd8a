"""Counters built by hand: how far each letter moves each unit, and what is read out of it.

An LSTM adds 1 with f = 1, i = 1 and a candidate of 1 or -1, a network of ReLU units with an
identity for U (Le et al. 2015); a GRU halves and doubles. Each is a `RecurrentLM`, as the trained
ones are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.counting import DYCK, POWERS_OF_THREE, POWERS_OF_TWO, SHUFFLE, Language
from course_utils.models import LSTM, Elman, RecurrentLM

STRENGTH = 40.0  # in float64 sigmoid(40) is 1, tanh(40) is 1
ONE = 0.7616  # what a unit shows of a count of 1: tanh(1)


class Design(NamedTuple):
    """What every letter does to every unit, and what each symbol requires of them."""

    moves: dict[str, tuple[int, ...]]  # by letter: -1, 0 or 1 for every unit
    keeps: tuple[bool, ...]  # a unit that does not keep knows only the last letter
    asks: dict[str, tuple[float, ...]]  # by symbol, END first: a weight for every unit, a bias


DESIGNS: dict[Language, Design] = {
    # units: how many more a than b; was the last letter a b?
    POWERS_OF_TWO: Design(
        {"a": (1, 0), "b": (-1, 1)},
        (True, False),
        {"⊣": (-2, 1, -ONE / 2), "a": (0, -1, ONE / 2), "b": (1, 0, -ONE / 2)},
    ),
    # units: more a than b; more b than c; was the last letter a c?
    POWERS_OF_THREE: Design(
        {"a": (1, 0, 0), "b": (-1, 1, 0), "c": (0, -1, 1)},
        (True, True, False),
        {
            "⊣": (0, -2, 1, -ONE / 2),
            "a": (0, -1, -1, ONE / 2),
            "b": (1, 0, 0, -ONE / 2),
            "c": (-2, 1, 0, -ONE / 2),
        },
    ),
    DYCK: Design(
        {"(": (1,), ")": (-1,)},
        (True,),
        {"⊣": (-1, ONE / 2), "(": (0, 1), ")": (1, -ONE / 2)},
    ),
    SHUFFLE: Design(
        {"(": (1, 0), ")": (-1, 0), "[": (0, 1), "]": (0, -1)},
        (True, True),
        {
            "⊣": (-1, -1, ONE / 2),
            "(": (0, 0, 1),
            ")": (1, 0, -ONE / 2),
            "[": (0, 0, 1),
            "]": (0, 1, -ONE / 2),
        },
    ),
}


@torch.no_grad()
def compiled(
    moves: Mapping[str, Sequence[float]],
    keeps: Sequence[bool] | None = None,
    strength: float = STRENGTH,
) -> LSTM:
    """Return a float64 LSTM whose cells move by a table, letter by letter; U is 0.

    Its inputs are END and the letters, one-hot. A cell that does not keep forgets at every step.
    """
    letters, steps = list(moves), torch.tensor(list(moves.values()), dtype=torch.float64)
    V, H = 1 + len(letters), steps.shape[1]
    layer = LSTM(V, H, dtype=torch.float64)
    for parameter in layer.parameters():
        parameter.zero_()
    i, f, g, o = layer.weights().W.chunk(4)  # (H, V) each, views of the layer's own
    i[:, 1:] = torch.where(steps.T != 0, strength, -strength)
    f[:, 1:] = strength
    if keeps is not None:
        f[~torch.tensor(keeps)] = -strength
    i[:, 0] = f[:, 0] = -strength  # END: start again
    g[:, 1:] = strength * steps.T
    o.fill_(strength)
    return layer.requires_grad_(False)


@torch.no_grad()
def counting_lstm(language: Language, strength: float = STRENGTH) -> RecurrentLM:
    """Return a float64 LSTM that counts: gates see only the letter, no weight is recurrent."""
    design = DESIGNS[language]
    model = _empty(language, design)
    model.recurrent = compiled(design.moves, design.keeps, strength)
    return model.requires_grad_(False).eval()


FIRST = 2.0**-7  # where the exponent's counter starts: small, so that tanh is a straight line


@torch.no_grad()
def counting_gru() -> RecurrentLM:
    """Return a float64 GRU of two units that recognises a^n b^n: h halves at a, doubles at b.

    Its count stands in the exponent of h. The second unit is 1 where the last letter was a b.
    """
    model = RecurrentLM(3, "gru", width=3, hidden=2).double()
    model.embedding.weight.copy_(torch.eye(3))
    layer = model.recurrent
    for parameter in layer.parameters():
        parameter.zero_()
    W, U = layer.weights()[:2]
    r, z, n = W.chunk(3)  # (2, 3) each: END, a, b
    # 0 at END, 1/4 at a, 1 at b; in 64 bits, since a quarter that is off would round the last bits
    r[0] = torch.tensor([-STRENGTH, -math.log(3), STRENGTH], dtype=torch.float64)
    z.fill_(-STRENGTH)  # nothing is kept as it is: (1 - z) n is all
    n[0, 0] = math.atanh(FIRST)
    n[1, 2] = STRENGTH
    U[4, 0] = 2  # the candidate sees 2 r h
    counted = 0.7 * FIRST  # below it some a's wait for their b's
    model.output.weight.copy_(torch.tensor([[1 / FIRST, 2], [0, -1], [-1, 0]]))
    model.output.bias.copy_(torch.tensor([-counted / FIRST - 2, 0.5, counted]))
    return model.requires_grad_(False).eval()


@torch.no_grad()
def counting_elman() -> RecurrentLM:
    """Return a float64 Elman network of two ReLU units that recognises a^n b^n: h + 1, h - 1."""
    language = POWERS_OF_TWO
    design = DESIGNS[language]
    model = _empty(language, design)
    moves = _moves(language, design)
    H, V = moves.shape
    layer = Elman(V, H, nonlinearity="relu", dtype=torch.float64)
    for parameter in layer.parameters():
        parameter.zero_()
    W, U = layer.weights()[:2]
    W.copy_(moves)
    W[:, 0] = -(2.0**30)  # END: forget the count and start again
    U.copy_(torch.diag(torch.tensor(design.keeps).double()))
    model.recurrent = layer
    return model.requires_grad_(False).eval()


def _moves(language: Language, design: Design) -> Tensor:
    """Return what each symbol adds to each unit, (H, V); END adds nothing."""
    none = (0,) * len(design.keeps)
    rows = [design.moves.get(symbol, none) for symbol in language.symbols]
    return torch.tensor(rows, dtype=torch.float64).T.contiguous()


def _empty(language: Language, design: Design) -> RecurrentLM:
    """Return a model whose inputs are one-hot and whose readout is the design's."""
    V, H = len(language.symbols), len(design.keeps)
    model = RecurrentLM(V, "lstm", width=V, hidden=H).double()
    model.embedding.weight.copy_(torch.eye(V))
    asks = torch.tensor([design.asks[symbol] for symbol in language.symbols], dtype=torch.float64)
    model.output.weight.copy_(asks[:, :-1])
    model.output.bias.copy_(asks[:, -1])
    return model
