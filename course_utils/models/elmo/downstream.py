"""ELMo as a task uses it: a frozen or trainable biLM, dropout, and a mix of layers per place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from course_utils.models.elmo.bilm import BiLM
from course_utils.models.elmo.scalar_mix import ScalarMix
from course_utils.models.elmo.state import BiLMState


class ElmoOutput(NamedTuple):
    """One (B, T, 2P) per mix, all from one pass through the biLM."""

    vectors: tuple[Tensor, ...]
    mask: Tensor  # (B, T)
    state: BiLMState


class Elmo(nn.Module):
    """Contextual word vectors for a task; what the task adds is L + 2 numbers for each mix."""

    def __init__(
        self,
        bilm: BiLM,
        mixes: int = 1,
        dropout: float = 0.5,
        layer_norm: bool = False,
        freeze: bool = True,
    ):
        super().__init__()
        if mixes < 1:
            raise ValueError(f"a task needs at least one mix of the layers, not {mixes}")
        self.bilm = bilm
        bilm.requires_grad_(not freeze)
        self.mixes = nn.ModuleList(
            ScalarMix(bilm.options.layers + 1, layer_norm) for _ in range(mixes)
        )
        self.mixes.to(bilm.encoder.projection.weight.device)
        self.dropout = nn.Dropout(dropout)
        self.train(self.training)

    @property
    def frozen(self) -> bool:
        """Return whether no weight of the biLM learns; `bilm.requires_grad_(...)` decides."""
        return not any(p.requires_grad for p in self.bilm.parameters())

    @property
    def width(self) -> int:
        """Return 2P, the width of every vector."""
        return 2 * self.bilm.options.projection

    def train(self, mode: bool = True) -> Elmo:
        """Switch dropout; a frozen biLM stays as it is, and fast."""
        super().train(mode)
        if self.frozen:
            self.bilm.eval()
        return self

    def forward(
        self, sentences: Sequence[Sequence[str]], state: BiLMState | None = None
    ) -> ElmoOutput:
        """Embed lists of tokens; padded positions are zero."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            layers, mask, state = self.bilm(sentences, state)
        vectors = tuple(self.dropout(mix(layers, mask)) for mix in self.mixes)
        return ElmoOutput(vectors, mask, state)

    def penalty(self) -> Tensor:
        """Return Σ ||s||² over all mixes, to be multiplied with λ and added to the task's loss."""
        return torch.stack([mix.penalty() for mix in self.mixes]).sum()
