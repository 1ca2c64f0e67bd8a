"""Languages that only a counter can recognise, their near misses, and batches to train on."""

from course_utils.data.counting.batches import Reading, members, reading
from course_utils.data.counting.languages import (
    DYCK,
    END,
    POWERS_OF_THREE,
    POWERS_OF_TWO,
    SHUFFLE,
    Brackets,
    Language,
    Powers,
    near_misses,
)

__all__ = [
    "DYCK",
    "END",
    "POWERS_OF_THREE",
    "POWERS_OF_TWO",
    "SHUFFLE",
    "Brackets",
    "Language",
    "Powers",
    "Reading",
    "members",
    "near_misses",
    "reading",
]
