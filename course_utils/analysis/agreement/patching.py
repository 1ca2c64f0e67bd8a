"""Patch a unit's value from one sentence into another: does the verb follow?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.agreement.questions import (
    by_length,
    form_scores,
    forms_of,
    texts_of,
)
from course_utils.data.agreement.corpus import NEUTRAL
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import other_number
from course_utils.data.vocabulary import words_of
from course_utils.models import RecurrentLM
from course_utils.models.quiet import quiet
from course_utils.models.steps import LSTMStep, Step


class Patched(NamedTuple):
    """The margins of the items before and after, and where the verb changed its number."""

    before: Tensor  # (N,) log p(right) - log p(wrong)
    after: Tensor

    @property
    def flipped(self) -> Tensor:
        """Return which of the items that were right are wrong with the patch."""
        return (self.after < 0)[self.before > 0].double()


def counterparts(
    items: Sequence[AgreementItem],
) -> tuple[list[AgreementItem], list[AgreementItem]]:
    """Pair each item with the one that differs only in the number of its subject.

    Items whose counterpart is missing are left out.
    """

    def key(item: AgreementItem, number: str) -> tuple[object, ...]:
        frame = frozenset({item.right, item.wrong})
        same = [word for place, word in enumerate(item.words[: item.position]) if place != item.cue]
        return (item.construction, number + item.condition[1:], frame, *same)

    by_key: dict[tuple[object, ...], list[AgreementItem]] = {}
    for item in items:
        by_key.setdefault(key(item, item.condition[0]), []).append(item)
    own, others = [], []
    for item in items:
        for other in by_key.get(key(item, other_number(item.condition[0])), [])[:1]:
            own.append(item)
            others.append(other)
    return own, others


def patch_into(
    model: RecurrentLM,
    items: Sequence[AgreementItem],
    sources: Sequence[AgreementItem],
    units: Sequence[int],
    since: int | None = None,
) -> Patched:
    """Read each item with some units patched in from its source; return the margins of its verb.

    In an LSTM a unit's c and h are both replaced, otherwise h: at every word from the subject on,
    or from word `since` on (-1 is the last word before the verb).
    """
    before = torch.zeros(len(items), dtype=torch.float64)
    after = torch.zeros_like(before)
    with quiet(model):
        for places in by_length(items):
            own, given = ([of[place] for place in places] for of in (items, sources))
            forms = forms_of(words_of(model), own)
            plain, changed = read_patched(model, own, given, units, since)
            for out, steps in ((before, plain), (after, changed)):
                scores = form_scores(model, steps.h[-1], forms)
                out[places] = (scores[:, 0] - scores[:, 1]).double()
    return Patched(before, after)


def read_patched(
    model: RecurrentLM,
    items: Sequence[AgreementItem],
    sources: Sequence[AgreementItem],
    units: Sequence[int],
    since: int | None = None,
) -> tuple[Step, Step]:
    """Return every step of items of one length, as they are and with the sources patched in."""
    texts, others = (texts_of(words_of(model), of) for of in (items, sources))
    given = model.trace(others)[0]
    if since is None:
        first = torch.tensor([item.cue or 0 for item in items])
    else:
        first = torch.tensor([since % item.position for item in items])
    first = first + len(NEUTRAL)

    def edit(t: int, step: Step) -> Step:
        names = ("c", "h") if isinstance(step, LSTMStep) else ("h",)
        for name in names:
            own = getattr(step, name)  # a copy that may be changed
            new = getattr(given, name)[t][:, list(units)]
            own[:, list(units)] = torch.where((first <= t)[:, None], new, own[:, list(units)])
        return step

    x = model.embedding(texts)
    return model.recurrent.trace(x)[0], model.recurrent.rollout(x, edit=edit)[0]


def plural_advantage(
    model: RecurrentLM,
    item: AgreementItem,
    source: AgreementItem,
    units: Sequence[int],
    since: int,
    forms: tuple[str, str],
) -> tuple[Tensor, Tensor, Tensor]:
    """Return log p(plural) - log p(singular) after each word: the item, its source, patched."""
    with quiet(model):
        plain, changed = read_patched(model, [item], [source], units, since)
        other = model.trace(texts_of(words_of(model), [source]))[0]
        numbers = words_of(model).encode(list(forms))[None]  # singular, plural
        lines = []
        for steps in (plain, other, changed):
            scores = form_scores(model, steps.h[len(NEUTRAL) :], numbers)[:, 0]
            lines.append(scores[:, 1] - scores[:, 0])
    first, second, third = lines
    return first, second, third
