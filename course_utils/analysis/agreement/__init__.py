"""Ask a language model for the number of a verb, and find out how it knows."""

from course_utils.analysis.agreement.ablation import (
    Hold,
    ablate_each,
    ablate_sets,
    random_sets,
    rights_with,
)
from course_utils.analysis.agreement.patching import Patched, counterparts, patch_into
from course_utils.analysis.agreement.questions import Answers, ask, covered
from course_utils.analysis.agreement.rates import Rate, rate, rates_by
from course_utils.analysis.agreement.story import (
    Average,
    average_of,
    dependency_text,
    number_text,
    verb_weights,
)
from course_utils.analysis.agreement.worst import Worst, chance_of_worst

__all__ = [
    "Answers",
    "Average",
    "Hold",
    "Patched",
    "Rate",
    "Worst",
    "ablate_each",
    "ablate_sets",
    "ask",
    "average_of",
    "chance_of_worst",
    "counterparts",
    "covered",
    "dependency_text",
    "number_text",
    "patch_into",
    "random_sets",
    "rate",
    "rates_by",
    "rights_with",
    "verb_weights",
]
