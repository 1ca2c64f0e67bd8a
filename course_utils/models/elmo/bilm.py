"""The bidirectional language model: two directions over the same words, which never mix."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from course_utils.models.elmo.batch import Batch, frame
from course_utils.models.elmo.encoder import CharacterEncoder
from course_utils.models.elmo.fast.inference import Inference
from course_utils.models.elmo.fast.packing import serves
from course_utils.models.elmo.official.saving import write_official
from course_utils.models.elmo.official.weights import read_options, read_weights
from course_utils.models.elmo.options import Options
from course_utils.models.elmo.pretrained import ENCODER, read_pretrained
from course_utils.models.elmo.projected_lstm import ProjectedLSTM, ProjectedState
from course_utils.models.elmo.state import BiLMState, checked_state, zero_state


class BiLMOutput(NamedTuple):
    """All layers of a batch, without the sentence boundaries."""

    layers: Tensor  # (L + 1, B, T, 2P); layer 0 is the token vector twice, then [forward; backward]
    mask: Tensor  # (B, T): is there a token here?
    state: BiLMState  # give it to the next call to go on with the same streams


class BiLM(nn.Module):
    """ELMo's language model, without its softmax.

    In eval mode, where no gradient is wanted and no hook waits, `forward` runs the fast
    implementation (`inference.py`); else, and always through `read`, the one written to be read.
    """

    def __init__(self, options: Options, **factory):
        super().__init__()
        self.options = options
        self.encoder = CharacterEncoder(options, **factory)
        self.directions = nn.ModuleList(
            nn.ModuleList(
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
        self.inference = Inference()

    @classmethod
    def from_official(
        cls, options: str | os.PathLike | Mapping, weights: str | os.PathLike
    ) -> BiLM:
        """Read the published format: options.json and its HDF5 file; frozen, in eval mode."""
        return cls.of(*read_weights(read_options(options), weights))

    @classmethod
    def from_pretrained(cls, name: str = "small") -> BiLM:
        """Return a model that comes with the course; frozen, in eval mode."""
        options, _, weights = read_pretrained(name)
        own = {
            key.removeprefix(ENCODER): value
            for key, value in weights.items()
            if key.startswith(ENCODER)
        }
        return cls.of(options, own)

    @classmethod
    def of(cls, options: Options, weights: Mapping[str, Tensor]) -> BiLM:
        """Return a frozen model in eval mode that holds these weights, without copying them."""
        bilm = cls(options, device="meta")
        bilm.load_state_dict(weights, assign=True)
        return bilm.requires_grad_(False).eval()

    def save_official(self, options: str | os.PathLike, weights: str | os.PathLike) -> None:
        """Write the published format, float32."""
        write_official(self.options, self.state_dict(), Path(options), Path(weights))

    def forward(
        self, sentences: Sequence[Sequence[str]], state: BiLMState | None = None
    ) -> BiLMOutput:
        """Embed lists of tokens; `state` carries streams on from the call that returned it."""
        batch = frame(sentences)
        state = None if state is None else checked_state(state, self.options)
        start = self._start(len(batch.lengths), state)
        mask = batch.alive[2:].T.contiguous().to(start.h.device)  # (B, T)
        if self._wants_gradient() or not serves(self):
            layers, last = self.read(batch, start)
            layers = layers[:, 1:-1].transpose(1, 2) * mask.unsqueeze(-1)  # no boundaries
        else:
            with torch.no_grad():
                layers, last = self.inference.run(self, batch, start)
        return BiLMOutput(layers, mask, last if state is None else state.updated(last))

    def cache_words(self, capacity: int) -> None:
        """Keep the token vectors of the `capacity` words used last; 0 keeps none."""
        self.inference.cache_words(capacity)

    def read(self, batch: Batch, start: BiLMState) -> tuple[Tensor, BiLMState]:
        """Return all layers with boundaries (L + 1, T + 2, B, 2P), the way the lecture tells it."""
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
            begin = ProjectedState(start.h[direction, level], start.c[direction, level])
            y, last = lstm(x, begin, alive)
            x = y + x if level and self.options.residual else y  # what is carried is y
            outputs.append(x)
            h.append(last.h)
            c.append(last.c)
        return outputs, BiLMState(torch.stack(h), torch.stack(c))

    def _start(self, rows: int, state: BiLMState | None) -> BiLMState:
        like = self.encoder.projection.weight
        if state is None:
            return zero_state(self.options, rows, like)
        return BiLMState(*(part.to(like) for part in state)).rows(rows)

    def _wants_gradient(self) -> bool:
        if self.training:
            return True
        return torch.is_grad_enabled() and any(p.requires_grad for p in self.parameters())
