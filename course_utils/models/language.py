"""Language models that count, look through a window, or carry a state: one contract for all."""

from course_utils.models.generation import LanguageModel
from course_utils.models.ngram import NGramLM
from course_utils.models.recurrent_lm import RecurrentLM
from course_utils.models.window import WindowLM

__all__ = ["LanguageModel", "NGramLM", "RecurrentLM", "WindowLM"]
