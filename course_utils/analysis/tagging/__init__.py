"""What lecture 08 asks of a tagger or a classifier: which words decided?"""

from course_utils.analysis.tagging.by_label import accuracy_by_label
from course_utils.analysis.tagging.deciding import (
    attend,
    by_place,
    judge_weights,
    tag_as_read,
    tag_words,
)
from course_utils.analysis.tagging.neighbours import settled_by
from course_utils.analysis.tagging.pairs import told_apart

__all__ = [
    "accuracy_by_label",
    "attend",
    "by_place",
    "judge_weights",
    "settled_by",
    "tag_as_read",
    "tag_words",
    "told_apart",
]
