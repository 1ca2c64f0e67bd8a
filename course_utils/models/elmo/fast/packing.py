"""Pack a BiLM's weights for the fast way, and tell whether that way says all there is to say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn

from course_utils.models.elmo.encoder import CharacterEncoder
from course_utils.models.elmo.fast.fingerprint import Fingerprint
from course_utils.models.elmo.fast.packed_encoder import PackedEncoder
from course_utils.models.elmo.fast.packed_layer import PackedLayer
from course_utils.models.elmo.fast.word_cache import WordCache
from course_utils.models.elmo.highway import Highway
from course_utils.models.elmo.projected_lstm import ProjectedLSTM
from course_utils.models.layers.autocast import autocast_type
from course_utils.models.layers.onednn import onednn_takes

if TYPE_CHECKING:
    from course_utils.models.elmo.bilm import BiLM

OURS = {CharacterEncoder, Highway, ProjectedLSTM}
KNOWN = OURS | {nn.Conv1d, nn.Embedding, nn.Linear, nn.ModuleList}


class Packed(NamedTuple):
    """Everything that was made from the weights."""

    made_for: tuple
    encoder: PackedEncoder
    directions: list[list[PackedLayer]]
    words: WordCache | None  # it goes with the weights that made its vectors

    def vectors(self, words: list[str]) -> Tensor:
        """Return the token vectors (N, P) of different words."""
        if self.words is None:
            return self.encoder.encode(words)
        return self.words.look_up(words, self.encoder.encode)


@torch.no_grad()
def pack(bilm: BiLM, made_for: tuple, remembered: int) -> Packed:
    """Lay all weights out for the fast way, with a cache for so many words."""
    layers = [[PackedLayer(lstm) for lstm in stack] for stack in bilm.directions]
    words = WordCache(remembered) if remembered else None
    return Packed(made_for, PackedEncoder(bilm.encoder), layers, words)


@torch.no_grad()
def what_packing_depends_on(bilm: BiLM) -> tuple:
    """Return what must be as it was for packed weights to be right."""
    weight = bilm.encoder.projection.weight
    return onednn_takes(weight), autocast_type(weight), Fingerprint(bilm.parameters())


def serves(bilm: BiLM) -> bool:
    """Return whether the packed weights say all: no module was exchanged, none has a hook.

    So a pruned, parametrised or watched model takes the readable way, where all that happens.
    """
    return all(
        type(module) in KNOWN
        and "forward" not in vars(module)
        and not (module._forward_hooks or module._forward_pre_hooks)
        for part in (bilm.encoder, bilm.directions)
        for module in part.modules()
    )
