"""What lecture 6 uses, and where each name comes from."""

from operator import attrgetter
from random import Random

from course_utils.analysis import agreement as ag
from course_utils.analysis import units as un
from course_utils.checks import check, claim, hint, holds, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data.agreement import balanced, corpus, lexicon, sentences
from course_utils.explorers import (
    explore_ablation,
    explore_number_unit,
    explore_patch,
    explore_unit_luck,
)
from course_utils.models import NGramLM
from course_utils.plots.agreement import rates as tables
from course_utils.plots.agreement import seeds as dots
from course_utils.plots.agreement import units as rankings
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.plots.tagging.path import plot_as_read
from course_utils.plots.using_elmo import bars
from course_utils.results.agreement import agreement_seeds
from course_utils.settings import setup
from course_utils.shipped import load_trained
