"""Counters made by hand: which unit moves by how much at which letter, and what is read from it.

A network of gates adds 1 with f = 1, i = 1 and a candidate of 1 or -1; one of ReLU units with an
identity for U (Le et al. 2015). Each is a `RecurrentLM`, as the trained ones are.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.counting import DYCK, POWERS_OF_THREE, POWERS_OF_TWO, SHUFFLE, Language
from course_utils.models import LSTM, Elman, RecurrentLM

STRENGTH = 40.0  # in float64 sigmoid(40) is 1, tanh(40) is 1
ONE = 0.7616  # what a unit shows of a count of 1: tanh(1)


class Design(NamedTuple):
    """What every letter does to every unit, and what each symbol asks of them."""

    moves: dict[str, tuple[int, ...]]  # by letter: -1, 0 or 1 for every unit
    keeps: tuple[bool, ...]  # a unit that does not keep knows the last letter only
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
def counting_lstm(language: Language, strength: float = STRENGTH) -> RecurrentLM:
    """Return a float64 LSTM that counts: gates hear the letter alone, no weight is recurrent."""
    design = DESIGNS[language]
    model = _empty(language, design)
    moves, keeps = _moves(language, design), torch.tensor(design.keeps)
    H, V = moves.shape
    layer = LSTM(V, H, dtype=torch.float64)
    for parameter in layer.parameters():
        parameter.zero_()
    i, f, g, o = layer.weights().W.chunk(4)  # (H, V) each, views of the layer's own
    i.copy_(strength * torch.where(moves != 0, 1.0, -1.0))
    f.copy_(strength * torch.where(keeps, 1.0, -1.0)[:, None].expand(H, V))
    f[:, 0] = -strength  # END: start anew
    g.copy_(strength * moves)
    o.fill_(strength)
    model.recurrent = layer
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
    W[:, 0] = -(2.0**30)  # END: whatever was counted, start anew
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
