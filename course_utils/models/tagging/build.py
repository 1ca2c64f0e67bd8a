"""A tagger or a classifier from the sizes on a card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course_utils.models.elmo.options import Options
from course_utils.models.tagging.networks import Classifier, Tagger

Network = Tagger | Classifier
SPELLING = Options(32, 0, 1, ((1, 8), (2, 16), (3, 24), (4, 32)), char_dim=12, highways=1)


def network_from(sizes: Mapping[str, Any], words: int, labels: int, kind: str) -> Network:
    """Return an untaught network of these sizes."""
    own = {name: sizes[name] for name in ("direction", "layers", "width", "hidden", "cell")}
    own |= {"dropout": sizes["dropout"], "spelling": SPELLING if sizes["spelled"] else None}
    if kind == "tagging":
        return Tagger(labels, words, **own)
    return Classifier(labels, pooling=sizes["pooling"], words=words, **own)
