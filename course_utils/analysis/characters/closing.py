"""Ask which character closes what was opened k characters ago: a quote, or a bracket."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.source_code import Labels
from course_utils.data.vocabulary import words_of
from course_utils.models import NGramLM, RecurrentLM
from course_utils.models.quiet import quiet
from course_utils.settings import SEED

QUOTES = "\"'"
BRACKETS = {"(": ")", "[": "]", "{": "}"}
ASKED_BRACKETS = ")]"  # braces are too rare to ask for
SPANS = (2, 5, 10, 20, 40, 80)  # distances are reported from one to the next
FURTHEST = 160
CONTEXT = 300  # characters before the place that a model reads
EACH = 60  # items of each kind and span
AT_ONCE = 200  # contexts that are read side by side

Model = RecurrentLM | NGramLM


class Closing(NamedTuple):
    """Places at which something is closed: what closes it, and what it could be taken for."""

    text: str
    places: Tensor  # (N,) of the closing characters
    distances: Tensor  # (N,) k, characters since the opening one
    right: Tensor  # (N,) which of `choices` closes it
    nested: Tensor  # (N,) bool: something of its kind stands in between
    choices: str

    def __len__(self) -> int:
        return len(self.places)


class ByDistance(NamedTuple):
    """How often a model prefers the right character, for distances from one to another."""

    spans: list[tuple[int, int]]  # first and last distance
    rates: Tensor  # (S,) the mean over the kinds, so that a favourite is worth chance
    asked: Tensor  # (S,)
    chance: float


def closing_quotes(text: str, labels: Labels) -> Closing:
    """Return the ends of strings with one quote at each side: is it ' or " that ends them?"""
    ends = string_ends(text, labels)
    inner = [any(q in text[end - k + 1 : end] for q in QUOTES) for end, k, _ in ends]
    return _closing(text, [(*end, own) for end, own in zip(ends, inner, strict=True)], QUOTES)


def string_ends(text: str, labels: Labels) -> list[tuple[int, int, int]]:
    """Return where each string with one quote at each side ends, how far apart they are, and which.

    Only strings of one line, with something between the quotes.
    """
    found = []
    for start, end in _runs(labels.string):
        first = start
        while text[first] not in QUOTES:  # a prefix such as r or b
            first += 1
        last = end - 1
        alone = text[first : first + 3] != 3 * text[first]
        if alone and last > first + 1 and text[last] == text[first]:
            found.append((last, last - first, QUOTES.index(text[last])))
    return found


def closing_brackets(text: str, labels: Labels) -> Closing:
    """Return the brackets of code that are closed, each with its distance to the opening one."""
    waiting: list[list[int]] = []  # where it opened, and whether another did since
    found = []
    silent = labels.string | labels.comment
    for place, sign in enumerate(text):
        if silent[place]:
            continue
        if sign in BRACKETS:
            if waiting:
                waiting[-1][1] = 1
            waiting.append([place, 0])
        elif sign in BRACKETS.values() and waiting:
            opened, nested = waiting.pop()
            if sign in ASKED_BRACKETS:
                kind = ASKED_BRACKETS.index(sign)
                found.append((place, place - opened, kind, bool(nested)))
    return _closing(text, found, ASKED_BRACKETS)


def prefers_right(model: Model, asked: Closing) -> Tensor:
    """Return where the right character is likelier than every other choice, (N,) of 0 and 1."""
    log_p = choice_log_probs(model, asked)  # (N, choices)
    best = log_p.max(dim=1).values
    own = log_p.gather(1, asked.right[:, None])[:, 0]
    ties = (log_p == best[:, None]).sum(dim=1)
    return (own == best).double() / ties


def right_in_both(model: Model, asked: Closing) -> Tensor:
    """Return where a model names the quote that was opened, as written and exchanged, (N,) bool.

    The two texts of such a minimal pair differ in one character, the opening quote. A liking for
    one quote, or a module's habit, is right in one of them and so in no pair.
    """
    as_written, turned = (choice_log_probs(model, asked, turn) for turn in (False, True))
    own = asked.right[:, None]
    ahead = [log_p.gather(1, own) - log_p.gather(1, 1 - own) for log_p in (as_written, turned)]
    return ((ahead[0] > 0) & (ahead[1] < 0))[:, 0]


def only(asked: Closing, kept: Tensor) -> Closing:
    """Return the places that a mask (N,) keeps."""
    places, distances = asked.places[kept], asked.distances[kept]
    right, nested = asked.right[kept], asked.nested[kept]
    return Closing(asked.text, places, distances, right, nested, asked.choices)


def choice_log_probs(model: Model, asked: Closing, exchanged: bool = False) -> Tensor:
    """Return log p(choice | what stands before), (N, choices).

    `exchanged` puts the other of two choices where each string was opened.
    """
    words = words_of(model)
    choices, text = words.encode(asked.choices), words.encode(asked.text)
    other = choices[1 - asked.right] if exchanged else text[asked.places - asked.distances]
    if isinstance(model, NGramLM):
        return _by_counts(model, text, asked, choices, other)
    found = []
    with quiet(model):
        for rows in torch.arange(len(asked)).split(AT_ONCE):
            places = asked.places[rows]
            contexts = text[places + torch.arange(-CONTEXT, 0)[:, None]]  # (CONTEXT, B)
            contexts[CONTEXT - asked.distances[rows], torch.arange(len(rows))] = other[rows]
            h, _ = model.read_states(contexts)
            found.append(model.output(h[-1]).log_softmax(dim=-1)[:, choices].double())
    return torch.cat(found)


def by_distance(rights: Tensor, asked: Closing) -> ByDistance:
    """Return the rates for distances from one edge of SPANS to the next."""
    spans, rates, counts = [], [], []
    for low, high in pairwise((*SPANS, FURTHEST)):
        here = (asked.distances >= low) & (asked.distances < high)
        kinds = asked.right[here].unique().tolist()
        if len(kinds) < len(asked.choices):
            continue
        groups = [rights[here & (asked.right == kind)] for kind in kinds]
        spans.append((low, high - 1))
        rates.append(torch.stack([group.mean() for group in groups]).mean().item())
        counts.append(int(here.sum()))
    return ByDistance(spans, torch.tensor(rates), torch.tensor(counts), 1 / len(asked.choices))


def _by_counts(
    model: NGramLM, text: Tensor, asked: Closing, choices: Tensor, opening: Tensor
) -> Tensor:
    """Score every choice after the order - 1 characters before it: all that an n-gram sees."""
    before = model.order - 1
    steps = torch.arange(-before, 1)
    at = asked.places[:, None] + steps
    padded = torch.where(at >= 0, text[at.clamp(min=0)], 0)  # (N, order); a text's start is rare
    there = steps == -asked.distances[:, None]
    padded = torch.where(there, opening[:, None], padded)
    found = []
    for choice in choices:
        padded[:, -1] = choice
        row = torch.cat([choice[None], padded.flatten()])  # the first of a text has no score
        found.append(model.log_probs(row)[before :: model.order])
    return torch.stack(found, dim=1)


def _closing(text: str, found: list[tuple[int, int, int, bool]], choices: str) -> Closing:
    """Draw EACH of every kind and span, or all that there are."""
    generator = torch.Generator().manual_seed(SEED)
    table = torch.tensor(sorted(found), dtype=torch.long).view(-1, 4)
    table = table[table[:, 0] >= CONTEXT]
    kept = []
    for low, high in pairwise((*SPANS, FURTHEST)):
        for kind in range(len(choices)):
            here = (table[:, 1] >= low) & (table[:, 1] < high) & (table[:, 2] == kind)
            own = table[here]
            kept.append(own[torch.randperm(len(own), generator=generator)[:EACH]])
    places, distances, right, nested = torch.cat(kept).T
    return Closing(text, places, distances, right, nested.bool(), choices)


def _runs(flags: object) -> Iterator[tuple[int, int]]:
    """Yield where each unbroken run of marks begins and ends."""
    marks = torch.as_tensor(flags).int()
    change = torch.cat([marks, marks.new_zeros(1)]).diff(prepend=marks.new_zeros(1))
    starts, ends = ((change == sign).nonzero()[:, 0].tolist() for sign in (1, -1))
    yield from zip(starts, ends, strict=True)
