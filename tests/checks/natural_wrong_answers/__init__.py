"""Wrong answers that learners give by nature, written down before anybody looked at the catalogue.

The list says what people do, not what the course names: it stays as it is when misconceptions are
added. It was written from the exercises' texts and from two readers' reports of wrong answers;
later each was put as `answers_as_text` reads it, with the same verdict.
"""

from __future__ import annotations

from tests.checks.answers_as_text import read_all
from tests.checks.natural_wrong_answers import (
    lectures_00_to_02,
    lectures_03_to_05,
    lectures_06_to_10,
)

WRONG = read_all((lectures_00_to_02, lectures_03_to_05, lectures_06_to_10), "WRONG")
