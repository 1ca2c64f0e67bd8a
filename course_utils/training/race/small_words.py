"""Race lecture 01's own small networks against counting, as long as they need.

Window and Elman network have 64 units, the same text, batches and rate as on the page, and are
judged on the way: after a few seconds, where counting is ahead, and after a minute.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.data.english import english, token_stream
from course_utils.data.streams import Stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.language import NGramLM, RecurrentLM, WindowLM
from course_utils.results.files import Row
from course_utils.training.loop import fit
from course_utils.training.losses import StreamLoss
from course_utils.training.race.race import Lap, Race, register

YEARS, WORDS, RATE = (1945, 1988), 3000, 4e-3
LOOKS = (300, 1500, 3000)
SEEDS = tuple(range(5))
ORDERS = (3, 5)


class Texts(NamedTuple):
    """The words, and what is read and asked."""

    words: Vocabulary
    train: Tensor
    valid: Tensor


@cache
def texts() -> Texts:
    """Return the lecture's text: the speeches of 44 years, and those held out."""
    parts = english(*YEARS)
    read, held_out = (token_stream(part) for part in (parts.train, parts.valid))
    words = Vocabulary.of(read, size=WORDS)
    return Texts(words, words.encode(read), words.encode(held_out))


def network(kind: str, seed: int) -> RecurrentLM | WindowLM:
    """Return an untrained network whose output knows how frequent each word is."""
    torch.manual_seed(seed)
    words, read, _ = texts()
    model = (
        WindowLM(words, window=4, width=32, hidden=64)
        if kind == "window"
        else RecurrentLM(words, cell="elman", width=32, hidden=64)
    )
    frequent = (torch.bincount(read, minlength=len(words)) + 1).log()
    model.output.bias.data = frequent - frequent.mean()
    return model


def train_small(kind: str, seed: int, steps: int | None, device: str | None) -> list[Row]:
    """Train one network; return its perplexity on the way."""
    _, read, held_out = texts()
    model, pieces = network(kind, seed), list(Stream(read, batch=32, steps=20))
    adam = torch.optim.Adam(model.parameters(), lr=RATE)
    looks, done, found = (steps,) if steps else LOOKS, 0, []
    for look in looks:
        begun = done % len(pieces)
        on = pieces[begun:] + pieces[:begun]
        fit(model, on, StreamLoss(), steps=look - done, optimizer=adam, device=device, label=kind)
        done = look
        found.append(round(model.perplexity(held_out), 2))
    return [{"steps": list(looks), "perplexities": found}]


def count(order: int) -> list[Row]:
    """Return the perplexity of Kneser-Ney of an order."""
    words, read, held_out = texts()
    return [{"perplexities": [round(NGramLM(words, order).fit(read).perplexity(held_out), 2)]}]


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield the counts, then every network seed by seed."""
    for order in ORDERS:
        yield Lap({"model": f"{order}-gram"}, partial(count, order))
    for seed in SEEDS:
        for kind in ("elman", "window"):
            key = {"model": kind, "seed": seed}
            yield Lap(key, partial(train_small, kind, seed, steps, device))


def said(row: Row) -> str:
    """Say what one run reached."""
    return f"{row['model']}: perplexity {', '.join(map(str, row['perplexities']))}"


RACE = register(
    Race(
        "small_words",
        "lecture 01's window and Elman network against counting, to their win",
        laps,
        said,
    )
)
