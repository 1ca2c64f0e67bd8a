"""Build a tagger or a classifier from the sizes on a card, and from how it reads letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course_utils.models.elmo.options import Options
from course_utils.models.tagging.networks import Classifier, Tagger

Network = Tagger | Classifier


def network_from(
    sizes: Mapping[str, Any], words: int, labels: int, kind: str, spelling: Options | None = None
) -> Network:
    """Return an untrained network of these sizes; with `spelling` it reads the letters too."""
    own = {name: sizes[name] for name in ("direction", "layers", "width", "hidden", "cell")}
    own |= {"dropout": sizes["dropout"], "spelling": spelling}
    if kind == "tagging":
        return Tagger(labels, words, **own)
    return Classifier(labels, pooling=sizes["pooling"], words=words, **own)
