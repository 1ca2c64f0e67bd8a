"""Words and labels as numbers, sentences of different lengths side by side."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_utils.models.elmo.characters import encode_words
from course_utils.models.elmo.options import Options
from course_utils.models.language.language_model import TokenNumbers
from course_utils.models.tagging.batch import Batch
from course_utils.settings import IGNORED


class Coder:
    """The words and labels that a network knows; makes batches of sentences.

    `spelling` holds the sizes of the network's character encoder, if it reads letters.
    A label that was not in training is ignored, since the network cannot predict it.
    """

    def __init__(
        self, words: TokenNumbers | None, labels: Sequence[str], spelling: Options | None = None
    ):
        self.words, self.labels, self.spelling = words, list(labels), spelling
        self.number = {label: number for number, label in enumerate(self.labels)}

    def batch(
        self,
        sentences: Sequence[Sequence[str]],
        labels: Sequence[Sequence[str]] | None = None,
        *,
        kind: str = "tagging",
        vectors: Tensor | None = None,
        late: Tensor | None = None,
    ) -> Batch:
        """Return sentences as a batch; `labels` holds one label per word, or one per sentence."""
        if not sentences or not all(sentences):
            raise ValueError("a batch is made of sentences with at least one word")
        lengths = torch.tensor([len(words) for words in sentences])
        tokens = letters = places = None
        if self.words is not None:
            tokens = side_by_side([self.words.encode(words) for words in sentences])
        if self.spelling is not None:
            letters, places = spell(sentences, self.spelling)
        coded = None if labels is None else self.code(labels, kind)
        return Batch(lengths, tokens, vectors, late, letters, places, coded)

    def code(self, labels: Sequence[Sequence[str]], kind: str = "tagging") -> Tensor:
        """Return labels as numbers: (B, T), IGNORED on padding, or (B,) for classification."""
        rows = [torch.tensor([self.number.get(n, IGNORED) for n in row]) for row in labels]
        return side_by_side(rows, IGNORED) if kind == "tagging" else torch.cat(rows)


def spell(sentences: Sequence[Sequence[str]], sizes: Options) -> tuple[Tensor, Tensor]:
    """Return the letters of each distinct word, and which word is where."""
    types = {word: n for n, word in enumerate(dict.fromkeys(w for s in sentences for w in s))}
    widest = max(width for width, _ in sizes.filters)
    letters = encode_words(list(types), sizes.max_characters, widest)
    places = [torch.tensor([types[word] for word in words]) for words in sentences]
    return letters, side_by_side(places)


def side_by_side(rows: Sequence[Tensor], padding: int = 0) -> Tensor:
    """Return (B, T) of rows of different lengths."""
    return pad_sequence(list(rows), batch_first=True, padding_value=padding)
