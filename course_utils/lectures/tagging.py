"""What lecture 8 uses, and where each name comes from."""

from copy import deepcopy
from statistics import mean, median

from torch import nn
from torch.nn.utils import rnn

from course_utils.analysis import tagging as tg
from course_utils.checks import check, claim, hint, holds, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data import tagging as tasks
from course_utils.data.tagging.examples import most_frequent_label
from course_utils.explorers import explore_pooling, explore_starts, explore_tagger
from course_utils.explorers.tagging.results import label_curves, step_curves
from course_utils.models.tagging import Encoder
from course_utils.plots.amounts import plot_amounts
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.plots.tagging.curves import NAMES, plot_label_curves
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.plots.tagging.padding import plot_places
from course_utils.plots.tagging.path import plot_as_read
from course_utils.plots.tagging.throws import SIDES, plot_throws
from course_utils.results.tagging import accuracies, settled
from course_utils.settings import setup
from course_utils.shipped import load_recurrent_lm, load_token_network
from course_utils.training import tagging as teaching
from course_utils.training.race.using_elmo import baselines
from course_utils.training.tagging.tuning import draw_labelled, make_reader
