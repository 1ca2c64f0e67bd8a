"""A label per word or per text: encoders in both directions, pooling, taggers and classifiers."""

from course_utils.models.tagging.batch import Batch
from course_utils.models.tagging.coding import Coder
from course_utils.models.tagging.encoder import DIRECTIONS, Encoder
from course_utils.models.tagging.inputs import WordInput
from course_utils.models.tagging.networks import Classifier, Reading, Tagger
from course_utils.models.tagging.pooling import POOLINGS, Pooling

__all__ = [
    "DIRECTIONS",
    "POOLINGS",
    "Batch",
    "Classifier",
    "Coder",
    "Encoder",
    "Pooling",
    "Reading",
    "Tagger",
    "WordInput",
]
