"""What lecture 3 uses, and where each name comes from."""

from functools import partial

from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_

from course_utils.analysis import gates as ga
from course_utils.analysis import units as un
from course_utils.checks import check, claim, hint, holds, same, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data.english import english, token_stream
from course_utils.explorers import (
    explore_graves,
    explore_highway,
    explore_latch,
    explore_lstm_walk,
    explore_race,
)
from course_utils.models import LSTM, Elman, starts
from course_utils.numbers import number, share
from course_utils.plots.gates.cell import plot_cell
from course_utils.plots.gradients.bptt import plot_sensitivity
from course_utils.plots.gru.ends import plot_ends
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.results import memory as on_file
from course_utils.settings import setup
from course_utils.shipped import load_trained
from course_utils.training.race.memory import RACES, run_together
