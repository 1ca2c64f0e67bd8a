"""Gather what lectures 03 and 04 need to measure gates, and gradients through them."""

from course_utils.analysis.gates.highway import gate_of_half_life, half_life, state_gradient_norms
from course_utils.analysis.gates.latch import distracted_bit, latch

__all__ = [
    "distracted_bit",
    "gate_of_half_life",
    "half_life",
    "latch",
    "state_gradient_norms",
]
