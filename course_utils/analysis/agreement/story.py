"""What units do over a sentence, and how they weigh on the verbs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.agreement.questions import texts_of
from course_utils.analysis.units.choice import Marked
from course_utils.data.agreement.corpus import NEUTRAL
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import NOUNS, PLURAL, VERBS
from course_utils.data.vocabulary import END, words_of
from course_utils.models import RecurrentLM
from course_utils.models.quiet import quiet
from course_utils.models.steps import Step, each_field

NOUN_FORMS = frozenset(form for noun in NOUNS for form in noun)


class Average(NamedTuple):
    """The mean of every gate and state of one unit over sentences of one pattern, (T,) each."""

    condition: str
    values: dict[str, Tensor]


def average_of(model: RecurrentLM, items: Sequence[AgreementItem], unit: int) -> dict[str, Average]:
    """Return what a unit does on average in every condition of one kind of sentence."""
    found = {}
    for condition in dict.fromkeys(item.condition for item in items):
        some = [item for item in items if item.condition == condition]
        steps = read_items(model, some)
        values = {name: getattr(steps, name)[..., unit].mean(dim=1) for name in steps._fields}
        found[condition] = Average(condition, values)
    return found


def read_items(model: RecurrentLM, items: Sequence[AgreementItem]) -> Step:
    """Return every gate and state at the words before the verbs of items of one length."""
    with quiet(model):
        steps = model.trace(texts_of(words_of(model), items))[0]
    return each_field(steps, lambda field: field[len(NEUTRAL) :])


def number_text(items: Sequence[AgreementItem]) -> Marked:
    """Return whole sentences as one text; marked: the word before a verb with a plural subject.

    Only the words before the verbs count: the verbs themselves would tell.
    """

    def label(item: AgreementItem, t: int) -> tuple[bool, bool]:
        return item.condition[0] == PLURAL, t == item.position - 1

    return _text(items, label)


def subject_text(items: Sequence[AgreementItem]) -> Marked:
    """Return whole sentences as one text; marked: nouns whose sentence still waits for its verb.

    Only nouns count. Every noun stands before verbs and after them, so the current word alone does
    not tell.
    """

    def label(item: AgreementItem, t: int) -> tuple[bool, bool]:
        waits = item.cue is not None and item.cue <= t < item.position
        return waits, t >= 0 and item.words[t] in NOUN_FORMS

    return _text(items, label)


def _text(
    items: Sequence[AgreementItem], label: Callable[[AgreementItem, int], tuple[bool, bool]]
) -> Marked:
    """Return the items with END before each; `label` says whether a word is marked and counts."""
    tokens: list[str] = []
    labels: list[tuple[bool, bool]] = []
    for item in items:
        tokens += [END, *item.words]
        labels += [label(item, t) for t in range(-1, len(item.words))]
    marks, counted = torch.tensor(labels).T
    return Marked(tokens, marks, counted)


def verb_weights(model: RecurrentLM, unit: int) -> tuple[Tensor, Tensor]:
    """Return a unit's weights to the singular forms of all verbs, and to their plural forms."""
    words = words_of(model)
    singular = words.encode([verb.singular for verb in VERBS])
    plural = words.encode([verb.plural for verb in VERBS])
    weights = model.output.weight.detach()[:, unit]
    return weights[singular], weights[plural]
