"""Set the mix of the layers by hand, and see which senses neighbours share."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from torch import Tensor

from course_utils.analysis.using_elmo.spaces import SenseSpace, words_right
from course_utils.data.using_elmo.senses import sense_uses
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models.elmo import BiLM
from course_utils.plots.using_elmo.bars import MixedSenses, MixedSensesDrawing


def explore_sense_mix() -> Explorer:
    """Weight the letters and both layers, and find the nearest neighbour of every use."""
    return Explorer(
        "Mix the layers yourself",
        {
            "letters": slider("letters (layer 0)", 0.0, 1.0, 0.0, 0.1),
            "first": slider("first LSTM", 0.0, 1.0, 1.0, 0.1),
            "second": slider("second LSTM", 0.0, 1.0, 1.0, 0.1),
        },
        mixed_senses,
        MixedSensesDrawing(len(asked()[0].words), asked()[0].chance),
        tabulate_mix,
    )


def mixed_senses(letters: float, first: float, second: float) -> MixedSenses:
    """Return how often the nearest use has the right sense, word by word."""
    space, layers, alone = asked()
    weights = (letters, first, second)
    found = words_right(space, layers, weights)
    total = sum(weights)
    shares = [w / total if total else 1 / 3 for w in weights]
    return MixedSenses(np.array(shares), found.words, np.array(found.rights), alone, not total)


@lru_cache(maxsize=1)
def asked() -> tuple[SenseSpace, Tensor, np.ndarray]:
    """Return the uses, their layers on one scale, and what each layer alone finds, by word."""
    space = SenseSpace(sense_uses())
    layers = space.layers(BiLM.from_pretrained().packed())
    layers = layers / layers.norm(dim=-1).mean(dim=-1)[:, None, None]
    return space, layers, np.array([space.ask(layer).rights for layer in layers])


def tabulate_mix(data: MixedSenses) -> Table:
    """Return every word's share of right senses."""
    rows = zip(data.words, data.rights, *data.layers, strict=True)
    return Table(("word", "in this mix", "letters", "first LSTM", "second LSTM"), list(rows))
