"""Gather what lectures 03 and 04 need to measure gates, and gradients through them."""

from __future__ import annotations

from course_utils.analysis.gates.highway import (
    StateGradients,
    direct_path,
    gate_of_half_life,
    half_life,
    state_gradient_norms,
    state_gradients_by_lag,
)
from course_utils.analysis.gates.jacobians import (
    gru_jacobians,
    gru_step_jacobian,
    lstm_input_jacobian,
    lstm_jacobians,
    lstm_step_jacobian,
)
from course_utils.analysis.gates.latch import (
    Sensitivity,
    commands,
    distracted_bit,
    latch,
    sensitivity_of_gates,
)

__all__ = [
    "Sensitivity",
    "StateGradients",
    "commands",
    "direct_path",
    "distracted_bit",
    "gate_of_half_life",
    "gru_jacobians",
    "gru_step_jacobian",
    "half_life",
    "latch",
    "lstm_input_jacobian",
    "lstm_jacobians",
    "lstm_step_jacobian",
    "sensitivity_of_gates",
    "state_gradient_norms",
    "state_gradients_by_lag",
]
