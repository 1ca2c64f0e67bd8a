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
from course_utils.training.recipes.recipe import Config, Plan, Recipe, get_recipe
from course_utils.training.recipes.trained import save_trained
from course_utils.training.resume.checkpoints import Refused
from course_utils.training.resume.one_writer import one_run
from course_utils.training.resume.run_state import FILE, differences, sweep_run

STOP_ON = (signal.SIGINT, signal.SIGTERM)  # a scheduler announces the end of the time it gives
FINISHED = "finished"


@dataclass(frozen=True)
class RunOptions:
    """Options of a run that do not change the model it produces."""

    label: str = "training"
    folder: Path | None = None  # where the run is kept until it is finished
    resume: bool = False
    progress: bool = True


@dataclass(frozen=True)
class Finish:
    """How a run ended; the card exists only if it finished, and only on the chief.

    A model that was already finished is left alone, with an empty history.
    """

    name: str
    history: History
    out: Path
    card: dict[str, Any] | None = None

    @property
    def was_interrupted(self) -> bool:
        """Return whether the run can be resumed."""
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
    **changes: Any,
) -> Finish:
    """Run a recipe, with changes to its config, and leave OUT/NAME.safetensors and its card.

    Until it is finished, the run itself is kept in OUT/NAME.run for `resume`.
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
            if _is_finished_already(recipe, config, out, here, resume):
                return Finish(recipe.name, History(), out)
            options = RunOptions(recipe.name, _folder(recipe, out), resume, progress)
            return _make(recipe, config, out, here, options)


def _make(
    recipe: Recipe, config: Config, out: Path, device: torch.device, options: RunOptions
) -> Finish:
    """Train the model and write it."""
    seed_everything(config.seed)
    plan, folder = recipe.plan(config), _folder(recipe, out)
    engine = engine_for(plan.model, device)
    history = run_plan(plan, config, device, options, engine)
    if history.stopped == "interrupted":
        return Finish(recipe.name, history, out)
    measured = engine.ask(plan.measure)
    if measured is None:  # not the chief
        return Finish(recipe.name, history, out)
    tied = tied_names(plan.model)
    weights = plan.export({k: v for k, v in plan.model.state_dict().items() if k not in tied})
    card = _card(recipe, config, weights, history, measured)
    dtype = torch.float16 if recipe.half else torch.float32
    card = save_trained(out, card, weights, plan.keep, dtype)
    (folder / FILE).unlink()
    sweep_run(folder)
    return Finish(recipe.name, history, out, card)


def _folder(recipe: Recipe, out: Path) -> Path:
    """Return where a run is kept until its model is finished."""
    return out / f"{recipe.name}.run"


def run_plan(
    plan: Plan,
    config: Config,
    device: torch.device,
    options: RunOptions,
    engine: Engine | None = None,
) -> History:
    """Train a plan's model as its config says."""
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
        label=options.label,
        folder=options.folder,
        resume=options.resume,
        progress=options.progress,
    )


def _is_finished_already(
    recipe: Recipe, config: Config, out: Path, device: torch.device, resume: bool
) -> bool:
    """Return whether nothing is left to do; raise where something is in the way."""
    verdict = ""
    if current_world().is_chief:
        verdict = _finished(recipe, config, out, resume)
    verdict = told_by_chief(verdict, device)
    if verdict not in ("", FINISHED):
        raise Refused(verdict)
    return verdict == FINISHED


def _finished(recipe: Recipe, config: Config, out: Path, resume: bool) -> str:
    """Return FINISHED, or why the run cannot go on, or nothing if there is work to do.

    Only a model that matches its own card may be replaced; anything else is somebody's.
    """
    files = [out / f"{recipe.name}.{kind}" for kind in ("json", "safetensors")]
    there = [file for file in files if os.path.lexists(file)]
    if (_folder(recipe, out) / FILE).exists() or not there:
        return ""
    if not files[0].exists():
        return f"{there[0]} has no card beside it: move it away, or choose another folder"
    try:
        card = read_model(recipe.name, out).card
    except ModelFileError as error:
        return str(error)
    now = json.loads(json.dumps(asdict(config)))  # a card has no tuples
    different = differences(card["config"], now)
    if not (resume and different):
        return FINISHED if resume else ""
    return (
        f"{out / recipe.name}.safetensors is finished, with another config; the same command "
        "without --resume trains it again:\n" + "\n".join(different)
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
