"""ELMo as a task uses it: a frozen or trainable biLM, dropout, and a mix of layers per place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from course_utils.models.elmo.bilm import BiLM
from course_utils.models.elmo.fast.packed import PackedBiLM
from course_utils.models.elmo.parts import Parts
from course_utils.models.elmo.scalar_mix import ScalarMix, normalise
from course_utils.models.elmo.state import BiLMState

LAYER_NORMS = ("tokens", "boundaries")


class ElmoOutput(NamedTuple):
    """One (B, T, 2P) per mix, all from one pass through the biLM."""

    vectors: tuple[Tensor, ...]
    mask: Tensor  # (B, T)
    state: BiLMState


class Elmo(nn.Module):
    """Contextual word vectors for a task; what the task adds is L + 2 numbers for each mix.

    A frozen biLM is packed at once: later changes to it do not affect this module, and its weights
    are neither among the parameters here nor in the state_dict. With `freeze=False` the biLM is
    fine-tuned with the task.

    `layer_norm` gives every layer of a batch mean 0 and variance 1 before it is mixed: over the
    "tokens", as bilm-tf does, or over the sentences' "boundaries" too, as AllenNLP does.
    """

    def __init__(
        self,
        bilm: BiLM | PackedBiLM,
        mixes: int = 1,
        dropout: float = 0.5,
        layer_norm: str | None = None,
        freeze: bool = True,
    ):
        super().__init__()
        _check(bilm, mixes, layer_norm, freeze)
        self.bilm: BiLM | PackedBiLM
        if isinstance(bilm, PackedBiLM) or freeze:
            self.bilm = bilm.packed()
        else:
            self.bilm = bilm.requires_grad_()
        self.layer_norm = layer_norm
        self.mixes = Parts(ScalarMix(bilm.options.layers + 1) for _ in range(mixes))
        self.mixes.to(bilm.device)
        self.dropout = nn.Dropout(dropout)

    @property
    def frozen(self) -> bool:
        """Return whether the biLM is a packed one, which cannot learn."""
        return isinstance(self.bilm, PackedBiLM)

    @property
    def width(self) -> int:
        """Return 2P, the width of every vector."""
        return 2 * self.bilm.options.projection

    def forward(
        self, sentences: Sequence[Sequence[str]], state: BiLMState | None = None
    ) -> ElmoOutput:
        """Embed lists of tokens; padded positions are zero."""
        around = self.layer_norm == "boundaries"
        layers, mask, state = self.bilm(sentences, state, boundaries=around)
        if self.layer_norm:
            layers = normalise(layers, mask)
        if around:  # boundaries were counted; the end of a shorter sentence is cut like padding
            mask = mask[:, 2:]
            layers = layers[:, :, 1:-1] * mask.unsqueeze(-1)
        vectors = tuple(self.dropout(mix(layers)) for mix in self.mixes)
        return ElmoOutput(vectors, mask, state)

    def penalty(self) -> Tensor:
        """Return Σ ||s||² over all mixes, to be multiplied by λ and added to the task's loss."""
        return torch.stack([mix.penalty() for mix in self.mixes]).sum()

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Elmo:
        """Move a packed biLM to another device or number type, as parameters are moved."""
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]  # torch gives it no types
        if isinstance(self.bilm, PackedBiLM):
            there = fn(torch.empty(0, device=self.bilm.device, dtype=self.bilm.dtype))
            if (there.device, there.dtype) != (self.bilm.device, self.bilm.dtype):
                self.bilm = self.bilm.to(there.device, there.dtype)
        return self


def _check(bilm: object, mixes: int, layer_norm: object, freeze: bool) -> None:
    if mixes < 1:
        raise ValueError(f"a task needs at least one mix of the layers, not {mixes}")
    if layer_norm is not None and layer_norm not in LAYER_NORMS:
        raise ValueError(
            f'layer_norm={layer_norm!r}: choose "tokens" (statistics as in bilm-tf), "boundaries" '
            "(as in AllenNLP, whose do_layer_norm this was), or None"
        )
    if not freeze and isinstance(bilm, PackedBiLM):
        raise ValueError("a packed biLM cannot learn: give the BiLM that it was packed from")
