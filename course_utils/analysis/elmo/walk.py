"""Follow a sentence through ELMo and keep every number, from the letters to the mix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models.elmo import BiLM
from course_utils.models.elmo.batch import frame, framed
from course_utils.models.elmo.state import zero_state


class Way(NamedTuple):
    """All numbers of a sentence; T tokens, its two boundaries among them."""

    tokens: list[str]
    features: Tensor  # (T, F) what the filters found
    gates: Tensor  # (T, F) of the last highway layer
    passed: Tensor  # (T, F) behind the highway layers
    layers: Tensor  # (L + 1, T, 2P) forward first
    states: Tensor  # (L, T, 2P) each LSTM's output, before the residual is added

    @property
    def width(self) -> int:
        """Return P."""
        return self.layers.shape[-1] // 2


@torch.no_grad()
def way_of(bilm: BiLM, tokens: Sequence[str]) -> Way:
    """Read one sentence from an empty memory and keep everything."""
    encoder, options = bilm.encoder, bilm.options
    ids = encoder.ids_of(framed(tokens))
    features = passed = encoder.features(ids)
    gates = torch.zeros_like(features)
    for highway in encoder.highways:
        gates, passed = torch.sigmoid(highway.gate(passed)), highway(passed)
    start = zero_state(options, 1, encoder.projection.weight)
    layers = bilm.read(frame([tokens]), start)[0][:, :, 0]  # (L + 1, T, 2P)
    states = layers[1:].clone()
    if options.residual:
        states[1:] -= layers[1:-1]
    return Way(framed(tokens), features, gates, passed, layers, states)
