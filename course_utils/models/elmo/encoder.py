"""A word from its letters: convolution, max pooling, highway, projection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from course_utils.models.elmo.characters import encode_words
from course_utils.models.elmo.options import STORED_CHARACTERS, Options
from course_utils.models.elmo.parts import Parts

CARRY_BIAS = -2.0  # a new layer passes its input through nearly unchanged


class Highway(nn.Module):
    """g = σ(W_g x + b_g),  t = relu(W_t x + b_t),  y = g ⊙ t + (1 - g) ⊙ x."""

    def __init__(self, features: int, **factory: Any):
        super().__init__()
        # The published files call the gate "carry", though it multiplies the transformed value.
        self.gate = nn.Linear(features, features, **factory)
        self.transform = nn.Linear(features, features, **factory)
        if not self.gate.bias.is_meta:
            nn.init.constant_(self.gate.bias, CARRY_BIAS)

    def forward(self, x: Tensor) -> Tensor:
        g = torch.sigmoid(self.gate(x))
        t = torch.relu(self.transform(x))  # relu, whatever the CNN's activation is
        return g * t + (1 - g) * x


ACTIVATION = {"relu": torch.relu, "tanh": torch.tanh}


class CharacterEncoder(nn.Module):
    """Raw character ids (N, M) to token vectors (N, P), each word on its own."""

    def __init__(self, options: Options, **factory: Any):
        super().__init__()
        self.options = options
        # not nn.Embedding(...): its normal_ on the meta device imports torch._dynamo for a second
        letters = torch.empty(STORED_CHARACTERS, options.char_dim, **factory)
        self.embedding = nn.Embedding.from_pretrained(letters, freeze=False)
        if not letters.is_meta:
            nn.init.normal_(self.embedding.weight)
        self.convolutions = Parts(
            nn.Conv1d(options.char_dim, count, width, **factory) for width, count in options.filters
        )
        self.highways = Parts(Highway(options.features, **factory) for _ in range(options.highways))
        self.projection = nn.Linear(options.features, options.projection, **factory)

    def ids_of(self, words: Iterable[str]) -> Tensor:
        """Return `encode_words` of these words where the weights are."""
        ids = encode_words(list(words), self.options.max_characters)
        return ids.to(self.projection.weight.device)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.features(ids)  # (N, F)
        for highway in self.highways:
            x = highway(x)
        token_vectors: Tensor = self.projection(x)  # (N, P)
        return token_vectors

    def features(self, ids: Tensor) -> Tensor:
        """Return each filter's largest response."""
        pooled = [response.amax(dim=-1) for response in self.filter_responses(ids)]
        return ACTIVATION[self.options.activation](torch.cat(pooled, dim=-1))  # (N, F)

    def filter_responses(self, ids: Tensor) -> list[Tensor]:
        """Return for each filter width its responses (N, count, M - width + 1), before pooling."""
        letters = self.embedding(ids).transpose(1, 2)  # (N, D, M)
        return [convolution(letters) for convolution in self.convolutions]
