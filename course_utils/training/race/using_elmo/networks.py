"""P taggers, or P bags of words, as one model: the networks of WithLayers with a leading dimension.

Their starts are those of `tasks.build`, network by network; what they compute is the same too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, embedding

from course_utils.models.tagging.networks import Classifier, Tagger
from course_utils.models.using_elmo import PLACES, BagClassifier, WithLayers
from course_utils.settings import IGNORED
from course_utils.training.batched.cells import CELLS
from course_utils.training.batched.read import read
from course_utils.training.batched.together import LAYER, Networks
from course_utils.training.race.using_elmo.words_in_order import Sentences

MOVES = 10.0  # w = 10 v: Adam's steps on v move the shares of the mix ten times as fast


class Drop(NamedTuple):
    """How much of what is dropped in training, and who draws it."""

    given: float
    rest: float
    generator: torch.Generator

    def every(self, x: Tensor) -> Tensor:
        """Drop single numbers of the given vectors."""
        return x * self._kept(x.shape, self.given)

    def whole(self, x: Tensor) -> Tensor:
        """Drop features (P, B, T, D) for a whole sentence at a time."""
        return x * self._kept((*x.shape[:2], 1, x.shape[3]), self.rest)

    def _kept(self, shape: Sequence[int], rate: float) -> Tensor:
        kept = torch.rand(shape, generator=self.generator) >= rate
        return kept / (1 - rate)


class Mixing(Networks):
    """What both kinds share: names for the rows' parts, the mix of the layers, the loss."""

    def __init__(self, networks: Sequence[WithLayers | Tagger | Classifier | BagClassifier]):
        first = networks[0]
        self.places = PLACES[_place_of(first)] if isinstance(first, WithLayers) else ()
        super().__init__([_parts(network) for network in networks], answers=1)

    def named(self) -> dict[str, Tensor]:
        """Return every parameter by name, (P, ...)."""
        mixes = [f"{field} {name}" for field in self.places for name in ("w", "gamma")]
        return dict(zip((*self.own_names(), *mixes), self.parts(), strict=True))

    def own_names(self) -> tuple[str, ...]:
        """Return the names of what is not the mix."""
        raise NotImplementedError

    def shares(self, field: str) -> Tensor:
        """Return every network's shares of the layers (P, L + 1)."""
        return (MOVES * self.named()[f"{field} w"]).softmax(dim=-1)

    def penalty(self) -> Tensor:
        """Return ||w||² of every network (P,)."""
        found = self.named()
        squares = [(MOVES * found[f"{field} w"]).square().sum(dim=-1) for field in self.places]
        return torch.stack(squares).sum(dim=0) if squares else self.rows.new_zeros(len(self.rows))

    def mixed(self, field: str, layers: Tensor, drop: Drop | None) -> Tensor:
        """Mix (L + 1, P, ...) into (P, ...)."""
        shares, gamma = self.shares(field), self.named()[f"{field} gamma"].squeeze(1)
        spread = (-1, *[1] * (layers.ndim - 2))
        total = sum(
            (gamma * share).view(spread) * layer
            for share, layer in zip(shares.T, layers, strict=True)
        )
        assert isinstance(total, Tensor)
        return drop.every(total) if drop else total

    def looked_up(self, tokens: Tensor) -> Tensor:
        """Return every network's embedding of its tokens."""
        table = self.named()["embedding"]
        P, V, _ = table.shape
        first = torch.arange(P).view(-1, *[1] * (tokens.ndim - 1)) * V
        return embedding(tokens + first, table.flatten(0, 1))


class Taggers(Mixing):
    """P BiLSTM taggers of one layer."""

    def own_names(self) -> tuple[str, ...]:
        """Return the names of what is not the mix."""
        ways = [f"{way} {name}" for way in ("ahead", "back") for name in LAYER]
        return ("embedding", *ways, "weight", "bias")

    def forward(  # type: ignore[override]  # sentences, not x
        self, batch: Sentences, layers: Tensor | None = None, drop: Drop | None = None
    ) -> Tensor:
        """Return the logits (P, B, T, labels)."""
        named = self.named()
        x = self.looked_up(batch.tokens)
        if "vectors" in self.places:
            assert layers is not None
            x = torch.cat([x, self.mixed("vectors", layers, drop)], dim=-1)
        h = self._both_ways(named, drop.whole(x) if drop else x, batch.lengths)
        h = drop.whole(h) if drop else h
        if "late" in self.places:
            assert layers is not None
            h = torch.cat([h, self.mixed("late", layers, drop)], dim=-1)
        logits: Tensor = h.flatten(1, 2) @ named["weight"].mT + named["bias"].unsqueeze(1)
        return logits.view(*h.shape[:3], -1)

    def _both_ways(self, named: dict[str, Tensor], x: Tensor, lengths: Tensor) -> Tensor:
        """Return (P, B, T, H): both directions of all networks are read as 2P networks."""
        P, B, T, _ = x.shape
        turned = _turned(lengths, T)
        W, U, b, b_U = (
            torch.cat([named[f"{way} {name}"] for way in ("ahead", "back")]) for name in LAYER
        )
        inputs = torch.cat([x, _taken(x, turned)]).flatten(1, 2)  # (2P, B T, D)
        sums = inputs @ W.mT + (b + b_U).unsqueeze(1)
        steps = sums.unflatten(1, (B, T)).permute(2, 0, 3, 1).contiguous()  # (T, 2P, R, B)
        states = read(U, steps, CELLS["lstm"]).permute(1, 3, 0, 2)  # (2P, B, T, H)
        return torch.cat([states[:P], _taken(states[P:], turned)], dim=-1)


class Bags(Mixing):
    """P classifiers of the mean of a sentence's vectors."""

    def own_names(self) -> tuple[str, ...]:
        """Return the names of what is not the mix."""
        return ("embedding", "weight", "bias")

    def forward(  # type: ignore[override]  # sentences, not x
        self, batch: Sentences, layers: Tensor | None = None, drop: Drop | None = None
    ) -> Tensor:
        """Return the logits (P, B, labels); layers are means over sentences, (L + 1, P, B, D)."""
        named = self.named()
        real = torch.arange(batch.tokens.shape[2]) < batch.lengths.unsqueeze(-1)
        x = (self.looked_up(batch.tokens) * real.unsqueeze(-1)).sum(dim=2)
        x = x / batch.lengths.unsqueeze(-1)
        if self.places:
            assert layers is not None
            x = torch.cat([x, self.mixed("vectors", layers, drop)], dim=-1)
        return x @ named["weight"].mT + named["bias"].unsqueeze(1)


def losses(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean of -log p(label) for every network, (P,)."""
    found = [
        cross_entropy(own.flatten(0, -2), gold.flatten(), ignore_index=IGNORED)
        for own, gold in zip(logits, labels, strict=True)
    ]
    return torch.stack(found)


def _place_of(network: WithLayers) -> str:
    return next(place for place, fields in PLACES.items() if fields == tuple(network.mixes))


def _parts(network: nn.Module) -> list[Tensor]:
    """Return a network's parameters in the order of the names."""
    own = network.network if isinstance(network, WithLayers) else network
    if isinstance(own, BagClassifier):
        parts = [own.embedding.weight, own.output.weight, own.output.bias]
    else:
        assert isinstance(own, Tagger)
        assert own.input.embedding is not None
        parts = [own.input.embedding.weight]
        for way in ("ahead", "back"):
            layer = own.encoder.layers[0].get_submodule(way)
            parts += [layer.get_parameter(name) for name in LAYER]
        parts += [own.output.weight, own.output.bias]
    if isinstance(network, WithLayers):
        for mix in network.mixes.values():
            parts += [mix.get_parameter("scalars") / MOVES, mix.get_parameter("gamma").view(1)]
    return parts


def _turned(lengths: Tensor, T: int) -> Tensor:
    """Return (P, B, T): which place to read instead, each sentence reversed within its length."""
    places = torch.arange(T)
    return torch.where(places < lengths.unsqueeze(-1), lengths.unsqueeze(-1) - 1 - places, places)


def _taken(x: Tensor, places: Tensor) -> Tensor:
    return x.gather(2, places.unsqueeze(-1).expand(x.shape))
