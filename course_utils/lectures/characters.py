"""What lecture 7 uses, and where each name comes from."""

from course_utils.analysis import characters as ch
from course_utils.analysis import units as un
from course_utils.checks import check, claim, hint, holds, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.data import source_code as src
from course_utils.explorers import explore_held, explore_span, explore_units, explore_writing
from course_utils.models import NGramLM
from course_utils.plots.characters import curves, pages
from course_utils.plots.characters.text import ColouredText
from course_utils.plots.picture import show
from course_utils.plots.table import draw_table
from course_utils.results import characters as on_file
from course_utils.settings import setup
from course_utils.shipped import load_trained
