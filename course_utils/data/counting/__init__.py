"""Languages that only a counter can recognise, their near misses, and batches to train on."""

from course_utils.data.counting.batches import CountingBatch, members, reading
from course_utils.data.counting.languages import (
    DYCK,
    END,
    NESTED,
    POWERS_OF_THREE,
    POWERS_OF_TWO,
    SHUFFLE,
    Brackets,
    Language,
    Nested,
    Powers,
    near_misses,
)

__all__ = [
    "DYCK",
    "END",
    "NESTED",
    "POWERS_OF_THREE",
    "POWERS_OF_TWO",
    "SHUFFLE",
    "Brackets",
    "CountingBatch",
    "Language",
    "Nested",
    "Powers",
    "members",
    "near_misses",
    "reading",
]
