"""Language models that count, look through a window, or carry a state: one contract for all."""

from course_utils.models.language.gap import GapLM
from course_utils.models.language.language_model import LanguageModel
from course_utils.models.language.ngram import NGramLM
from course_utils.models.language.recurrent import RecurrentLM
from course_utils.models.language.window import WindowLM

__all__ = ["GapLM", "LanguageModel", "NGramLM", "RecurrentLM", "WindowLM"]
