"""A recipe records how a shipped model was made, so that anybody can make it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch

from course_utils.files import plain_name
from course_utils.training.losses import LossOf, StreamLoss
from course_utils.training.parallel.distributed import Batches
from course_utils.training.registry import Registry
from course_utils.training.schedules import Schedule, constant


@dataclass(frozen=True)
class Config:
    """The settings that every recipe has; each recipe adds its own sizes."""

    seed: int = 20
    steps: int = 1000
    lr: float = 3e-3
    clip: float = 1.0
    evaluate_every: int = 100
    patience: int | None = None
    accumulate: int = 1  # batches a step


@dataclass
class Plan:
    """Everything that a run needs, made from a config.

    `measure` returns the scores that go on the finished model's card; `keep` is what must be stored
    with the weights to rebuild the model without its data: JSON, such as the words it knows. `rows`
    is the dimension of a batch's tensors that is split between processes; `optimizer` builds an
    optimiser from the weights, once it is known which process holds which. `export` turns the
    trained weights into those that are stored, where a part is only needed for training.
    """

    model: torch.nn.Module
    batches: Batches
    evaluate: Callable[[Any], float]
    measure: Callable[[Any], dict[str, float]]
    loss: LossOf = field(default_factory=StreamLoss)
    schedule: Schedule = constant
    optimizer: Callable[[Iterable[torch.nn.Parameter]], torch.optim.Optimizer] | None = (
        None  # Adam, unless given
    )
    rows: int = 1
    bf16: bool | None = None  # compute in bfloat16; None: on GPUs that have it
    keep: dict[str, Any] = field(default_factory=dict)
    export: Callable[[dict[str, torch.Tensor]], dict[str, torch.Tensor]] = dict


@dataclass(frozen=True)
class Recipe:
    """A name, what it makes, of which data, and the two functions that do it.

    `plan(config)` prepares the run; `kind` is what `shipped.build_model` calls such a model.
    """

    name: str
    about: str
    data: str
    config: Config
    plan: Callable[[Any], Plan]
    kind: str
    half: bool = True  # store 16 bits a weight: right for all but networks that count
    needs: str = ""  # a set of the registry that must be fetched first


_RECIPES = Registry[Recipe]("recipes", "course_utils.training.cookbook")
register, all_recipes = _RECIPES.register, _RECIPES.all


def get_recipe(name: str) -> Recipe:
    """Return the recipe of that name, written with - or with _."""
    name, known = plain_name(name), all_recipes()
    if name not in known:
        raise ValueError(f"no recipe is called {name!r}: there are {', '.join(known)}")
    return known[name]
