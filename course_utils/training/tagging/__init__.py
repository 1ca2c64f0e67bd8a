"""Train a tagger or a classifier on its task, and evaluate it."""

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
