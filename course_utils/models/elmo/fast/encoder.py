"""The character CNN for many words at once, grouped by length.

A convolution is one matrix product over all windows side by side. With so few channels, that is
several times as fast as PyTorch's own convolution, mostly because the maximum of a filter's
responses is then taken across rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from course_utils.models.elmo.characters import bytes_of, encode_words
from course_utils.models.elmo.encoder import ACTIVATION, CharacterEncoder
from course_utils.models.elmo.options import Options
from course_utils.models.layers.products import Product

GROUP = 256  # words encoded together: bounds memory, keeps lengths similar


@dataclass(frozen=True)
class PackedEncoder:
    """Words to token vectors with packed weights."""

    options: Options
    embedding: Tensor  # (261, D)
    filters: tuple[Product, ...]
    highways: tuple[Product, ...]  # gate and transform side by side
    projection: Product

    @classmethod
    @torch.no_grad()
    def of(cls, encoder: CharacterEncoder) -> PackedEncoder:
        """Pack an encoder."""
        return cls(
            encoder.options,
            encoder.embedding.weight.detach().clone(),
            tuple(
                Product(conv.weight.transpose(1, 2).flatten(1), conv.bias)
                for conv in encoder.convolutions
            ),
            tuple(
                Product(
                    torch.cat([highway.gate.weight, highway.transform.weight]),
                    torch.cat([highway.gate.bias, highway.transform.bias]),
                )
                for highway in encoder.highways
            ),
            Product(encoder.projection.weight, encoder.projection.bias),
        )

    def to(self, *place: Any, **places: Any) -> PackedEncoder:
        """Return it on another device, or in another number type."""
        return replace(
            self,
            embedding=self.embedding.to(*place, **places),
            filters=tuple(part.to(*place, **places) for part in self.filters),
            highways=tuple(part.to(*place, **places) for part in self.highways),
            projection=self.projection.to(*place, **places),
        )

    def weights(self) -> Iterator[Tensor]:
        """Yield all weights as they are used, unpacked."""
        yield self.embedding
        for part in (*self.filters, *self.highways, self.projection):
            yield from part.weights()

    @torch.no_grad()
    def encode(self, words: Sequence[str]) -> Tensor:
        """Return (N, P), row n for words[n]."""
        vectors = self.embedding.new_empty(len(words), self.options.projection)
        by_length = sorted(range(len(words)), key=lambda n: len(bytes_of(words[n])))
        for first in range(0, len(words), GROUP):
            group = by_length[first : first + GROUP]
            rows = torch.tensor(group, device=vectors.device)
            vectors[rows] = self._group([words[n] for n in group])
        return vectors

    def _group(self, words: list[str]) -> Tensor:
        widest = max(width for width, _ in self.options.filters)
        ids = encode_words(words, self.options.max_characters, widest).to(self.embedding.device)
        x = self._features(self.embedding[ids])
        for highway in self.highways:
            gate, transformed = highway(x).chunk(2, dim=1)
            x = torch.lerp(x, transformed.relu_(), gate.sigmoid_())
        return self.projection(x)

    def _features(self, x: Tensor) -> Tensor:
        """Return each filter's largest response, (N, F), from letters (N, M, D)."""
        N, M, D = x.shape
        pooled = []
        for (width, _), product in zip(self.options.filters, self.filters, strict=True):
            windows = x.as_strided((N, M - width + 1, width * D), (M * D, D, 1))
            responses = product(windows.reshape(-1, width * D)).view(N, M - width + 1, -1)
            pooled.append(responses.amax(dim=1))
        return ACTIVATION[self.options.activation](torch.cat(pooled, dim=-1))
