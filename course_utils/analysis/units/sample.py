"""Read a whole text once, in lanes, and keep every gate and state at tokens spread over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.responses import carried
from course_utils.models import RecurrentLM
from course_utils.models.layers.sequences import Start
from course_utils.models.quiet import quiet
from course_utils.settings import SEED

LANES = 32  # parts of a long text that are read side by side
WARM = 100  # tokens read but not counted at the start of a lane, which begins in mid-text
AT_ONCE = 4096  # tokens of all lanes that are traced at once: bounds the memory

Source = tuple[int, str]  # a layer, and a gate or state


class Sample(NamedTuple):
    """What all units show at some tokens of a text."""

    places: Tensor  # (P,) of the tokens, in the order of the text
    sources: list[Source]
    shown: list[Tensor]  # (P, H) for each source

    def only(self, of: str) -> Sample:
        """Keep the gates and states whose letters are named; all, if none is."""
        kept = [n for n, (_, name) in enumerate(self.sources) if not of or name in of]
        pairs = ([self.sources[n] for n in kept], [self.shown[n] for n in kept])
        return Sample(self.places, *pairs)


def sample_responses(
    model: RecurrentLM,
    tokens: Sequence[str] | Tensor,
    most: int = 16_384,
    seed: int = SEED,
    lanes: int = LANES,
) -> Sample:
    """Read every token; return what every gate and state of every layer shows at `most` of them.

    A text too short for lanes is read as one. The tokens are drawn at random, one from each of
    `most` stretches of equal length, so that every part of the text is represented.
    """
    numbers = model.numbers(tokens)
    if len(numbers) < 4 * WARM * lanes:
        lanes = 1
    length = len(numbers) // lanes
    rows = numbers[: lanes * length].view(lanes, length).T  # (length, lanes)
    places = _spread(lanes, length, most, seed)
    order = (places % length).argsort(stable=True)  # by the time at which a lane comes to them
    times, lane = (places % length)[order], (places // length)[order]
    kept: dict[Source, Tensor] = {}
    state: Start | None = None
    step = max(1, AT_ONCE // lanes)
    for first in range(0, length, step):
        with quiet(model):
            traced = model.trace(rows[first : first + step].to(model.device), state)
        state = carried(traced)
        here = slice(*torch.searchsorted(times, torch.tensor([first, first + step])).tolist())
        at = (times[here] - first, lane[here])
        for layer, steps in enumerate(traced):
            for name, field in zip(steps._fields, steps, strict=True):
                own = kept.setdefault((layer, name), torch.empty(len(places), field.shape[-1]))
                own[order[here]] = field.cpu()[at]
    return Sample(places, list(kept), list(kept.values()))


def _spread(lanes: int, length: int, most: int, seed: int) -> Tensor:
    """Return places of a text cut into lanes, in order, without the starts of the later lanes."""
    skipped = WARM if lanes > 1 else 0
    there = lanes * (length - skipped)
    if there <= most:
        chosen = torch.arange(there)
    else:
        generator = torch.Generator().manual_seed(seed)
        edges = torch.arange(most + 1) * there // most
        within = torch.rand(most, generator=generator, dtype=torch.float64)
        chosen = edges[:-1] + (within * edges.diff()).long()
    return chosen // (length - skipped) * length + skipped + chosen % (length - skipped)
