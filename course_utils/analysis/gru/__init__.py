"""Measure the GRU, and its conventions."""

from course_utils.analysis.gru.conventions import (
    RESETS,
    circular_candidate,
    gru_step_in,
    run_gru_in,
    swap_update_gate,
)

__all__ = [
    "RESETS",
    "circular_candidate",
    "gru_step_in",
    "run_gru_in",
    "swap_update_gate",
]
