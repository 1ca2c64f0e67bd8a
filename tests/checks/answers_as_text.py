"""Answers of learners as lines of text: an expression, or what was changed in the reference.

A line with `old => new` says how an answer differs from the reference (`&&` divides further
changes); any other line is what the answer returns, in the names of the exercise's parameters.
An indented line goes on with the one before.
"""

from __future__ import annotations

import inspect
import itertools
import math
import random
import re
import textwrap
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
import torch

from course_utils.checks.change import Change
from course_utils.checks.find_exercise import find

Answers = dict[str, list[Callable]]
NAMES: dict[str, Any] = {"torch": torch, "np": np, "math": math, "random": random, "re": re}
NAMES |= {name: getattr(torch, name) for name in ("exp", "relu", "sigmoid", "tanh")}
NAMES |= {
    name: getattr(torch.linalg, name) for name in ("det", "eigvals", "matrix_norm", "svdvals")
}
NAMES |= {"count": itertools.count}


def read_all(modules: tuple[ModuleType, ...], table: str) -> Answers:
    """Return the answers to each exercise that the modules write down in `table`."""
    return {
        number: [answer_of(number, line, vars(module)) for line in lines_of(text)]
        for module in modules
        for number, text in getattr(module, table).items()
    }


def lines_of(text: str) -> list[str]:
    """Return the answers in a text, each on one line."""
    return textwrap.dedent(text).strip().replace("\n    ", " ").splitlines()


def answer_of(number: str, line: str, helpers: Mapping[str, Any]) -> Callable:
    """Return the answer that a line describes, named by the line."""
    reference = find(number)[1].reference
    if "=>" in line:
        (old, new), *more = (map(str.strip, part.split("=>")) for part in line.split("&&"))
        answer: Callable = Change(old, new, dict(more)).made_in(reference, line)
    else:
        takes = ", ".join(inspect.signature(reference).parameters)
        answer = eval(f"lambda {takes}: ({line})", {**reference.__globals__, **NAMES, **helpers})
    answer.__name__ = line
    return answer
