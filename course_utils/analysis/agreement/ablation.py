"""Silence units while a sentence is read: each of them, any set of them, all in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.analysis.agreement.questions import (
    by_length,
    form_scores,
    forms_of,
    rights_of,
    texts_of,
)
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.vocabulary import words_of
from course_utils.models import RecurrentLM
from course_utils.models.quiet import quiet
from course_utils.models.steps import Weights

MOST_NUMBERS = 1 << 22  # of gates that are held at once: bounds the memory


class Hold(NamedTuple):
    """Units of h that are set to a value after every step; to 0 they are ablated."""

    units: Sequence[int]
    value: float = 0.0


def ablate_each(model: RecurrentLM, items: Sequence[AgreementItem]) -> Tensor:
    """Return how right each item is answered without each unit, (H, N)."""
    return ablate_sets(model, items, [[unit] for unit in range(model.recurrent.hidden_size)])


def ablate_sets(
    model: RecurrentLM, items: Sequence[AgreementItem], sets: Sequence[Sequence[int]]
) -> Tensor:
    """Return how right each item is answered without each set of units, (S, N)."""
    return rights_of(margins_with(model, items, [Hold(units) for units in sets]))


def rights_with(model: RecurrentLM, items: Sequence[AgreementItem], hold: Hold) -> Tensor:
    """Return how right each item is answered while some units are held, (N,)."""
    return rights_of(margins_with(model, items, [hold])[0])


def random_sets(
    size: int, units: int, count: int, never: Sequence[int], seed: int = 0
) -> list[list[int]]:
    """Return `count` sets of `size` units that are not in `never`: what to compare with."""
    generator = torch.Generator().manual_seed(seed)
    others = torch.tensor([unit for unit in range(units) if unit not in never])
    draws = (torch.randperm(len(others), generator=generator)[:size] for _ in range(count))
    return [others[draw].tolist() for draw in draws]


def margins_with(
    model: RecurrentLM, items: Sequence[AgreementItem], holds: Sequence[Hold]
) -> Tensor:
    """Return log p(right) - log p(wrong) under every hold, (S, N), reading all side by side.

    Sentences that begin alike are read once as far as they do.
    """
    if model.recurrent.num_layers != 1:
        raise ValueError(f"units of one layer can be held; this has {model.recurrent.num_layers}")
    weights = model.recurrent.weights()
    H = model.recurrent.hidden_size
    held = torch.zeros(len(holds), H, dtype=torch.bool)
    value = torch.zeros(len(holds), H)
    for row, hold in enumerate(holds):
        held[row, list(hold.units)] = True
        value[row, list(hold.units)] = hold.value
    found = torch.zeros(len(holds), len(items), dtype=torch.float64)
    at_once = max(1, MOST_NUMBERS // (4 * H * len(holds)))
    with quiet(model):
        rows = linear(model.embedding.weight, weights.W, weights.b)  # W x + b of every word
        for group in by_length(items):
            for first in range(0, len(group), at_once):
                places = group[first : first + at_once]
                some = [items[place] for place in places]
                found[:, places] = _margins(model, weights, rows, some, held, value).double()
    return found


def _margins(
    model: RecurrentLM,
    weights: Weights,
    rows: Tensor,
    items: Sequence[AgreementItem],
    held: Tensor,
    value: Tensor,
) -> Tensor:
    """Read items of one length under all holds; return their margins (S, B)."""
    words = words_of(model)
    texts, forms = texts_of(words, items), forms_of(words, items)
    S, H = held.shape
    state = torch.zeros(S, 1, H)  # beginnings of sentences: at first all are one
    cell = torch.zeros(S, 1, H)
    node = torch.zeros(len(items), dtype=torch.long)  # which beginning each sentence has had
    for column in texts:
        pairs, node = torch.unique(torch.stack([node, column]), dim=1, return_inverse=True)
        before, word = pairs
        state, cell = _step(model, weights, rows[word], state[:, before], cell[:, before])
        state = torch.where(held[:, None], value[:, None], state)
    scores = form_scores(model, state[:, node], forms)  # (S, B, 2)
    return scores[..., 0] - scores[..., 1]


def _step(
    model: RecurrentLM, weights: Weights, from_word: Tensor, h: Tensor, c: Tensor
) -> tuple[Tensor, Tensor]:
    """Take one step from h and c (S, B, H); what comes from the words (B, rows) is known."""
    from_state = linear(h, weights.U, weights.b_U)  # (S, B, rows)
    if model.recurrent.mode == "LSTM":
        i, f, g, o = (from_word + from_state).chunk(4, dim=-1)
        c = f.sigmoid_().mul_(c).add_(i.sigmoid_().mul_(g.tanh_()))  # (3.1) to (3.4)
        return o.sigmoid_().mul_(c.tanh()), c  # (3.5), (3.6)
    if model.recurrent.mode == "GRU":
        (x_r, x_z, x_n), (h_r, h_z, h_n) = from_word.chunk(3, dim=-1), from_state.chunk(3, dim=-1)
        r, z = (x_r + h_r).sigmoid(), (x_z + h_z).sigmoid()  # (4.1), (4.2)
        n = torch.tanh(x_n + r * h_n)  # (4.3)
        return (1 - z) * n + z * h, c  # (4.4)
    return torch.tanh(from_word + from_state), c  # (2.1)
