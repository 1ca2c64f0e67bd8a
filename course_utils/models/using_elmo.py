"""Give a tagger or classifier the layers of a language model: at its input, its output, or both."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_utils.models.elmo.scalar_mix import ScalarMix
from course_utils.models.tagging.batch import Batch
from course_utils.models.tagging.networks import Classifier, Tagger

PLACES = {"input": ("vectors",), "output": ("late",), "both": ("vectors", "late")}


class BagClassifier(nn.Module):
    """softmax(V [mean of the words' embeddings; mean of the vectors]): no order, no layers.

    The mean of a mix is the mix of the means, so vectors may be one mean per sentence, (B, 1, D).
    """

    def __init__(self, labels: int, words: int, width: int = 64, given: int = 0):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.given = given
        self.output = nn.Linear(width + given, labels)
        nn.init.normal_(self.embedding.weight, std=0.1)

    def forward(self, batch: Batch) -> Tensor:
        """Return the logits (B, labels)."""
        assert batch.tokens is not None
        mask = batch.mask.unsqueeze(-1)
        parts = [_mean(self.embedding(batch.tokens), mask)]
        if self.given:
            assert batch.vectors is not None
            parts.append(_mean(batch.vectors, mask if batch.vectors.shape[1] > 1 else mask[:, :1]))
        logits: Tensor = self.output(torch.cat(parts, dim=-1))
        return logits

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean of -log p(label)."""
        assert batch.labels is not None
        return cross_entropy(self(batch), batch.labels)


def _mean(x: Tensor, mask: Tensor) -> Tensor:
    return (x * mask).sum(dim=1) / mask.sum(dim=1)


class WithLayers(nn.Module):
    """[x_k; mix_k] into the network, [h_k; mix_k] into its readout, or both (Peters et al. 2018).

    The layers may come from anywhere: a frozen biLM, one that is fine-tuned on the task, or, as a
    single layer, a table of static vectors.
    """

    def __init__(
        self,
        network: Tagger | Classifier | BagClassifier,
        layers: int,
        place: str = "input",
        dropout: float = 0.5,
    ):
        super().__init__()
        if place not in PLACES:
            raise ValueError(f"ELMo goes to one of {', '.join(PLACES)}, not to {place!r}")
        self.network = network
        self.mixes = nn.ModuleDict({field: ScalarMix(layers) for field in PLACES[place]})
        self.dropout = nn.Dropout(dropout)

    def joined(self, batch: Batch, layers: Tensor) -> Batch:
        """Return the batch with a separate mix of the layers (L + 1, B, T, D) in each place."""
        mixed = {field: self.dropout(mix(layers)) for field, mix in self.mixes.items()}
        return batch._replace(**mixed)

    def forward(self, batch: Batch, layers: Tensor) -> Tensor:
        """Return the network's logits."""
        logits: Tensor = self.network(self.joined(batch, layers))
        return logits

    def loss(self, batch: Batch, layers: Tensor) -> Tensor:
        """Return the network's loss."""
        return self.network.loss(self.joined(batch, layers))

    def penalty(self) -> Tensor:
        """Return Σ ||s||² over the mixes: times λ, it pulls them towards the mean of the layers."""
        total = self.network.output.weight.new_zeros(())
        for mix in self.mixes.values():
            assert isinstance(mix, ScalarMix)
            total = total + mix.penalty()
        return total
