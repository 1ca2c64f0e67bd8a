"""Which of two forms does a model expect? One function for every model and every test set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.agreement.corpus import NEUTRAL
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.vocabulary import Vocabulary, words_of
from course_utils.models.language import LanguageModel, NGramLM, RecurrentLM
from course_utils.models.language.neural import NeuralLM
from course_utils.models.quiet import quiet

MOST_AT_ONCE = 256  # sentences of one length read side by side: bounds the memory


class Answers(NamedTuple):
    """A model's answers to the items that its vocabulary covers, and how many it was given."""

    items: list[AgreementItem]
    margins: Tensor  # (N,) log p(right form) - log p(wrong form)
    offered: int
    known: float  # share of the words before the verbs that are in the vocabulary

    @property
    def rights(self) -> Tensor:
        """Return 1 for a right answer, 0 for a wrong one, a half for a tie, (N,)."""
        return rights_of(self.margins)


def rights_of(margins: Tensor) -> Tensor:
    """Return 1 where the right form is likelier, 0 where the wrong one is, a half for a tie."""
    return ((margins.sign() + 1) / 2).double()


def ask(
    model: LanguageModel, items: Sequence[AgreementItem], start: Sequence[str] = NEUTRAL
) -> Answers:
    """Ask for every verb after `start` and the words before it.

    Items with a form that is not in the vocabulary are left out: two unknown words cannot be told
    apart. Other unknown words are read as unknown.
    """
    words = words_of(model)
    inside = covered(words, items)
    margins = torch.zeros(len(inside), dtype=torch.float64)
    for places in by_length(inside):
        forms = forms_of(words, [inside[place] for place in places])  # (B, 2)
        read = texts_of(words, [inside[place] for place in places], start)
        log_p = _last_scores(model, read, forms)
        margins[places] = (log_p[:, 0] - log_p[:, 1]).double()
    before = [word for item in inside for word in item.words[: item.position]]
    known = sum(word in words for word in before) / max(len(before), 1)
    return Answers(inside, margins, len(items), known)


def covered(words: Vocabulary, items: Sequence[AgreementItem]) -> list[AgreementItem]:
    """Return the items whose two forms are both known words."""
    return [item for item in items if item.right in words and item.wrong in words]


def by_length(items: Sequence[AgreementItem]) -> list[list[int]]:
    """Group items (by index) that can be read side by side without padding."""
    groups = defaultdict(list)
    for place, item in enumerate(items):
        groups[item.position].append(place)
    return [
        places[first : first + MOST_AT_ONCE]
        for places in groups.values()
        for first in range(0, len(places), MOST_AT_ONCE)
    ]


def texts_of(
    words: Vocabulary, items: Sequence[AgreementItem], start: Sequence[str] = NEUTRAL
) -> Tensor:
    """Return `start` and the words before the verbs as numbers, (T, B)."""
    texts = [words.encode([*start, *item.words[: item.position]]) for item in items]
    return torch.stack(texts, dim=1)


def forms_of(words: Vocabulary, items: Sequence[AgreementItem]) -> Tensor:
    """Return the right and the wrong form of every verb as numbers, (B, 2)."""
    return torch.stack([words.encode([item.right, item.wrong]) for item in items])


def _last_scores(model: LanguageModel, read: Tensor, forms: Tensor) -> Tensor:
    """Return the scores of the two forms (B, 2) after (T, B): log p up to a shared constant."""
    with quiet(model):
        if isinstance(model, RecurrentLM):  # its softmax is wide: only two rows of it are needed
            states, _ = model.read_states(read.to(model.device))
            return form_scores(model, states[-1], forms.to(model.device)).cpu()
        if isinstance(model, NeuralLM):
            logits: Tensor = model(read.to(model.device))[0]
            return logits[-1].cpu().gather(1, forms)
        if isinstance(model, NGramLM):  # it looks no further back, so nothing further is read
            read = read[-(model.order - 1) :] if model.order > 1 else read[-1:]
        return torch.stack(
            [
                torch.stack([model.log_probs(torch.cat([text, form[None]]))[-1] for form in pair])
                for text, pair in zip(read.T, forms, strict=True)
            ]
        )


def form_scores(model: RecurrentLM, states: Tensor, forms: Tensor) -> Tensor:
    """Return the logits of forms (B, 2) for states (..., B, H), as (..., B, 2)."""
    weights, bias = model.output.weight[forms], model.output.bias[forms]  # (B, 2, H), (B, 2)
    scores: Tensor = torch.einsum("...bh,bfh->...bf", states, weights) + bias
    return scores
