"""Wrong answers that learners give by nature, written down before anybody looked at the catalogue.

The list says what people do, not what the course names: it stays as it is when misconceptions are
added. It was written from the exercises' texts and from two readers' reports of wrong answers.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.checks.natural_wrong_answers import (
    lecture_00_01,
    lecture_02,
    lecture_03,
    lecture_04,
    lecture_05,
    lecture_06,
    lecture_07,
    lecture_08,
    lecture_09,
    lecture_10,
)

MODULES = (
    lecture_00_01,
    lecture_02,
    lecture_03,
    lecture_04,
    lecture_05,
    lecture_06,
    lecture_07,
    lecture_08,
    lecture_09,
    lecture_10,
)
WRONG: dict[str, list[Callable]] = {
    number: answers for module in MODULES for number, answers in module.WRONG.items()
}
