"""The bidirectional language model: two directions over the same words, which never mix."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from course_utils.models.elmo.batch import FramedBatch, frame
from course_utils.models.elmo.encoder import CharacterEncoder
from course_utils.models.elmo.fast.packed import PackedBiLM
from course_utils.models.elmo.official.reading import read_options, read_weights
from course_utils.models.elmo.official.writing import write_official
from course_utils.models.elmo.options import Options
from course_utils.models.elmo.parts import Parts
from course_utils.models.elmo.projected_lstm import ProjectedLSTM
from course_utils.models.elmo.state import BiLMOutput, BiLMState, checked_state, started
from course_utils.models.model_file import read_model
from course_utils.models.steps import LSTMState

SHIPPED = {"small": "course_elmo"}
BILM = "bilm."  # the prefix of the biLM's weights among those of the language model


def read_pretrained(name: str) -> tuple[Options, list[str], dict[str, Tensor]]:
    """Return the sizes, the words of the softmax and all weights, once verified."""
    if name not in SHIPPED:
        raise ValueError(
            f"no ELMo called {name!r} comes with the course, only {', '.join(map(repr, SHIPPED))}; "
            "for the published models use BiLM.from_official(options, weights)"
        )
    found = read_model(SHIPPED[name])
    return Options.from_json(found.keep["options"]), found.keep["words"], found.weights


class BiLM(nn.Module):
    """ELMo's language model, without its softmax: the one to read and to train.

    To use it, `packed()` returns a copy that gives the same numbers several times as fast.

    >>> bilm = BiLM.from_pretrained()  # the one that comes with the course
    >>> found = bilm([["a", "bank", "of", "sand"], ["the", "bank"]])
    >>> layers, sentences, tokens, width = found.layers.shape  # letters, then each LSTM layer
    >>> (layers, sentences, tokens) == (bilm.options.layers + 1, 2, 4)
    True
    >>> found.mask.sum(dim=1).tolist()  # what is no padding
    [4, 2]
    """

    def __init__(self, options: Options, **factory: object):
        super().__init__()
        self.options = options
        self.encoder = CharacterEncoder(options, **factory)
        self.directions = Parts(
            Parts(
                ProjectedLSTM(
                    options.projection,
                    options.cells,
                    options.cell_clip,
                    options.proj_clip,
                    options.projected,
                    **factory,
                )
                for _ in range(options.layers)
            )
            for _ in ("forward", "backward")
        )

    @property
    def device(self) -> torch.device:
        """Return where the weights are."""
        return self.encoder.projection.weight.device

    @classmethod
    def from_official(
        cls,
        options: str | os.PathLike[str] | Mapping[str, object],
        weights: str | os.PathLike[str],
        sha256: str | None = None,
    ) -> BiLM:
        """Read the published format, options.json and its HDF5 file; frozen, in eval mode.

        The published files come without a checksum. So the sha256 that was read is printed: pass
        it from then on, and it is compared before a weight is used.
        """
        return cls.of(*read_weights(read_options(options), weights, sha256))

    @classmethod
    def from_pretrained(cls, name: str = "small") -> BiLM:
        """Return a model that comes with the course; frozen, in eval mode."""
        options, _, weights = read_pretrained(name)
        own = {key.removeprefix(BILM): w for key, w in weights.items() if key.startswith(BILM)}
        return cls.of(options, own)

    @classmethod
    def of(cls, options: Options, weights: Mapping[str, Tensor]) -> BiLM:
        """Return a frozen model in eval mode that holds these weights, without copying them."""
        bilm = cls(options, device="meta")
        bilm.load_state_dict(weights, assign=True)
        return bilm.requires_grad_(False).eval()

    def save_official(
        self, options: str | os.PathLike[str], weights: str | os.PathLike[str]
    ) -> None:
        """Write the published format, float32."""
        write_official(self.options, self.state_dict(), Path(options), Path(weights))

    def packed(self) -> PackedBiLM:
        """Return an unchanging copy for use without gradients: the same call, much faster.

        Later changes to this model, and hooks on its parts, do not affect the copy.

        >>> bilm = BiLM.from_pretrained()
        >>> text = [["the", "bank", "of", "the", "river"]]
        >>> fast = bilm.packed()
        >>> torch.allclose(fast(text).layers, bilm(text).layers, atol=1e-4)
        True
        """
        return PackedBiLM.of(self.options, self.encoder, self.directions)

    def forward(
        self,
        sentences: Sequence[Sequence[str]],
        state: BiLMState | None = None,
        *,
        boundaries: bool = False,
    ) -> BiLMOutput:
        """Embed lists of tokens; `state` continues the streams of the call that returned it.

        With `boundaries`, every sentence keeps its two, as the first and the last position.
        """
        batch = frame(sentences)
        state = None if state is None else checked_state(state, self.options)
        like = self.encoder.projection.weight
        layers, last = self.read(batch, started(state, self.options, len(batch.lengths), like))
        mask = batch.mask(boundaries).to(layers.device)  # (B, T)
        layers = layers if boundaries else layers[:, 1:-1]
        layers = layers.transpose(1, 2) * mask.unsqueeze(-1)
        return BiLMOutput(layers, mask, last if state is None else state.updated(last))

    def read(self, batch: FramedBatch, start: BiLMState) -> tuple[Tensor, BiLMState]:
        """Return all layers with boundaries (L + 1, T + 2, B, 2P), as the lecture describes it."""
        device = start.h.device
        alive = batch.alive.to(device)
        words = self.encoder(self.encoder.ids_of(batch.words))  # (N, P)
        tokens = words[batch.index.to(device)] * alive.unsqueeze(-1)  # (T+2, B, P)
        turned = batch.reversal.to(device).unsqueeze(-1).expand_as(tokens)

        ahead, ahead_last = self.read_direction(0, tokens, start, alive)
        back, back_last = self.read_direction(1, tokens.gather(0, turned), start, alive)
        back = [layer.gather(0, turned) for layer in back]

        both = [torch.cat(pair, dim=-1) for pair in zip(ahead, back, strict=True)]
        layers = torch.stack([torch.cat([tokens, tokens], dim=-1), *both])
        last = BiLMState(*(torch.stack(p) for p in zip(ahead_last, back_last, strict=True)))
        return layers, last

    def read_direction(
        self, direction: int, x: Tensor, start: BiLMState, alive: Tensor | None = None
    ) -> tuple[list[Tensor], BiLMState]:
        """Return the output of every layer of one direction, and where it ended."""
        outputs, h, c = [], [], []
        for level, lstm in enumerate(self.directions[direction]):
            begin = LSTMState(start.h[direction, level], start.c[direction, level])
            y, last = lstm(x, begin, alive)
            x = y + x if level and self.options.residual else y  # what is carried is y
            outputs.append(x)
            h.append(last.h)
            c.append(last.c)
        return outputs, BiLMState(torch.stack(h), torch.stack(c))
