"""What lecture 10 uses, and where each name comes from."""

from hashlib import sha256
from pathlib import Path

from course_utils.analysis import using_elmo as ue
from course_utils.checks import check, claim, hint, holds, same, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data.sets import registry
from course_utils.data.using_elmo.senses import sense_uses
from course_utils.explorers import explore_made_of, explore_neighbours, explore_sense_mix
from course_utils.explorers.using_elmo.board import SHORT, plot_boards
from course_utils.models.elmo import BiLanguageModel, BiLM
from course_utils.models.static_vectors import count_vectors
from course_utils.models.tagging import Tagger
from course_utils.models.using_elmo import WithLayers
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.plots.using_elmo import bars
from course_utils.plots.using_elmo.curves import Steps, plot_by_steps
from course_utils.results import made_of as made
from course_utils.results import using_elmo as results
from course_utils.settings import setup
from course_utils.training.race.using_elmo import labelled, tasks
