"""Judge a learner's answer, and hold what a lecture claims to its number."""

from course_utils.checks.lecture_calls import case, check, hint, show_solution, task
from course_utils.checks.progress import progress
from course_utils.checks.promises.claims import ClaimBroken, claim
from course_utils.checks.promises.facts import holds, same

__all__ = [
    "ClaimBroken",
    "case",
    "check",
    "claim",
    "hint",
    "holds",
    "progress",
    "same",
    "show_solution",
    "task",
]
