"""How well the layers predict gold labels: linear probes with controls, and nearest neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import torch
from torch import Tensor

from course_utils.data.sets.parsers import SenseUse
from course_utils.data.sets.registry import load
from course_utils.data.tagging.probed import control_numbers, tag_numbers
from course_utils.models.elmo import PackedBiLM
from course_utils.models.linear_probe import LinearProbe
from course_utils.models.nearest import nearest_by_cosine
from course_utils.training.race.using_elmo.labelled import task_of
from course_utils.training.race.using_elmo.sources import (
    layers_of,
    lowered,
    random_bilm,
    static_vectors,
)

TRAINED_ON, ASKED = 400, 300  # sentences
AROUND = 12  # words on either side of a sense
USES = 300  # known, and as many asked
WINDOWS = (1, 2, 3, 5, 10)
WINDOW = 3  # of the static vectors that a line reads


def probe(source: str, seed: int) -> list[dict[str, object]]:
    """Read EWT's parts of speech, and labels that mean nothing, out of every layer.

    A seed picks the sentences, draws the control, and draws the weights of the untrained biLM.
    """
    task, random = task_of("ud_english_ewt"), Random(seed)
    parts = (random.sample(task.train, TRAINED_ON), random.sample(task.test, ASKED))
    reader = _reader(source, seed)
    learned, asked = (
        torch.cat(layers_of(reader, [e.words for e in part]), dim=1).float() for part in parts
    )
    rows = []
    for about, (known, gold) in (
        ("tags", tag_numbers(parts)),
        ("control", control_numbers(parts, seed)),
    ):
        for layer, (x, new) in enumerate(zip(learned, asked, strict=True)):
            score = read_by_a_line(x, known, new, gold)
            rows.append({"task": "probe", "size": layer, "variant": f"{source} {about}",
                         "seed": seed, "score": round(score, 4)})  # fmt: skip
    return rows


def read_by_a_line(x: Tensor, known: Tensor, asked: Tensor, gold: Tensor) -> float:
    """Return the share of `gold` that a line through vectors `x` with labels `known` gets right."""
    classes = int(torch.cat([known, gold]).max()) + 1
    return LinearProbe(x.shape[1], classes).fit(x, known).accuracy(asked, gold)


def _reader(source: str, seed: int) -> str | PackedBiLM:
    return random_bilm(seed).packed() if source == "random" else source


def senses(seed: int) -> list[dict[str, object]]:
    """Decide the four words of SENSEVAL-2 by the nearest known use, and by the commonest sense."""
    rows = []
    for word, picked in _picked(seed):
        for variant, layer, score in _senses_of(picked):
            rows.append({"task": f"senses of {word}", "size": layer,
                         "variant": variant, "seed": seed, "score": round(score, 4)})  # fmt: skip
    return rows


def sense_probe(source: str, seed: int) -> list[dict[str, object]]:
    """Read the senses, and labels that mean nothing, out of every layer: mean over the words.

    A static vector is the same for all uses of a form, so `static` is the mean of the words around
    each use.
    """
    reader = _reader(source, seed)
    found: dict[str, list[list[float]]] = {"senses": [], "control": []}
    for _, uses in _picked(seed):
        vectors = _windows(uses, WINDOW)[None] if source == "static" else _in_use(reader, uses)
        for about, labels in (("senses", _gold(uses)), ("control", neighbour_labels(uses, seed))):
            known, gold = labels[:USES], labels[USES:]
            found[about].append([read_by_a_line(x[:USES], known, x[USES:], gold) for x in vectors])
    return [
        {"task": "sense probe", "size": layer, "variant": f"{source} {about}", "seed": seed,
         "score": round(sum(scores) / len(scores), 4)}
        for about, by_word in found.items()
        for layer, scores in enumerate(zip(*by_word, strict=True))
    ]  # fmt: skip


def neighbour_labels(uses: Sequence[SenseUse], seed: int) -> Tensor:
    """Give the word BEFORE each use one label for good, drawn as often as the senses are.

    All uses are of one word, so a label for that word would be constant. A probe can only predict
    these labels by memorising neighbours; the sense next to them does not help.
    """
    random, gold, labels = Random(seed), _gold(uses).tolist(), []
    drawn: dict[str, int] = {}
    for use in uses:
        before = use.words[use.position - 1].lower() if use.position else ""
        if before not in drawn:
            drawn[before] = random.choice(gold)
        labels.append(drawn[before])
    return torch.tensor(labels)


def _picked(seed: int) -> Iterator[tuple[str, list[SenseUse]]]:
    for name, uses in load("senseval").items():
        yield name.split("-")[0], Random(seed).sample(uses, 2 * USES)


def _gold(uses: Sequence[SenseUse]) -> Tensor:
    names = sorted({use.sense for use in uses})
    return torch.tensor([names.index(use.sense) for use in uses])


def _in_use(source: str | PackedBiLM, uses: Sequence[SenseUse]) -> Tensor:
    """Return the vectors of the words in use (L + 1, N, D)."""
    texts = [use.words[max(0, use.position - AROUND) : use.position + AROUND] for use in uses]
    places = [min(use.position, AROUND) for use in uses]
    read = layers_of(source, texts)
    return torch.stack([v[:, p] for v, p in zip(read, places, strict=True)], dim=1).float()


def _senses_of(uses: Sequence[SenseUse]) -> list[tuple[str, int, float]]:
    gold = _gold(uses)
    known, asked = gold[:USES], gold[USES:]
    commonest = known.bincount().argmax()
    found = [("majority", 0, (asked == commonest).double().mean().item())]
    allowed = torch.ones(len(asked), len(known), dtype=torch.bool)

    def score(vectors: Tensor) -> float:
        place = nearest_by_cosine(vectors[USES:], vectors[:USES], allowed)
        guessed = torch.where(place < 0, commonest, known[place])
        return (guessed == asked).double().mean().item()

    for source in ("elmo", "random"):
        vectors = _in_use(source, uses)
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
