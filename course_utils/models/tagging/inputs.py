"""Each word's input vector, before any context: its embedding, its letters, given vectors."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from course_utils.models.elmo.encoder import CharacterEncoder
from course_utils.models.elmo.options import Options
from course_utils.models.tagging.batch import Batch


class WordInput(nn.Module):
    """Concatenate, as (B, T, D), a word's embedding, ELMo's reading of its letters, and vectors.

    `words` is the embedding's number of words, 0 for none; `spelling` the sizes of a character
    encoder; `given` the width of the vectors that come with a batch.
    """

    def __init__(
        self, words: int = 0, width: int = 64, spelling: Options | None = None, given: int = 0
    ):
        super().__init__()
        if not (words or spelling or given):
            raise ValueError("a network needs words, a spelling, or the width of given vectors")
        self.embedding = nn.Embedding(words, width) if words else None
        self.spelling = CharacterEncoder(spelling) if spelling else None
        self.given = given
        self.width = (width if words else 0) + (spelling.projection if spelling else 0) + given
        if self.embedding is not None:
            nn.init.normal_(self.embedding.weight, std=0.3)

    def forward(self, batch: Batch) -> Tensor:
        """Return (B, T, D)."""
        parts = []
        if self.embedding is not None:
            if batch.tokens is None:
                raise ValueError("this network reads token numbers, and the batch has none")
            parts.append(self.embedding(batch.tokens))
        if self.spelling is not None:
            if batch.letters is None or batch.places is None:
                raise ValueError("this network reads letters: give the batch letters and places")
            parts.append(self.spelling(batch.letters)[batch.places])
        if self.given:
            if batch.vectors is None or batch.vectors.shape[-1] != self.given:
                found = "none" if batch.vectors is None else f"{batch.vectors.shape[-1]} wide"
                raise ValueError(f"this network takes vectors {self.given} wide; there are {found}")
            parts.append(batch.vectors)
        return torch.cat(parts, dim=-1) if len(parts) > 1 else parts[0]
