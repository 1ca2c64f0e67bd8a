"""How far a network counts, what it does to near misses, and where it first goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.counting import Language, Powers, members, near_misses, reading
from course_utils.models import RecurrentLM
from course_utils.models.language.recognition import (
    accepted_by,
    longest_run,
    right_after_powers,
    right_along,
    right_up_to,
)
from course_utils.models.quiet import quiet
from course_utils.models.steps import LSTMStep


def accepts(model: object, language: Language, text: str) -> bool:
    """Return whether a network accepts one text."""
    return bool(accepted_by(model, reading(language, [text]))[0])


def longest_accepted(model: object, language: Language, limit: int = 1000) -> int:
    """Return the n up to which a network is right about every member, and so every near miss.

    All symbols are checked at every step of each text from n = 1 on, so a network that allows too
    much does not pass.
    """
    return longest_run(_right_to(model, language, limit))


def furthest_accepted(model: object, language: Language, limit: int = 1000) -> int:
    """Return the largest n at which a network is right, whatever it does for smaller n; or 0."""
    right = _right_to(model, language, limit)
    return int(right.nonzero().max()) + 1 if right.any() else 0


def _right_to(model: object, language: Language, limit: int) -> Tensor:
    """Return for every n whether a network is right; the texts of powers share their beginnings."""
    if isinstance(language, Powers) and isinstance(model, RecurrentLM):
        return right_after_powers(model, len(language.letters), limit)
    return right_up_to(model, partial(members, language), limit)


def right_at(model: object, language: Language, counts: Sequence[int]) -> Tensor:
    """Return for which of these n a network is right at every step, (len(counts),) bool."""
    return right_along(model, members(language, counts))


class Judged(NamedTuple):
    """A member, its near misses, and which of them a network accepts."""

    member: bool
    misses: dict[str, bool]

    @property
    def let_through(self) -> int:
        """Return how many near misses are accepted."""
        return sum(self.misses.values())


def judge_near(model: object, language: Language, n: int) -> Judged:
    """Test a network on a^n b^n (or the language's own member) and on each text one slip away."""
    member = language.member(n)
    misses = near_misses(language, member)
    first, *others = accepted_by(model, reading(language, [member, *misses])).tolist()
    return Judged(first, dict(zip(misses, others, strict=True)))


class Story(NamedTuple):
    """One text as a network reads it, END before the first letter."""

    text: str
    states: Tensor  # (T, H): the cells of an LSTM, else the hidden state
    says: Tensor  # (T, V) bool: what the network allows
    truth: Tensor  # (T, V) bool
    refused_after: int | None  # how many letters were allowed before one was not

    @property
    def first_mistake(self) -> int | None:
        """Return after how many letters the network is first wrong, None if it never is."""
        wrong = (self.says != self.truth).any(dim=-1).nonzero()
        return int(wrong[0]) if len(wrong) else None

    @property
    def accepted(self) -> bool:
        """Return whether every letter was allowed, and the end after the last."""
        return self.refused_after is None


def read_story(model: RecurrentLM, language: Language, text: str) -> Story:
    """Let a network read a text; return its cells, and what it allows, at every step."""
    read = reading(language, [text])
    with quiet(model):
        step = model.trace(read.tokens)[0]
        says = model.output(step.h)[:, 0] > 0
    states = step.c if isinstance(step, LSTMStep) else step.h
    following = torch.tensor([*read.tokens[1:, 0].tolist(), 0])
    refused = (~says.gather(-1, following[:, None])[:, 0]).nonzero()
    return Story(
        text,
        states[:, 0],
        says,
        read.allowed[:, 0],
        int(refused[0]) if len(refused) else None,
    )
