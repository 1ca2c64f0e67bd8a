"""Which networks count, with which cells, how far, and with how many bits."""

from course_utils.analysis.counting.acceptance import (
    furthest_accepted,
    judge_near,
    longest_accepted,
    read_story,
    right_at,
)
from course_utils.analysis.counting.by_hand import (
    FIRST,
    compiled,
    counting_elman,
    counting_gru,
    counting_lstm,
)
from course_utils.analysis.counting.counters import choose_counter, ramps
from course_utils.analysis.counting.limits import states_of
from course_utils.analysis.counting.precision import (
    FORMATS,
    last_count,
    last_halving,
    last_right,
    stands_still_at,
)
from course_utils.analysis.counting.roles import right_without, roles_of
from course_utils.analysis.counting.tables import first_wrong, tables_that_judge

__all__ = [
    "FIRST",
    "FORMATS",
    "choose_counter",
    "compiled",
    "counting_elman",
    "counting_gru",
    "counting_lstm",
    "first_wrong",
    "furthest_accepted",
    "judge_near",
    "last_count",
    "last_halving",
    "last_right",
    "longest_accepted",
    "ramps",
    "read_story",
    "right_at",
    "right_without",
    "roles_of",
    "stands_still_at",
    "states_of",
    "tables_that_judge",
]
