"""Use the course as it is installed: `python in_the_wheel.py FOLDER`, where it should lie.

It runs in an environment of its own, without a clone and without what only tests need.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import torch

import course_utils.models
from course_utils.checks.find_exercise import all_exercises
from course_utils.checks.judging.judge import judge
from course_utils.crosswalk import rows
from course_utils.explorers import explore_latch
from course_utils.lab import copy_lectures
from course_utils.results.memory import Entrant, best_curves
from course_utils.shipped import load_trained

folder = Path(sys.argv[1]).resolve()
assert folder in Path(course_utils.__file__ or "").resolve().parents, course_utils.__file__
assert not [name for name in ("tools", "tests", "solutions") if find_spec(name)]
assert distribution("recurrent-course").version == course_utils.__version__

exercises = [exercise for _, exercise in all_exercises().values()]
assert len(exercises) >= 67
lstm_step = next(exercise for exercise in exercises if exercise.number == "3.1")
assert judge(lstm_step, lstm_step.reference).kind == "ok"
assert judge(lstm_step, lstm_step.misconceptions[0].wrong).kind == "misconception"

model = load_trained("english_lstm")
assert sum(part.numel() for part in model.parameters()) > 0
assert len(course_utils.models.LSTM(3, 5).trace(torch.zeros(7, 2, 3))) == 1
assert best_curves("recall over 200 steps", Entrant("lstm", "chrono")).scores
assert rows()
explore_latch()
with tempfile.TemporaryDirectory() as home:
    copied, there = copy_lectures(Path(home))
    assert len(copied) >= 11
    assert not there
    copied[0].write_text("mine")
    assert copy_lectures(Path(home)) == ([], copied)
    assert copied[0].read_text() == "mine"
print(f"recurrent-course {course_utils.__version__} works in {folder}")
