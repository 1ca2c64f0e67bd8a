"""What lecture 9 uses, and where each name comes from."""

from random import Random

from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from course_utils.analysis import elmo as el
from course_utils.checks import check, claim, hint, holds, same, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.data.tagging.exact import exact_grammar
from course_utils.data.tagging.grammar import draw_sentence
from course_utils.explorers import (
    explore_elmo_walk,
    explore_gap,
    explore_layers,
    explore_letters,
    explore_mix,
)
from course_utils.explorers.elmo.walk import walk_still
from course_utils.models import elmo
from course_utils.models.model_file import read_card
from course_utils.plots.elmo.sight import Sights, plot_sight
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.plots.using_elmo.bars import Known, plot_known
from course_utils.results.elmo import sharing
from course_utils.settings import setup
