"""What lecture 5 uses, and where each name comes from."""

from course_utils.analysis import counting as co
from course_utils.checks import check, claim, hint, holds, same, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data import counting as cl
from course_utils.explorers import (
    explore_counters,
    explore_gates,
    explore_precision,
    explore_reading,
)
from course_utils.models import Elman
from course_utils.models.language.recognition import right_along
from course_utils.models.layers.from_gates import from_gates
from course_utils.plots.amounts import plot_amounts
from course_utils.plots.counting.arms import (
    Slopes,
    Walls,
    plot_arms,
    plot_settling,
    plot_slopes,
    plot_walls,
)
from course_utils.plots.counting.cells import plot_cells
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.results.counting import best_points, counting_arms, reached_by
from course_utils.settings import setup
from course_utils.shipped import load_trained
from course_utils.training import fit, warmup_cosine
from course_utils.training.cookbook import counting as recipe
