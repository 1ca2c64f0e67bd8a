"""What lecture 1 uses, and where each name comes from."""

from copy import deepcopy
from textwrap import fill

from course_utils.analysis import language as lm
from course_utils.checks import check, claim, hint, holds, same, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data.streams import Stream
from course_utils.explorers import explore_generation, explore_sentence, explore_unrolled
from course_utils.explorers.language.loss_curve import LossCurve
from course_utils.models.language import GapLM, NGramLM, RecurrentLM, WindowLM
from course_utils.numbers import share
from course_utils.plots.amounts import plot_amounts
from course_utils.plots.language.next_words import plot_guess
from course_utils.plots.language.training import plot_by_context, plot_word_race
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.results import language as on_file
from course_utils.settings import setup
from course_utils.shipped import load_trained
from course_utils.training import StreamLoss, fit
