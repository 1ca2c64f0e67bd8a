"""The vectors that tasks are given: ELMo's layers, those of an untrained biLM, static ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.data.tagging.examples import Example, Task
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo import BiLanguageModel, BiLM, PackedBiLM
from course_utils.models.static_vectors import StaticVectors, count_vectors
from course_utils.models.tagging.batch import Batch
from course_utils.settings import IGNORED, UNKNOWN

SOURCES = ("elmo", "random", "static")
LONGEST = 30  # words of a sentence that are read
AT_ONCE = 64


@lru_cache(maxsize=1)
def language_model() -> BiLanguageModel:
    """Return the biLM that comes with the course, and its softmax."""
    return BiLanguageModel.from_pretrained()


def random_bilm(seed: int = 0) -> BiLM:
    """Return an untrained biLM of the same sizes."""
    options = language_model().bilm.options  # made first: that draws numbers too
    torch.manual_seed(seed)
    return BiLM(options).requires_grad_(False).eval()


@lru_cache(maxsize=1)
def static_vectors() -> StaticVectors:
    """Return vectors from counts: the text that the biLM has read, its words, as many numbers."""
    read = [s for speech in english().train for s in sentences(speech.text)]
    words = [word for word in language_model().words if word != UNKNOWN]
    return count_vectors(read, words, 2 * language_model().bilm.options.projection)


@torch.no_grad()
def layers_of(
    source: str | PackedBiLM, texts: Sequence[list[str]], means: bool = False
) -> list[Tensor]:
    """Return (L + 1, T, D) of every sentence, or means over it (L + 1, 1, D).

    Static vectors are one layer.
    """
    found = _all_layers(source, texts)
    if means:
        return [layers.float().mean(dim=1, keepdim=True).to(layers.dtype) for layers in found]
    return found


def _all_layers(source: str | PackedBiLM, texts: Sequence[list[str]]) -> list[Tensor]:
    if source == "static":
        table = static_vectors()
        return [table.of(lowered(words, table))[None].half() for words in texts]
    bilm = source if isinstance(source, PackedBiLM) else _packed(source)
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    found: dict[int, Tensor] = {}
    for first in range(0, len(order), AT_ONCE):
        rows = order[first : first + AT_ONCE]
        layers = bilm([texts[n] for n in rows]).layers.half()  # (L + 1, B, T, 2P)
        found |= {n: layers[:, b, : len(texts[n])].clone() for b, n in enumerate(rows)}
    return [found[n] for n in range(len(texts))]


class Scale(NamedTuple):
    """What brings every source to mean 0 and variance 1: no source wins by the size of numbers."""

    mean: Tensor  # (L + 1, 1, D)
    spread: Tensor  # (L + 1, 1, 1)


def scale_of(found: Sequence[Tensor]) -> Scale:
    """Measure the layers of some sentences, without looking at labels."""
    every = torch.cat(list(found), dim=1).float()  # (L + 1, N, D)
    mean = every.mean(dim=1, keepdim=True)
    spread = (every - mean).square().mean(dim=(1, 2), keepdim=True).sqrt()
    return Scale(mean, spread.clamp(min=1e-6))


def scaled(found: Sequence[Tensor], scale: Scale) -> list[Tensor]:
    """Return the layers on that scale, in half precision."""
    return [((layers.float() - scale.mean) / scale.spread).half() for layers in found]


def lowered(words: Sequence[str], table: StaticVectors) -> list[str]:
    """Return words as the table writes them: a capital goes where it is not known."""
    return [word if word in table.number else word.lower() for word in words]


def _packed(source: str) -> PackedBiLM:
    return (language_model().bilm if source == "elmo" else random_bilm()).packed()


class Coded(NamedTuple):
    """Examples as numbers, ready to be put side by side."""

    texts: list[list[str]]
    tokens: list[Tensor]  # (T,) each
    labels: list[Tensor]  # (T,) each of a tagger, () of a classifier

    def batch(self, rows: Sequence[int]) -> Batch:
        """Return some examples side by side."""
        tokens = pad_sequence([self.tokens[n] for n in rows], batch_first=True)
        labels = [self.labels[n] for n in rows]
        joined = (
            torch.stack(labels)
            if labels[0].ndim == 0
            else pad_sequence(labels, batch_first=True, padding_value=IGNORED)
        )
        lengths = torch.tensor([len(self.tokens[n]) for n in rows])
        return Batch(lengths, tokens=tokens, labels=joined)


def code(
    examples: Sequence[Example], task: Task, words: Vocabulary, labels: Sequence[str] = ()
) -> Coded:
    """Number words and labels; a label that training does not know counts as wrong."""
    number = {label: n for n, label in enumerate(labels or task.labels)}
    texts = [example.words[:LONGEST] for example in examples]
    found = []
    for example in examples:
        own = torch.tensor([number.get(label, len(number)) for label in example.labels[:LONGEST]])
        found.append(own if task.kind == "tagging" else own[0])
    return Coded(texts, [words.encode(text) for text in texts], found)


def padded_layers(layers: Sequence[Tensor], rows: Sequence[int]) -> Tensor:
    """Return (L + 1, B, T, D) of some examples."""
    turned = [layers[n].transpose(0, 1).float() for n in rows]  # (T, L + 1, D)
    return pad_sequence(turned, batch_first=True).permute(2, 0, 1, 3)
