"""Find an exercise by its number: the lecture's module is loaded when it is first needed."""

from __future__ import annotations

import importlib
import pkgutil
import re

from course_utils.checks import exercises as package
from course_utils.checks.exercise import Exercise

MODULE = re.compile(r"ex\d\d_")


def modules() -> list[str]:
    """Return the names of the modules that hold exercises, ex02_gradients and so on."""
    return sorted(m.name for m in pkgutil.iter_modules(package.__path__) if MODULE.match(m.name))


def exercises(module: str) -> list[Exercise]:
    """Return the exercises of one lecture's module."""
    return list(importlib.import_module(f"{package.__name__}.{module}").EXERCISES)


def all_exercises() -> dict[str, tuple[str, Exercise]]:
    """Return every exercise and its module by number."""
    return {e.number: (module, e) for module in modules() for e in exercises(module)}


def find(number: str) -> tuple[str, Exercise]:
    """Return the module and the exercise of a number such as "2.1"."""
    if not isinstance(number, str | int | float):  # 2.1 without quotes is meant well
        raise ValueError(f'an exercise has a number such as "2.1", not a {type(number).__name__}')
    number = str(number)
    lecture = number.partition(".")[0]
    if lecture.isdecimal():
        for module in modules():
            if module.startswith(f"ex{int(lecture):02d}_"):
                for exercise in exercises(module):
                    if exercise.number == number:
                        return module, exercise
    known = ", ".join(sorted(all_exercises()))
    raise ValueError(f"there is no exercise {number!r}: there are {known}")
