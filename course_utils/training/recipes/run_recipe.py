"""Make a trained model from its recipe: alone, or as one of the processes of torchrun."""

from __future__ import annotations

import json
import os
import platform
import signal
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.optim import Adam

from course_utils.files import sweep_partials
from course_utils.models.model_file import ModelFileError, read_model, tied_names
from course_utils.settings import choose_device, default_threads, seed_everything
from course_utils.training.history import History
from course_utils.training.loop import fit
from course_utils.training.parallel.distributed import (
    current_world,
    joined_world,
    local_device,
    shared,
    told_by_chief,
)
from course_utils.training.parallel.engine import Engine, engine_for
from course_utils.training.parallel.shards import gathered
from course_utils.training.recipes.recipe import Config, Plan, Recipe, get_recipe
from course_utils.training.recipes.trained import save_trained
from course_utils.training.resume.checkpoints import Refused
from course_utils.training.resume.one_writer import one_run
from course_utils.training.resume.run_state import FILE, differences, sweep_run

STOP_ON = (signal.SIGINT, signal.SIGTERM)  # a scheduler announces the end of the time it gives
FINISHED = "finished"


@dataclass(frozen=True)
class Finish:
    """How a run ended; the card is there when it was finished, and on the chief only.

    A model that was finished before is left alone: its history is empty.
    """

    name: str
    history: History
    out: Path
    card: dict[str, Any] | None = None

    @property
    def was_interrupted(self) -> bool:
        """Return whether the run waits to go on."""
        return self.history.stopped == "interrupted"

    def __str__(self) -> str:
        steps = f"{len(self.history):,} steps"
        if self.was_interrupted:
            return f"{self.name} stopped after {steps}; the same command with --resume goes on"
        if not len(self.history):
            return f"{self.out / self.name}.safetensors is finished and left as it is"
        if self.card is None:
            return f"{self.name} finished after {steps}"
        numbers = ", ".join(f"{name} {value:.4g}" for name, value in self.card["metrics"].items())
        return f"{self.out / self.name}.safetensors: {numbers} ({steps}, {self.card['seconds']} s)"


def train(
    name: str,
    out: str | Path = "trained",
    device: str | None = None,
    steps: int | None = None,
    resume: bool = False,
    progress: bool = True,
    shard: bool = False,
    **changes: Any,
) -> Finish:
    """Run a recipe, with changes to its config, and leave OUT/NAME.safetensors and its card.

    Until it is finished, the run itself is kept in OUT/NAME.run for `resume`. With `shard` every
    process of the run holds a share of the model instead of a copy.
    """
    recipe = get_recipe(name)
    changes |= {} if steps is None else {"steps": steps}
    config = replace(recipe.config, **changes)
    if config.steps < 1:
        raise ValueError(f"steps must be at least 1, not {config.steps}")
    out, chosen = Path(out), choose_device(device)
    if "OMP_NUM_THREADS" not in os.environ:  # torchrun sets it, so that processes share the cores
        torch.set_num_threads(default_threads())
    with joined_world(chosen) as world:
        here = local_device(chosen)
        with one_run(out / f".{recipe.name}.lock", here):
            if world.is_chief:
                sweep_partials(out, f"{recipe.name}.*")
                sweep_run(_folder(recipe, out))
            if resume and _is_finished_already(recipe, config, out, here):
                return Finish(recipe.name, History(), out)
            return _make(recipe, config, out, here, shard, resume=resume, progress=progress)


def _make(
    recipe: Recipe, config: Config, out: Path, device: torch.device, shard: bool, **how: bool
) -> Finish:
    """Train the model and write it."""
    seed_everything(config.seed)
    plan, folder = recipe.plan(config), _folder(recipe, out)
    engine = _shards(plan.model, device) if shard else engine_for(plan.model, device)
    history = run_plan(plan, config, device, engine, folder=folder, label=recipe.name, **how)
    if history.stopped == "interrupted":
        return Finish(recipe.name, history, out)
    measured = engine.ask(plan.measure)
    tied = tied_names(plan.model)
    weights = gathered({k: v for k, v in plan.model.state_dict().items() if k not in tied})
    if measured is None or not current_world().is_chief:
        return Finish(recipe.name, history, out)
    weights = plan.export(weights)
    card = _card(recipe, config, weights, history, measured)
    dtype = torch.float16 if recipe.half else torch.float32
    card = save_trained(out, card, weights, plan.keep, dtype)
    (folder / FILE).unlink()
    sweep_run(folder)
    return Finish(recipe.name, history, out, card)


def _folder(recipe: Recipe, out: Path) -> Path:
    """Return where a run is kept until its model is finished."""
    return out / f"{recipe.name}.run"


def _shards(model: torch.nn.Module, device: torch.device) -> Engine:
    from course_utils.training.parallel.sharded import Sharded  # its imports take a second

    return Sharded(model, device)


def run_plan(
    plan: Plan, config: Config, device: torch.device, engine: Engine | None = None, **how: Any
) -> History:
    """Train a plan's model as its config says; `how` is what `fit` understands."""
    every = min(config.evaluate_every, config.steps)
    return fit(
        engine or plan.model,
        shared(plan.batches, plan.rows),
        plan.loss,
        steps=config.steps,
        optimizer=(plan.optimizer or partial(Adam, lr=config.lr))(plan.model.parameters()),
        accumulate=config.accumulate,
        schedule=plan.schedule,
        clip=config.clip,
        evaluate=plan.evaluate,
        evaluate_every=every,
        patience=config.patience,
        save_every=every,
        about=asdict(config),
        device=device,
        bf16=plan.bf16,
        stop_on=STOP_ON,
        **how,
    )


def _is_finished_already(recipe: Recipe, config: Config, out: Path, device: torch.device) -> bool:
    """Return whether nothing is left to do; raise where another config's model is in the way."""
    verdict = ""
    if current_world().is_chief:
        verdict = _finished(recipe, config, out)
    verdict = told_by_chief(verdict, device)
    if verdict not in ("", FINISHED):
        raise Refused(verdict)
    return verdict == FINISHED


def _finished(recipe: Recipe, config: Config, out: Path) -> str:
    """Return FINISHED, why it cannot go on, or nothing where there is something to do."""
    if (_folder(recipe, out) / FILE).exists() or not (out / f"{recipe.name}.json").exists():
        return ""
    try:
        card = read_model(recipe.name, out).card
    except ModelFileError as error:
        return str(error)
    now = json.loads(json.dumps(asdict(config)))  # a card has no tuples
    different = differences(card["config"], now)
    if not different:
        return FINISHED
    return (
        f"{out / recipe.name}.safetensors is finished, with another config; the same command "
        "without --resume makes it anew:\n" + "\n".join(different)
    )


def _card(
    recipe: Recipe,
    config: Config,
    weights: dict[str, torch.Tensor],
    history: History,
    measured: dict[str, float],
) -> dict[str, Any]:
    return {
        "recipe": recipe.name,
        "kind": recipe.kind,
        "about": recipe.about,
        "data": recipe.data,
        "config": asdict(config),
        "seed": config.seed,
        "steps": len(history),
        "best_step": history.best_step,
        "parameters": sum(weight.numel() for weight in weights.values()),
        "metrics": measured,
        "seconds": round(history.elapsed, 1),
        "made_with": f"torch {torch.__version__}, Python {platform.python_version()}",
    }
