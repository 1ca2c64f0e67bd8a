"""Hold a cell where it stands inside a string: does the model still close what it has opened?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.characters.closing import QUOTES, string_ends
from course_utils.analysis.characters.writing import Held, Writer, draws
from course_utils.analysis.units.sample import sample_responses
from course_utils.analysis.units.search import Labelled
from course_utils.data.source_code import Labels
from course_utils.models import RecurrentLM
from course_utils.models.steps import LSTMState
from course_utils.settings import SEED

CONTEXT = 150  # characters that are read before a model writes
WITHIN = 60  # characters in which a string must be closed
Z = 1.96  # 95%
AT_ONCE = 5  # characters that are written before it is asked which strings have ended
SIDE_BY_SIDE = 2048  # texts that are written together: one product serves many holds


class Opened(NamedTuple):
    """A text that ends inside a string, and the quote that would close it."""

    text: str
    quote: str


class Fewer(NamedTuple):
    """How much smaller a share is, and the 95% interval of that over strings."""

    value: float
    low: float
    high: float


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


def endings_of(
    writer: Writer,
    opened: Sequence[Opened],
    holds: Iterable[Held],
    temperature: float = 1.0,
    seed: int = 0,
) -> list[list[str]]:
    """Return how each string ends under each hold: "closed", "broken" or "open"."""
    holds, state = list(holds), writer.read([each.text for each in opened])
    points, quotes = draws(WITHIN, len(opened), seed), [each.quote for each in opened]
    together, found = max(1, SIDE_BY_SIDE // max(1, len(opened))), []
    for first in range(0, len(holds), together):
        fixed = writer.held_cells(holds[first : first + together])
        ends = _ends(writer, state, points, quotes, fixed, temperature)
        found += ends
    return found


def fewer_closed(free: Sequence[str], held: Sequence[str]) -> Fewer:
    """Return the share of strings that a hold keeps from being closed, with its 95% interval.

    The same strings are written on with the same draws, so it is their differences that count.
    """
    closed = torch.tensor([[way == "closed" for way in ends] for ends in (free, held)])
    lost = closed[0].double() - closed[1].double()
    half = Z * lost.std().item() / len(lost) ** 0.5
    middle = lost.mean().item()
    return Fewer(middle, middle - half, middle + half)


def _ends(
    writer: Writer,
    state: LSTMState,
    points: Tensor,
    quotes: Sequence[str],
    fixed: Tensor,
    temperature: float,
) -> list[list[str]]:
    """Return how every string ends under every hold; what has ended is not written on."""
    count, holds = len(quotes), len(fixed)
    ends, written = ["open"] * (holds * count), [""] * (holds * count)
    going = torch.arange(holds * count)  # hold by hold, all its texts
    state = LSTMState(state.h.repeat(holds, 1), state.c.repeat(holds, 1))
    for some in points.split(AT_ONCE):
        held, own = fixed[going // count], some[:, going % count]
        texts, state = writer.go_on(state, own, held, temperature)
        for number, text in zip(going.tolist(), texts, strict=True):
            written[number] += text
            ends[number] = how_it_ends(written[number], quotes[number % count])
        going_on = [ends[number] == "open" for number in going.tolist()]
        left = torch.tensor(going_on, dtype=torch.bool)  # also where none is left
        going, state = going[left], LSTMState(state.h[left], state.c[left])
    return [ends[first : first + count] for first in range(0, len(ends), count)]


def levels(
    model: RecurrentLM, text: Labelled, label: str, of: str = "c", most: int = 8192
) -> tuple[Tensor, Tensor]:
    """Return the median of every unit where a mark is set and where it is not, (H,) each."""
    sample = sample_responses(model, text.tokens, most)
    shown = sample.shown[sample.sources.index((0, of))]
    marks = text.labels[label].values[sample.places]
    return shown[marks].median(dim=0).values, shown[~marks].median(dim=0).values
