"""How well one number per token tells marked tokens from the rest."""

from __future__ import annotations

import torch
from torch import Tensor


def area_under_curve(scores: Tensor, marks: Tensor) -> Tensor:
    """Return, for each column of (T, H), how often a marked token scores above an unmarked one.

    A tie counts one half, so that 0.5 is chance whatever the scores are.
    """
    marks = marks.bool()
    marked, others = int(marks.sum()), int((~marks).sum())
    if not marked or not others:
        raise ValueError(f"{marked} tokens are marked and {others} are not: both are needed")
    ordered = scores.sort(dim=0).values.T.contiguous()  # (H, T)
    columns = scores.T.contiguous()
    below = torch.searchsorted(ordered, columns)
    not_above = torch.searchsorted(ordered, columns, right=True)
    ranks = (below + not_above + 1).double() / 2  # (H, T): from 1, ties share theirs
    total = ranks[:, marks].sum(dim=1)
    return (total - marked * (marked + 1) / 2) / (marked * others)
