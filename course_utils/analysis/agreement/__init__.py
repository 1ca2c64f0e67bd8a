"""Ask a language model for a verb's number, and find out how it knows."""

from course_utils.analysis.agreement.ablation import ablate_each, ablate_sets, random_sets
from course_utils.analysis.agreement.patching import counterparts, patch_into
from course_utils.analysis.agreement.portrait import costs_of_each
from course_utils.analysis.agreement.questions import ask
from course_utils.analysis.agreement.rates import rate, rates_by
from course_utils.analysis.agreement.released import ask_released, read_record
from course_utils.analysis.agreement.story import (
    average_of,
    number_text,
    subject_text,
    verb_weights,
)
from course_utils.analysis.agreement.worst import chance_of_worst

__all__ = [
    "ablate_each",
    "ablate_sets",
    "ask",
    "ask_released",
    "average_of",
    "chance_of_worst",
    "costs_of_each",
    "counterparts",
    "number_text",
    "patch_into",
    "random_sets",
    "rate",
    "rates_by",
    "read_record",
    "subject_text",
    "verb_weights",
]
