"""What lecture 0 uses, and where each name comes from."""

from course_utils.checks import check, claim, hint, progress, show_solution
from course_utils.checks.predictions import predict, predicted
from course_utils.crosswalk import show_crosswalk
from course_utils.doctor import examine
from course_utils.explorers import explore_echo
from course_utils.settings import setup
