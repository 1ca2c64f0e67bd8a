"""What is ELMo made of? Every ingredient on every task, at every size, stopped by one rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from course_utils.data.tagging.examples import Task
from course_utils.models.model_file import shipped_cards
from course_utils.models.tagging.networks import Tagger
from course_utils.models.using_elmo import BagClassifier, WithLayers
from course_utils.results.files import Row
from course_utils.results.made_of import SETTINGS, SETTINGS_AT, SIZES
from course_utils.settings import IGNORED
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.using_elmo.baselines import right_without_network
from course_utils.training.race.using_elmo.converge import Asked, best_of, converge
from course_utils.training.race.using_elmo.networks import Bags, Drop, Mixing, Taggers, losses
from course_utils.training.race.using_elmo.samples import FOLDS, sample_of
from course_utils.training.race.using_elmo.sources import Coded
from course_utils.training.race.using_elmo.tables import Table, table_of
from course_utils.training.race.using_elmo.words_in_order import (
    Sentences,
    Shuffled,
    all_of,
    numbered,
)

WIDTH, HIDDEN, RATE = 64, 48, 3e-3
BAG_WIDTH = 16
BATCH = {"tagging": 16, "classification": 32}
MOST, SHORT, FEW = 3200, 800, 100  # steps; SHORT for a tagger of at most FEW sentences


class Ingredient(NamedTuple):
    """What a network is given beside its words' own vectors, and how."""

    source: str = ""  # of SOURCES; nothing is words alone
    layers: tuple[int, ...] = ()  # which; none is all of them, mixed
    place: str = "input"
    dropout: float = 0.5
    penalty: float = 0.001


BOARD = {
    "words": Ingredient(),
    "static": Ingredient("static"),
    "letters": Ingredient("elmo", (0,)),
    "layer 1": Ingredient("elmo", (1,)),
    "top layer": Ingredient("elmo", (2,)),
    "elmo": Ingredient("elmo"),
    "random": Ingredient("random"),
    "output": Ingredient("elmo", place="output"),
    "both": Ingredient("elmo", place="both"),
    "no dropout": Ingredient("elmo", dropout=0.0),
    "no penalty": Ingredient("elmo", penalty=0.0),
    "strong penalty": Ingredient("elmo", penalty=1.0),
}
MAIN = tuple(name for name in BOARD if name not in SETTINGS)
REGISTERED = ("ud_english_ewt", "sentence_polarity")


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield what must be known first, first; one lap trains the networks of all seeds as one."""
    for name, sizes in SIZES.items():
        for size in sizes:
            yield _lap(name, size, "list", partial(run_list, name, size))
        for variant in MAIN:
            for size in sizes:
                yield _lap(name, size, variant, partial(run, name, size, variant, steps))
    for name, size in SETTINGS_AT:
        for variant in SETTINGS:
            yield _lap(name, size, variant, partial(run, name, size, variant, steps))


def _lap(name: str, size: int, variant: str, run: Callable[[], list[Row]]) -> Lap:
    key = {"task": name, "size": size, "variant": variant}
    return Lap(key, run, name if name in REGISTERED else "")


def said(row: Row) -> str:
    """Say what one seed reached."""
    after = f" after {row['steps']} steps" if "steps" in row else ""
    return (
        f"{row['task']} {row['size']} {row['variant']}, seed {row['seed']}: {row['score']}{after}"
    )


def run_list(name: str, size: int) -> list[Row]:
    """Return what no network at all gets right, for every seed."""
    return [
        _row(name, size, "list", seed, right_without_network(sample_of(name, size, seed)))
        for seed in range(FOLDS)
    ]


def run(name: str, size: int, variant: str, most: int | None = None) -> list[Row]:
    """Train the networks of all seeds as one; return a row for each, with its whole curve."""
    how, tasks = BOARD[variant], [sample_of(name, size, seed) for seed in range(FOLDS)]
    kind = tasks[0].kind
    table = table_of(name, how.source, kind == "classification") if how.source else None
    parts = Parts(tasks)
    together = made(how, table, parts, kind)
    shuffled = Shuffled(parts.train, BATCH[kind])
    drop = Drop(how.dropout, 0.3 if kind == "tagging" else 0.0, torch.Generator().manual_seed(0))

    def loss_of(number: int) -> Tensor:
        batch = shuffled(number)
        logits = together(batch, _given(how, table, batch, "train"), drop)
        return losses(logits, batch.labels) + how.penalty * together.penalty()

    def ask() -> Asked:
        return Asked(
            *(rights(together, getattr(parts, p), how, table, p) for p in ("valid", "test"))
        )

    checks = converge(together, loss_of, ask, most or most_steps(kind, size), RATE)
    rows = []
    for seed, chosen in enumerate(best_of(checks).tolist()):
        best = checks[chosen]
        row = _row(name, size, variant, seed, best.asked.test[seed].item())
        row |= {"steps": best.steps, "curve": [
            [c.steps, *(round(a[seed].item(), 4) for a in c.asked)] for c in checks
        ]}  # fmt: skip
        if best.mix is not None and best.mix.shape[1] > 1:
            row["mix"] = [round(share, 3) for share in best.mix[seed].tolist()]
        rows.append(row)
    return rows


def most_steps(kind: str, labels: int) -> int:
    """Return after how many steps a network is stopped that still gains."""
    return SHORT if kind == "tagging" and labels <= FEW else MOST


class Parts:
    """Three parts of every seed's task as numbers, with one list of labels."""

    def __init__(self, tasks: Sequence[Task]):
        self.labels = sorted({label for task in tasks for label in task.labels})
        self.train, self.words = numbered(tasks, "train", self.labels)
        self.valid, self.test = (numbered(tasks, p, self.labels)[0] for p in ("valid", "test"))


def made(how: Ingredient, table: Table | None, parts: Parts, kind: str) -> Mixing:
    """Return untrained networks, each drawn from its own seed."""
    networks = []
    for seed in range(FOLDS):
        torch.manual_seed(seed)
        networks.append(one_network(how, table, len(parts.labels), parts.words, kind))
    return Taggers(networks) if kind == "tagging" else Bags(networks)


def one_network(
    how: Ingredient, table: Table | None, labels: int, words: int, kind: str
) -> WithLayers | Tagger | BagClassifier:
    """Return a network that takes what the ingredient gives."""
    width = table.width if table else 0
    network: Tagger | BagClassifier
    if kind == "tagging":
        sizes: dict[str, Any] = {
            "given": width if how.place in ("input", "both") else 0,
            "late": width if how.place in ("output", "both") else 0,
        }
        network = Tagger(labels, words, WIDTH, HIDDEN, dropout=0.3, **sizes)
    else:
        network = BagClassifier(labels, words, BAG_WIDTH, width)
    if table is None:
        return network
    return WithLayers(network, len(how.layers or range(table.count)), how.place, how.dropout)


@torch.no_grad()
def rights(
    together: Mixing, parts: Sequence[Coded], how: Ingredient, table: Table | None, part: str
) -> Tensor:
    """Return every network's share of right labels (P,)."""
    right, asked = torch.zeros(len(parts)), torch.zeros(len(parts))
    for batch in all_of(parts):
        guessed = together(batch, _given(how, table, batch, part)).argmax(dim=-1)
        real = batch.labels != IGNORED
        right += ((guessed == batch.labels) & real).flatten(1).sum(dim=1)
        asked += real.flatten(1).sum(dim=1)
    return right / asked


def _given(how: Ingredient, table: Table | None, batch: Sentences, part: str) -> Tensor | None:
    if table is None:
        return None
    return table.of(batch, part, how.layers or range(table.count))


def _row(name: str, size: int, variant: str, seed: int, score: float) -> Row:
    return {"task": name, "size": size, "variant": variant, "seed": seed,
            "score": round(score, 4)}  # fmt: skip


def which_bilm() -> str:
    """Say which model the numbers belong to."""
    reached = shipped_cards()["course_elmo"]["metrics"]
    return f"course_elmo of perplexity {reached['forward_perplexity']:.1f}"


RACE = register(
    Race(
        "made_of",
        "what is ELMo made of: every ingredient on four tasks, each stopped by one rule",
        laps,
        said,
        sets=REGISTERED,
        model=which_bilm,
    )
)
