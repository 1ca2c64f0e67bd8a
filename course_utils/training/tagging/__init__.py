"""Teach a tagger or a classifier its task, and judge it."""

from course_utils.training.tagging.batches import Bucketed, pieces
from course_utils.training.tagging.tasks import (
    Sizes,
    Taught,
    TokenTask,
    make_network,
    score,
    teach,
)

__all__ = [
    "Bucketed",
    "Sizes",
    "Taught",
    "TokenTask",
    "make_network",
    "pieces",
    "score",
    "teach",
]
