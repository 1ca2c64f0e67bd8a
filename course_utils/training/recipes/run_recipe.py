"""Make a trained model from its recipe: alone, or as one of the processes of torchrun."""

from __future__ import annotations

import os
import platform
import signal
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from course_utils.settings import choose_device, default_threads, seed_everything
from course_utils.training.distributed import joined_world, shared
from course_utils.training.history import History
from course_utils.training.loop import fit
from course_utils.training.recipes.recipe import Config, Plan, Recipe, get_recipe
from course_utils.training.recipes.trained import save_trained
from course_utils.training.resume.run_state import FILE

STOP_ON = (signal.SIGINT, signal.SIGTERM)  # a scheduler announces the end of the time it gives


@dataclass(frozen=True)
class Outcome:
    """How a run ended; the card is there when it was finished, and on the chief only."""

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
    **changes: object,
) -> Outcome:
    """Run a recipe, with changes to its config, and leave OUT/NAME.safetensors and its card.

    Until it is finished, the run itself is kept in OUT/NAME.run for `resume`.
    """
    recipe = get_recipe(name)
    name = recipe.name
    changes |= {} if steps is None else {"steps": steps}
    config = replace(recipe.config, **changes)
    if config.steps < 1:
        raise ValueError(f"steps must be at least 1, not {config.steps}")
    out, chosen = Path(out), choose_device(device)
    folder = out / f"{name}.run"
    if resume and not (folder / FILE).exists() and (out / f"{name}.json").exists():
        raise ValueError(
            f"{out / name}.safetensors is finished: there is nothing to resume. "
            "The same command without --resume makes it again"
        )
    if "OMP_NUM_THREADS" not in os.environ:  # torchrun sets it, so that processes share the cores
        torch.set_num_threads(default_threads())
    with joined_world(chosen) as world:
        seed_everything(config.seed)
        plan = recipe.plan(config)
        history = run_plan(name, config, plan, chosen, folder, resume, progress)
        if history.stopped == "interrupted" or not world.is_chief:
            return Outcome(name, history, out)
        card = _card(recipe, config, plan, history)
        dtype = torch.float16 if recipe.half else torch.float32
        card = save_trained(out, card, plan.model, plan.keep, dtype)
        (folder / FILE).unlink()
        folder.rmdir()
        return Outcome(name, history, out, card)


def run_plan(
    name: str,
    config: Config,
    plan: Plan,
    device: torch.device,
    folder: Path | None = None,
    resume: bool = False,
    progress: bool = True,
) -> History:
    """Train a plan's model as its config says; with a folder, so that it can go on later."""
    every = min(config.evaluate_every, config.steps)
    return fit(
        plan.model,
        shared(plan.batches, plan.rows),
        plan.loss,
        steps=config.steps,
        optimizer=plan.optimizer or torch.optim.Adam(plan.model.parameters(), lr=config.lr),
        accumulate=config.accumulate,
        schedule=plan.schedule,
        clip=config.clip,
        evaluate=plan.evaluate,
        evaluate_every=every,
        patience=config.patience,
        folder=folder,
        save_every=every,
        resume=resume,
        about=asdict(config),
        device=device,
        progress=progress,
        label=name,
        stop_on=STOP_ON,
    )


def _card(recipe: Recipe, config: Config, plan: Plan, history: History) -> dict[str, Any]:
    plan.model.eval()
    with torch.no_grad():
        measured = plan.measure(plan.model)
    return {
        "recipe": recipe.name,
        "kind": recipe.kind,
        "about": recipe.about,
        "data": recipe.data,
        "config": asdict(config),
        "seed": config.seed,
        "steps": len(history),
        "best_step": history.best_step,
        "parameters": sum(p.numel() for p in plan.model.parameters()),
        "metrics": measured,
        "seconds": round(history.elapsed, 1),
        "made_with": f"torch {torch.__version__}, Python {platform.python_version()}",
    }
