"""Tasks with gold labels: for every word, or for a whole sentence."""

from course_utils.data.tagging.dice import dice_task
from course_utils.data.tagging.era import era_task
from course_utils.data.tagging.examples import Example, Task
from course_utils.data.tagging.grammar import grammar_task
from course_utils.data.tagging.python_tokens import python_task
from course_utils.data.tagging.registered import ewt_task, polarity_task

__all__ = [
    "Example",
    "Task",
    "dice_task",
    "era_task",
    "ewt_task",
    "grammar_task",
    "polarity_task",
    "python_task",
]
