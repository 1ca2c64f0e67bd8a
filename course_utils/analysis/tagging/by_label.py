"""How often each label is found."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.analysis.tagging.deciding import coder_of
from course_utils.data.tagging.examples import Example
from course_utils.models.quiet import quiet
from course_utils.models.tagging import Tagger

PIECE = 128


def accuracy_by_label(network: Tagger, examples: Sequence[Example]) -> dict[str, float]:
    """Return for each gold label the share of its words that get it."""
    coder = coder_of(network)
    right: dict[str, int] = {}
    count: dict[str, int] = {}
    with quiet(network):
        for first in range(0, len(examples), PIECE):
            piece = examples[first : first + PIECE]
            found = network(coder.batch([example.words for example in piece])).argmax(dim=-1)
            for row, example in zip(found.tolist(), piece, strict=True):
                for number, label in zip(row, example.labels, strict=False):  # padding behind
                    count[label] = count.get(label, 0) + 1
                    right[label] = right.get(label, 0) + (coder.labels[number] == label)
    return {label: right[label] / count[label] for label in sorted(count)}
