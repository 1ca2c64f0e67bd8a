"""Gather what lecture 02 needs to measure vanishing and exploding gradients."""

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.bptt import (
    contributions_by_lag,
    gradient_norms_by_lag,
    measured_lag,
    predicted_lag,
    share_beyond,
)
from course_utils.analysis.gradients.cliff import cliff_lipschitz, descend, loss_cliff, step_changes
from course_utils.analysis.gradients.clipping import clip_by_norm
from course_utils.analysis.gradients.dependency import (
    delayed_sign,
    gradient_profile,
    shuffle_targets,
)
from course_utils.analysis.gradients.iterated_map import iterate_map
from course_utils.analysis.gradients.jacobians import (
    jacobian_bound,
    jacobian_products,
    sensitivity_to_first_input,
    spectral_norms,
    step_jacobians,
)
from course_utils.analysis.gradients.random_networks import random_network

__all__ = [
    "ACTIVATIONS",
    "cliff_lipschitz",
    "clip_by_norm",
    "contributions_by_lag",
    "delayed_sign",
    "descend",
    "gradient_norms_by_lag",
    "gradient_profile",
    "iterate_map",
    "jacobian_bound",
    "jacobian_products",
    "loss_cliff",
    "measured_lag",
    "predicted_lag",
    "random_network",
    "sensitivity_to_first_input",
    "share_beyond",
    "shuffle_targets",
    "spectral_norms",
    "step_changes",
    "step_jacobians",
]
