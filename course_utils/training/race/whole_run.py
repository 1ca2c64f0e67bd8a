"""Train one run of a race to its end: interrupting a run interrupts the race."""

from __future__ import annotations

from course_utils.settings import choose_device, seed_everything
from course_utils.training.history import History
from course_utils.training.recipes.recipe import Config, Plan, get_recipe
from course_utils.training.recipes.run_recipe import RunOptions, run_plan


def run_to_the_end(
    name: str, config: Config, device: str | None, label: str
) -> tuple[Plan, History]:
    """Train a recipe with its seed."""
    seed_everything(config.seed)
    plan = get_recipe(name).plan(config)
    return plan, finish(plan, config, device, label)


def finish(plan: Plan, config: Config, device: str | None, label: str) -> History:
    """Train a plan as its config says."""
    return whole(run_plan(plan, config, choose_device(device), RunOptions(label)))


def whole(history: History) -> History:
    """Return the history of a run that finished; raise if it was stopped half-way."""
    if history.stopped != "finished":
        raise KeyboardInterrupt("a run was stopped, so the race is not whole")
    return history
