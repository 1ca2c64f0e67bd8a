"""What the layers know of published gold: parts of speech by a line, senses by a neighbour."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_utils.data.sets.parsers import SenseUse
from course_utils.data.sets.registry import load
from course_utils.data.tagging.examples import Example
from course_utils.models.linear_probe import LinearProbe
from course_utils.models.nearest import nearest_by_cosine
from course_utils.training.race.using_elmo.sources import (
    layers_of,
    lowered,
    static_vectors,
)
from course_utils.training.race.using_elmo.tasks import task_of

TRAINED_ON, ASKED = 400, 300  # sentences
AROUND = 12  # words on either side of a sense
USES = 300  # known, and as many asked
WINDOWS = (1, 2, 3, 5, 10)


def probe(source: str, seed: int) -> list[dict[str, Any]]:
    """Read EWT's parts of speech, and labels that mean nothing, out of every layer."""
    task = task_of("ud_english_ewt")
    parts = (task.train[:TRAINED_ON], task.test[:ASKED])
    vectors = [
        torch.cat(layers_of(source, [e.words for e in part]), dim=1).float() for part in parts
    ]
    rows = []
    for about, labels in (("tags", _tags(parts)), ("control", control_labels(parts, seed))):
        for layer in range(len(vectors[0])):
            x, y = vectors[0][layer], labels[0]
            fitted = LinearProbe(x.shape[1], int(max(map(torch.max, labels))) + 1).fit(x, y)
            score = fitted.accuracy(vectors[1][layer], labels[1])
            rows.append({"task": "probe", "size": layer, "variant": f"{source} {about}",
                         "seed": seed, "score": round(score, 4)})  # fmt: skip
    return rows


def _tags(parts: Sequence[Sequence[Example]]) -> list[Tensor]:
    names = sorted({label for part in parts for example in part for label in example.labels})
    number = {name: n for n, name in enumerate(names)}
    return [torch.tensor([number[t] for e in part for t in e.labels]) for part in parts]


def control_labels(parts: Sequence[Sequence[Example]], seed: int) -> list[Tensor]:
    """Give every word one label for good, drawn as often as tags are (Hewitt and Liang 2019)."""
    random, drawn = Random(seed), {}
    tags = torch.cat(_tags(parts)).tolist()
    labels = []
    for part in parts:
        words = [word for example in part for word in example.words]
        for word in words:
            if word not in drawn:
                drawn[word] = random.choice(tags)
        labels.append(torch.tensor([drawn[word] for word in words]))
    return labels


def senses(seed: int) -> list[dict[str, Any]]:
    """Decide the four words of SENSEVAL-2 by the nearest known use, and by the commonest sense."""
    rows = []
    for name, uses in load("senseval").items():
        picked = Random(seed).sample(uses, 2 * USES)
        for variant, layer, score in _senses_of(picked):
            rows.append({"task": f"senses of {name.split('-')[0]}", "size": layer,
                         "variant": variant, "seed": seed, "score": round(score, 4)})  # fmt: skip
    return rows


def _senses_of(uses: Sequence[SenseUse]) -> list[tuple[str, int, float]]:
    names = sorted({use.sense for use in uses})
    gold = torch.tensor([names.index(use.sense) for use in uses])
    known, asked = gold[:USES], gold[USES:]
    commonest = known.bincount().argmax()
    found = [("majority", 0, (asked == commonest).double().mean().item())]
    allowed = torch.ones(len(asked), len(known), dtype=torch.bool)

    def score(vectors: Tensor) -> float:
        place = nearest_by_cosine(vectors[USES:], vectors[:USES], allowed)
        guessed = torch.where(place < 0, commonest, known[place])
        return (guessed == asked).double().mean().item()

    for source in ("elmo", "random"):
        texts = [use.words[max(0, use.position - AROUND) : use.position + AROUND] for use in uses]
        places = [min(use.position, AROUND) for use in uses]
        read = layers_of(source, texts)
        vectors = torch.stack([v[:, p] for v, p in zip(read, places, strict=True)], dim=1).float()
        found += [(source, layer, score(vectors[layer])) for layer in range(1, len(vectors))]
    found += [("window", width, score(_windows(uses, width))) for width in WINDOWS]
    return found


def _windows(uses: Sequence[SenseUse], width: int) -> Tensor:
    """Return the mean of the static vectors of the words beside each use."""
    table = static_vectors()
    return torch.stack(
        [
            table.of(lowered(beside(use.words, use.position, width), table)).mean(dim=0)
            for use in uses
        ]
    )


def beside(words: Sequence[str], position: int, width: int) -> list[str]:
    """Return at most `width` words on either side, without the word itself."""
    first = max(0, position - width)
    return [*words[first:position], *words[position + 1 : position + 1 + width]]
