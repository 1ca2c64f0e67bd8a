"""What a network of lecture 10 is given besides words: the variants, and their layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from torch import Tensor

from course_utils.models.elmo import BiLM, PackedBiLM
from course_utils.training.race.using_elmo.labelled import (
    MOST_TESTED,
    Prepared,
    is_bag,
    pool_of,
    task_of,
)
from course_utils.training.race.using_elmo.sources import (
    LONGEST,
    Coded,
    language_model,
    layers_of,
    padded_layers,
    scale_of,
    scaled,
)


class Variant(NamedTuple):
    """What a network is given, and how."""

    source: str = ""  # of SOURCES; nothing is the baseline
    place: str = "input"
    dropout: float = 0.5
    penalty: float = 0.001
    learns: bool = False  # the biLM's own weights too


VARIANTS = {
    "words": Variant(),
    "static": Variant("static"),
    "random": Variant("random"),
    "elmo": Variant("elmo"),
    "output": Variant("elmo", place="output"),
    "both": Variant("elmo", place="both"),
    "no dropout": Variant("elmo", dropout=0.0),
    "no penalty": Variant("elmo", penalty=0.0),
    "strong penalty": Variant("elmo", penalty=1.0),
    "fine-tuned": Variant("elmo", learns=True),
}

Stored = Callable[[str | PackedBiLM], tuple[list[Tensor], list[Tensor]]]


def stored_layers(name: str, source: str | PackedBiLM) -> tuple[list[Tensor], list[Tensor]]:
    """Return the layers of all training and test sentences: they are the same for every seed."""
    task = task_of(name)
    train, test = (
        layers_of(source, [example.words[:LONGEST] for example in part], means=is_bag(name))
        for part in (pool_of(name), task.test[:MOST_TESTED])
    )
    scale = scale_of(train)
    return scaled(train, scale), scaled(test, scale)


remembered_layers = lru_cache(maxsize=2)(stored_layers)


class Given(NamedTuple):
    """Where the layers of a run come from."""

    train: Callable[[Sequence[int]], Tensor] | None
    test: Callable[[Sequence[int]], Tensor] | None
    layers: int
    width: int
    bilm: BiLM | None = None


def source_of(how: Variant, data: Prepared, rows: Sequence[int], stored: Stored) -> Given:
    """Return the layers of a variant: none, stored ones, or a biLM that is still learning."""
    if not how.source:
        return Given(None, None, 0, 0)
    if how.learns:
        bilm = BiLM(language_model().bilm.options)
        bilm.load_state_dict(language_model().bilm.state_dict())
        scale = scale_of(layers_of("elmo", data.train.texts))

        def read(coded: Coded, rows: Sequence[int]) -> Tensor:
            layers = bilm([coded.texts[n] for n in rows]).layers
            found: Tensor = (layers - scale.mean.unsqueeze(1)) / scale.spread.unsqueeze(1)
            return found

        width = 2 * bilm.options.projection
        layers = bilm.options.layers + 1
        return Given(partial(read, data.train), partial(read, data.test), layers, width, bilm)
    train, test = stored(how.source)
    own = [train[n] for n in rows]
    layers, _, width = test[0].shape
    return Given(partial(padded_layers, own), partial(padded_layers, test), layers, width)
