"""Read first, then learn the labels: a classifier that starts as a language model.

All comparisons use one network: a forward LSTM whose states are averaged. It starts from random
weights, or from those of a language model that has read the unlabelled text (Dai & Le 2015), and
then its parts learn in one of the ways in STARTS.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import torch
from torch import nn

from course_utils.data.tagging.examples import Example, Task
from course_utils.data.vocabulary import words_of
from course_utils.models import RecurrentLM
from course_utils.models.tagging import Classifier, Coder
from course_utils.training.tagging.tasks import Sizes, TokenTask, fit_network, score

STARTS = {
    "scratch": "drawn weights, all learn",
    "frozen": "the language model's, only the readout learns",
    "all": "the language model's, all learn from the first step at one rate",
    "slowed": "the language model's, all learn from the first step, the lower the slower",
    "gradual": "the language model's, from the readout down, the lower the slower",
}
SLOWER = ("slowed", "gradual")
STEPS = {50: 60, 200: 100, 1000: 180, 5000: 320}  # by the number of labels
READOUT, RATE = 1e-2, 2e-3  # the readout's rate in every start; that of what lies below it
LOWER = 0.25  # of the rate of the layer above it (after Howard & Ruder 2018, who take 1 / 2.6)

Stage = tuple[float, list[dict[str, Any]]]


class Tuned(NamedTuple):
    """A classifier that has learned from some labels, and its accuracy on the test part."""

    network: Classifier
    coder: Coder
    accuracy: float


def make_reader(task: Task, language_model: RecurrentLM, start: str) -> tuple[Classifier, Coder]:
    """Return the classifier before any label was seen, and the coder of its words."""
    if start not in STARTS:
        raise ValueError(f"start must be one of {', '.join(map(repr, STARTS))}, not {start!r}")
    words = words_of(language_model)
    width, hidden = language_model.embedding.embedding_dim, language_model.recurrent.hidden_size
    network = Classifier(len(task.labels), pooling="mean", words=len(words), width=width,
                         hidden=hidden, direction="forward", dropout=0.3)  # fmt: skip
    assert network.input.embedding is not None
    if start != "scratch":
        network.input.embedding.load_state_dict(language_model.embedding.state_dict())
        layers = network.encoder.layers[0]
        assert isinstance(layers, nn.ModuleDict)
        layers["ahead"].load_state_dict(language_model.recurrent.state_dict())
    return network, Coder(words, task.labels)


def tune(
    task: Task,
    language_model: RecurrentLM,
    labels: int,
    start: str = "gradual",
    seed: int = 0,
    steps: int | None = None,
    progress: bool = False,
) -> Tuned:
    """Learn from `labels` sentences, the seed's own choice, balanced; judge on the test part."""
    torch.manual_seed(seed)
    steps = steps or STEPS[labels]
    network, coder = make_reader(task, language_model, start)
    few = task._replace(train=draw_labelled(task, labels, seed))
    for share, groups in stages(network, start):
        sizes = Sizes(steps=max(1, round(share * steps)))
        for parameter in network.parameters():
            parameter.requires_grad_(False)
        for group in groups:
            for parameter in group["params"]:
                parameter.requires_grad_()
        optimizer = torch.optim.Adam(groups)
        fit_network(
            network,
            TokenTask(few, coder, words_of(language_model)),
            sizes,
            seed,
            progress,
            None,
            optimizer,
        )
    return Tuned(network.eval(), coder, score(network, coder, task))


def stages(network: Classifier, start: str) -> list[Stage]:
    """Return which parts learn for which share of the steps, each with its rate.

    Starts differ only in what their names say: the readout's rate is the same in all of them.
    """
    slower = LOWER if start in SLOWER else 1.0
    parts = [
        (list(network.output.parameters()) + list(network.pooling.parameters()), READOUT),
        (list(network.encoder.parameters()), slower * RATE),
        (list(network.input.parameters()), slower**2 * RATE),
    ]
    if start == "frozen":
        shares = {1: 1.0}  # number of parts, counted from the top: share of the steps
    else:
        shares = {1: 0.3, 2: 0.3, 3: 0.4} if start == "gradual" else {3: 1.0}
    return [
        (share, [{"params": weights, "lr": rate} for weights, rate in parts[:deep]])
        for deep, share in shares.items()
    ]


def draw_labelled(task: Task, labels: int, seed: int) -> list[Example]:
    """Return a seed's own choice of examples, as many of each label as can be."""
    random = Random(f"{task.name} {seed}")
    by_label: dict[str, list[Example]] = {label: [] for label in sorted(task.labels)}
    for example in task.train:
        by_label[example.labels[0]].append(example)
    chosen: list[Example] = []
    for number, examples in enumerate(by_label.values()):
        share = labels // len(by_label) + (number < labels % len(by_label))
        chosen += random.sample(examples, share)
    random.shuffle(chosen)
    return chosen
