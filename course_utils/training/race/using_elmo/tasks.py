"""One task network at a time: without vectors, with static, random or ELMo's, under equal rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import nn

from course_utils.models.elmo import BiLM
from course_utils.models.elmo.scalar_mix import ScalarMix
from course_utils.models.tagging.batch import Batch
from course_utils.models.tagging.networks import Classifier, Tagger
from course_utils.models.using_elmo import BagClassifier, WithLayers
from course_utils.settings import IGNORED
from course_utils.training.loop import fit
from course_utils.training.losses import Loss
from course_utils.training.race.using_elmo.labelled import Prepared, chosen, prepared
from course_utils.training.race.using_elmo.sources import Coded
from course_utils.training.race.using_elmo.variants import (
    VARIANTS,
    Given,
    Stored,
    Variant,
    remembered_layers,
    source_of,
)
from course_utils.training.schedules import warmup_cosine

WIDTH, HIDDEN, BATCH, RATE = 64, 48, 32, 3e-3
FORGOTTEN = 0.1  # share of training words read as unknown, so that there is one to learn
STEPS = ((100, 100), (500, 150), (10_000, 200))  # up to so many labels, steps


def run(
    name: str,
    size: int,
    variant: str,
    seed: int,
    steps: int | None = None,
    stored: Stored | None = None,
) -> dict[str, object]:
    """Train one network and report its share of right labels, and the mix that it learned.

    `stored` layers of all sentences stand in for those that the variant would make.
    """
    how, data = VARIANTS[variant], prepared(name, size, seed)
    stored = stored or partial(remembered_layers, name)
    given = source_of(how, data, chosen(name, size, seed), stored)
    torch.manual_seed(seed)  # behind what may draw: a biLM that is loaded now, or was before
    model = build(how, data, given.layers, given.width)
    learner = nn.ModuleList([model, given.bilm] if given.bilm is not None else [model])
    budget = steps or next(number for most, number in STEPS if size <= most)
    fit(
        learner,
        Batches(data.train, seed),
        partial(loss_of, model=model, given=given, penalty=how.penalty),
        steps=budget,
        optimizer=torch.optim.Adam(_groups(model, given.bilm)),
        schedule=warmup_cosine(budget, warmup=budget // 10),
        device="cpu",
        progress=False,
        label=f"{name} {size} {variant} {seed}",
    )
    score = right_share(model.eval(), data.test, given)
    row: dict[str, object] = {"task": name, "size": size, "variant": variant, "seed": seed,
                           "score": round(score, 4)}  # fmt: skip
    if how.source == "elmo":
        row["mix"] = mixes_of(model)
    return row


Network = Tagger | Classifier | BagClassifier


def build(how: Variant, data: Prepared, layers: int, width: int) -> WithLayers | Network:
    """Return an untrained network that takes what the variant gives."""
    labels = len(data.task.labels)
    sizes: dict[str, Any] = {
        "words": data.words,
        "width": WIDTH,
        "hidden": HIDDEN,
        "dropout": 0.3,
        "given": width if how.place in ("input", "both") else 0,
        "late": width if how.place in ("output", "both") else 0,
    }
    network: Network
    if data.bag:
        network = BagClassifier(labels, data.words, WIDTH, width)
    elif data.task.kind == "tagging":
        network = Tagger(labels, **sizes)
    else:
        network = Classifier(labels, pooling="mean", **sizes)
    return WithLayers(network, layers, how.place, how.dropout) if layers else network


class Batches:
    """The next rows and words: every example once, in a new order each time round."""

    def __init__(self, coded: Coded, seed: int):
        self.coded, self.seed = coded, seed

    def __call__(self, number: int) -> tuple[list[int], Batch]:
        """Return batch `number` of the endless run."""
        size = min(BATCH, len(self.coded.texts))
        turn, place = divmod(number, len(self.coded.texts) // size)
        generator = torch.Generator().manual_seed(1000 * self.seed + turn)
        order = torch.randperm(len(self.coded.texts), generator=generator)
        rows = order[place * size : (place + 1) * size].tolist()
        batch = self.coded.batch(rows)
        assert batch.tokens is not None
        kept = torch.rand(batch.tokens.shape, generator=generator) >= FORGOTTEN
        return rows, batch._replace(tokens=batch.tokens * kept)  # 0 is UNKNOWN


def loss_of(
    learner: nn.Module,
    piece: tuple[list[int], Batch],
    model: WithLayers | Network,
    given: Given,
    penalty: float,
) -> Loss:
    """Return the task's loss and λ ||s||²."""
    rows, batch = piece
    if not isinstance(model, WithLayers):
        return Loss(model.loss(batch), len(rows))
    assert given.train is not None
    loss = model.loss(batch, given.train(rows)) + penalty * model.penalty()
    return Loss(loss, len(rows))


@torch.no_grad()
def right_share(model: WithLayers | Network, test: Coded, given: Given) -> float:
    """Return the share of labels of the test part that are right."""
    right = asked = 0
    order = sorted(range(len(test.texts)), key=lambda n: len(test.texts[n]))
    for rows in _pieces(order):
        batch = test.batch(rows)
        assert batch.labels is not None
        if isinstance(model, WithLayers):
            assert given.test is not None
            logits = model(batch, given.test(rows))
        else:
            logits = model(batch)
        real = batch.labels != IGNORED
        right += int((logits.argmax(-1) == batch.labels)[real].sum())
        asked += int(real.sum())
    return right / asked


def mixes_of(model: WithLayers | Network) -> dict[str, list[float]]:
    """Return the share of every layer in each place, and γ at the end."""
    assert isinstance(model, WithLayers)
    found = {}
    for field, mix in model.mixes.items():
        assert isinstance(mix, ScalarMix)
        numbers = [*mix.weights().tolist(), mix.gamma.item()]
        found["input" if field == "vectors" else "output"] = [round(n, 3) for n in numbers]
    return found


def _groups(model: nn.Module, bilm: BiLM | None) -> list[dict[str, object]]:
    groups: list[dict[str, object]] = [{"params": list(model.parameters()), "lr": RATE}]
    if bilm is not None:
        groups.append({"params": list(bilm.parameters()), "lr": RATE / 10})
    return groups


def _pieces(order: Sequence[int]) -> Iterator[list[int]]:
    for first in range(0, len(order), 64):
        yield list(order[first : first + 64])
