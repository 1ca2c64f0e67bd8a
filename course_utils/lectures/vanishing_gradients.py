"""What lecture 2 uses, and where each name comes from."""

from course_utils.analysis import gradients as gr
from course_utils.checks import check, claim, hint, holds, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data.english import english, token_stream
from course_utils.explorers import (
    explore_bptt,
    explore_cliff,
    explore_gradient_norms,
    explore_iterated_map,
)
from course_utils.numbers import number, share
from course_utils.plots.amounts import plot_amounts
from course_utils.plots.gradients.activations import plot_activations
from course_utils.plots.gradients.bptt import plot_sensitivity
from course_utils.plots.gradients.cliff import plot_cliff
from course_utils.plots.gradients.norms import plot_gradient_norms
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.settings import setup
