"""Follow the influence of the first input forward through time (after Graves 2012, figure 4.1)."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.analysis.gradients.elman import Network, elman_weights, trace


@torch.no_grad()
def sensitivity_to_first_input(network: Network, x: Tensor) -> Tensor:
    """Return ||dh_t[i]/dx_1|| for every step, sequence and unit, (T, B, H)."""
    run = trace(network, x)
    S_t = run.slopes[0].unsqueeze(-1) * elman_weights(network).W  # (B, H, D): dh_1/dx_1
    influence = [S_t]
    for slope_t in run.slopes[1:]:
        S_t = slope_t.unsqueeze(-1) * (run.U @ S_t)
        influence.append(S_t)
    lengths: Tensor = torch.stack(influence).norm(dim=-1)
    return lengths
