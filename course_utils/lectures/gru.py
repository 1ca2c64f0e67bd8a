"""What lecture 4 uses, and where each name comes from."""

from course_utils import models
from course_utils.analysis import gates as ga
from course_utils.analysis import gru as gc
from course_utils.analysis import speed
from course_utils.checks import check, claim, hint, holds, same, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data.english import english, token_stream
from course_utils.explorers import (
    explore_conventions,
    explore_gru_walk,
    explore_highway,
    explore_race,
)
from course_utils.models.starts import set_keep_bias
from course_utils.numbers import number
from course_utils.plots.amounts import plot_amounts, plot_powers
from course_utils.plots.gates.cell import plot_cell
from course_utils.plots.gru.ends import plot_ends
from course_utils.plots.gru.race import plot_learning
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.results import memory as on_file
from course_utils.settings import setup
from course_utils.shipped import load_trained
from course_utils.training.race.memory import RACES, run_together
from course_utils.training.race.own_cell import run_own
