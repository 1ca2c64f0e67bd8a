"""Hold a cell where it stands inside a string: does the model still close what it has opened?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.characters.closing import QUOTES, string_ends
from course_utils.analysis.characters.writing import Held, Writer
from course_utils.analysis.units.sample import sample_responses
from course_utils.analysis.units.search import Labelled
from course_utils.data.source_code import Labels
from course_utils.models import RecurrentLM
from course_utils.settings import SEED

CONTEXT = 150  # characters that are read before a model writes
WITHIN = 60  # characters in which a string must be closed


class Opened(NamedTuple):
    """A text that ends inside a string, and the quote that would close it."""

    text: str
    quote: str


class Ways(NamedTuple):
    """What became of opened strings, as shares: closed on their line, or else."""

    closed: float
    broken: float  # the line ended first: no Python
    open: float  # nothing of the two in the characters that were written
    texts: int


def opened_strings(
    text: str, labels: Labels, count: int, inside: int = 5, seed: int = SEED
) -> list[Opened]:
    """Return texts of one length that end `inside` characters after a quote that opens a string."""
    there = [
        (place - distance + inside + 1, QUOTES[kind])
        for place, distance, kind in string_ends(text, labels)
        if distance > inside and place - distance >= CONTEXT
    ]
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(there), generator=generator)[:count]
    chosen = [there[number] for number in sorted(order.tolist())]
    return [Opened(text[end - CONTEXT : end], quote) for end, quote in chosen]


def how_it_ends(written: str, quote: str) -> str:
    """Return whether a string that is open before `written` is "closed", "broken" or "open"."""
    escaped = False
    for sign in written:
        if sign == "\n" and not escaped:
            return "broken"
        if sign == quote and not escaped:
            return "closed"
        escaped = sign == "\\" and not escaped
    return "open"


def ways_of(
    writer: Writer,
    opened: Sequence[Opened],
    held: Held | None = None,
    temperature: float = 1.0,
    seed: int = 0,
) -> Ways:
    """Let a model go on from inside strings, some cells held from there on."""
    state = writer.read([each.text for each in opened])
    written = writer.write(state, WITHIN, held, temperature, seed=seed)
    ends = [how_it_ends(text, each.quote) for text, each in zip(written, opened, strict=True)]
    closed, broken, still = (ends.count(way) / len(ends) for way in ("closed", "broken", "open"))
    return Ways(closed, broken, still, len(ends))


def levels(
    model: RecurrentLM, text: Labelled, label: str, of: str = "c", most: int = 8192
) -> tuple[Tensor, Tensor]:
    """Return the median of every unit where a mark is set and where it is not, (H,) each."""
    sample = sample_responses(model, text.tokens, most)
    shown = sample.shown[sample.sources.index((0, of))]
    marks = text.labels[label].values[sample.places]
    return shown[marks].median(dim=0).values, shown[~marks].median(dim=0).values


def log_p_of_end(
    writer: Writer, opened: Sequence[Opened], endings: Sequence[str], held: Mapping[int, float]
) -> Tensor:
    """Return log p(the closing quote) after the rest of each string is read with cells held, (N,).

    `endings` is what stood between the opened text and its closing quote.
    """
    found = torch.empty(len(opened))
    groups: dict[int, list[int]] = {}
    for place, ending in enumerate(endings):
        groups.setdefault(len(ending), []).append(place)
    for places in groups.values():
        texts = [opened[place].text + endings[place] for place in places]
        state = writer.read(texts, held, since=len(opened[places[0]].text))
        quotes = writer.words.encode([opened[place].quote for place in places])
        found[places] = writer.log_probs(state).gather(1, quotes[:, None])[:, 0]
    return found
