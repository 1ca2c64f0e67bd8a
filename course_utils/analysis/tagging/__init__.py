"""What lecture 08 asks of a tagger or a classifier: which words decided?"""

from course_utils.analysis.tagging.by_label import accuracy_by_label
from course_utils.analysis.tagging.deciding import (
    Attended,
    Tagged,
    attend,
    rank_agreement,
    tag_words,
    without_each,
)
from course_utils.analysis.tagging.intervals import Interval, interval_of

__all__ = [
    "Attended",
    "Interval",
    "Tagged",
    "accuracy_by_label",
    "attend",
    "interval_of",
    "rank_agreement",
    "tag_words",
    "without_each",
]
