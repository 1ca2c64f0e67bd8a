"""Gather what lecture 02 needs to measure vanishing and exploding gradients."""

from __future__ import annotations

from course_utils.analysis.gradients.activations import ACTIVATIONS, Activation, find_activation
from course_utils.analysis.gradients.bptt import (
    bptt_contributions,
    contributions_by_lag,
    gradient_norms_by_lag,
    gradient_norms_by_pair,
    measured_lag,
    predicted_lag,
    share_beyond,
)
from course_utils.analysis.gradients.cliff import (
    CliffPoint,
    Path,
    StepChange,
    cliff_lipschitz,
    descend,
    loss_cliff,
    step_changes,
)
from course_utils.analysis.gradients.clipping import clip_by_norm, global_norm
from course_utils.analysis.gradients.dependency import (
    DelayedSign,
    Profile,
    delayed_sign,
    gradient_profile,
    shuffle_targets,
)
from course_utils.analysis.gradients.elman import ElmanWeights, elman_weights, hidden_states
from course_utils.analysis.gradients.iterated_map import IteratedMap, iterate_map
from course_utils.analysis.gradients.jacobians import (
    jacobian_bound,
    jacobian_products,
    sensitivity_to_first_input,
    spectral_norms,
    step_jacobian,
    step_jacobians,
)
from course_utils.analysis.gradients.random_networks import (
    random_network,
    recurrent_matrix,
    spectral_radius,
)

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "CliffPoint",
    "DelayedSign",
    "ElmanWeights",
    "IteratedMap",
    "Path",
    "Profile",
    "StepChange",
    "bptt_contributions",
    "cliff_lipschitz",
    "clip_by_norm",
    "contributions_by_lag",
    "delayed_sign",
    "descend",
    "elman_weights",
    "find_activation",
    "global_norm",
    "gradient_norms_by_lag",
    "gradient_norms_by_pair",
    "gradient_profile",
    "hidden_states",
    "iterate_map",
    "jacobian_bound",
    "jacobian_products",
    "loss_cliff",
    "measured_lag",
    "predicted_lag",
    "random_network",
    "recurrent_matrix",
    "sensitivity_to_first_input",
    "share_beyond",
    "shuffle_targets",
    "spectral_norms",
    "spectral_radius",
    "step_changes",
    "step_jacobian",
    "step_jacobians",
]
