"""One task network at a time: without vectors, with static, random or ELMo's, under equal rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from course_utils.data.tagging.era import era_task
from course_utils.data.tagging.examples import Example, Task
from course_utils.data.tagging.grammar import grammar_task
from course_utils.data.tagging.registered import ewt_task, polarity_task
from course_utils.data.vocabulary import BEGIN, END, Vocabulary
from course_utils.models.elmo import BiLM, PackedBiLM
from course_utils.models.elmo.scalar_mix import ScalarMix
from course_utils.models.tagging.batch import Batch
from course_utils.models.tagging.networks import Classifier, Tagger
from course_utils.models.using_elmo import BagClassifier, WithLayers
from course_utils.settings import IGNORED, UNKNOWN
from course_utils.training.loop import fit
from course_utils.training.losses import Loss
from course_utils.training.race.using_elmo.sources import (
    LONGEST,
    Coded,
    code,
    language_model,
    layers_of,
    padded_layers,
    scale_of,
    scaled,
)
from course_utils.training.schedules import warmup_cosine

WIDTH, HIDDEN, BATCH, RATE = 64, 48, 32, 3e-3
FORGOTTEN = 0.1  # share of training words read as unknown, so that there is one to learn
MOST_TESTED = 1000  # sentences
STEPS = ((100, 100), (500, 150), (10_000, 200))  # up to so many labels, steps
SIZES = {
    "era": (50, 200, 1000, 2500),
    "grammar": (20, 100, 500),
    "ud_english_ewt": (100, 500),
    "sentence_polarity": (50, 200, 1000, 5000),
}
IN_ORDER = "era, in order"  # for a network that reads: in a bag, input and output are one place


class Variant(NamedTuple):
    """What a network is given, and how."""

    source: str = ""  # of SOURCES; nothing is the baseline
    place: str = "input"
    dropout: float = 0.5
    penalty: float = 0.001
    learns: bool = False  # the biLM's own weights too


VARIANTS = {
    "words": Variant(),
    "static": Variant("static"),
    "random": Variant("random"),
    "elmo": Variant("elmo"),
    "output": Variant("elmo", place="output"),
    "both": Variant("elmo", place="both"),
    "no dropout": Variant("elmo", dropout=0.0),
    "no penalty": Variant("elmo", penalty=0.0),
    "strong penalty": Variant("elmo", penalty=1.0),
    "fine-tuned": Variant("elmo", learns=True),
}
MAIN = ("words", "static", "random", "elmo")


@lru_cache(maxsize=1)
def task_of(name: str) -> Task:
    """Return a task; the sentences of `era` come from years that the biLM has not read."""
    if name in ("era", IN_ORDER):
        task = era_task(unseen=True)
        return task._replace(train=task.train + task.valid)
    make = {"grammar": grammar_task, "ud_english_ewt": ewt_task,
            "sentence_polarity": polarity_task}[name]  # fmt: skip
    return make()


Stored = Callable[[str | PackedBiLM], tuple[list[Tensor], list[Tensor]]]


@lru_cache(maxsize=2)
def _stored(name: str, source: str | PackedBiLM) -> tuple[list[Tensor], list[Tensor]]:
    return stored_layers(name, source)


def stored_layers(name: str, source: str | PackedBiLM) -> tuple[list[Tensor], list[Tensor]]:
    """Return the layers of all training and test sentences: they are the same for every seed."""
    task = task_of(name)
    train, test = (
        layers_of(source, [example.words[:LONGEST] for example in part], means=_is_bag(name))
        for part in (pool_of(name), task.test[:MOST_TESTED])
    )
    scale = scale_of(train)
    return scaled(train, scale), scaled(test, scale)


def pool_of(name: str) -> list[Example]:
    """Return the training examples from which every seed takes its own."""
    return task_of(name).train[: max(SIZES[name if name in SIZES else "era"])]


def _is_bag(name: str) -> bool:
    return name != IN_ORDER and task_of(name).kind == "classification"


class Prepared(NamedTuple):
    """What one run reads."""

    train: Coded
    test: Coded
    words: int
    task: Task
    bag: bool  # nobody reads the words in their order


def prepared(name: str, size: int, seed: int) -> Prepared:
    """Return a task with its first examples; another seed takes others where there are more."""
    task = task_of(name)
    task = task._replace(train=[task.train[n] for n in chosen(name, size, seed)])
    seen = (word for example in task.train for word in example.words[:LONGEST])
    words = Vocabulary.of(seen, special=(UNKNOWN, BEGIN, END))
    train, test = (code(part, task, words) for part in (task.train, task.test[:MOST_TESTED]))
    return Prepared(train, test, len(words), task, _is_bag(name))


def chosen(name: str, size: int, seed: int) -> list[int]:
    """Return which training examples a seed gets, equally many of every class where it can be."""
    examples = pool_of(name)
    order = Random(f"{name} {seed}").sample(range(len(examples)), len(examples))
    if task_of(name).kind == "tagging":
        return order[:size]
    found: dict[str, list[int]] = {}
    for n in order:
        found.setdefault(examples[n].labels[0], []).append(n)
    share = size // len(found)
    return [n for own in found.values() for n in own[:share]]


def run(
    name: str,
    size: int,
    variant: str,
    seed: int,
    steps: int | None = None,
    stored: Stored | None = None,
) -> dict[str, Any]:
    """Train one network and report its share of right labels, and the mix that it learned.

    `stored` layers of all sentences stand in for those that the variant would make.
    """
    how, data = VARIANTS[variant], prepared(name, size, seed)
    given = source_of(how, data, chosen(name, size, seed), stored or partial(_stored, name))
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
    row: dict[str, Any] = {"task": name, "size": size, "variant": variant, "seed": seed,
                           "score": round(score, 4)}  # fmt: skip
    if how.source == "elmo":
        row["mix"] = mixes_of(model)
    return row


class Given(NamedTuple):
    """Where the layers of a run come from."""

    train: Callable[[Sequence[int]], Tensor] | None
    test: Callable[[Sequence[int]], Tensor] | None
    layers: int
    width: int
    bilm: BiLM | None = None


def source_of(how: Variant, data: Prepared, rows: Sequence[int], stored: Stored) -> Given:
    """Return the layers of a variant: none, stored ones, or a biLM that is still learning."""
    if not how.source:
        return Given(None, None, 0, 0)
    if how.learns:
        bilm = BiLM(language_model().bilm.options)
        bilm.load_state_dict(language_model().bilm.state_dict())

        scale = scale_of(layers_of("elmo", data.train.texts))

        def read(coded: Coded, rows: Sequence[int]) -> Tensor:
            layers = bilm([coded.texts[n] for n in rows]).layers
            found: Tensor = (layers - scale.mean.unsqueeze(1)) / scale.spread.unsqueeze(1)
            return found

        width = 2 * bilm.options.projection
        layers = bilm.options.layers + 1
        return Given(partial(read, data.train), partial(read, data.test), layers, width, bilm)
    train, test = stored(how.source)
    own = [train[n] for n in rows]
    layers, _, width = test[0].shape
    return Given(partial(padded_layers, own), partial(padded_layers, test), layers, width)


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


def _groups(model: nn.Module, bilm: BiLM | None) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = [{"params": list(model.parameters()), "lr": RATE}]
    if bilm is not None:
        groups.append({"params": list(bilm.parameters()), "lr": RATE / 10})
    return groups


def _pieces(order: Sequence[int]) -> Iterator[list[int]]:
    for first in range(0, len(order), 64):
        yield list(order[first : first + 64])
