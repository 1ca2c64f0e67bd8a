"""A race of many runs: each goes to its end, and the file is whole after every one of them."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from course_utils.settings import choose_device, seed_everything
from course_utils.training.history import History
from course_utils.training.recipes.recipe import Config, Plan, get_recipe
from course_utils.training.recipes.run_recipe import run_plan
from course_utils.training.resume.checkpoints import write_whole

Row = dict[str, Any]


class Lap(NamedTuple):
    """One run: what marks its row in the file, and how the rest of the row comes about."""

    key: Row
    run: Callable[[], Row | None]  # None: it cannot be made here, and stays to be made


def run_laps(
    path: str | Path,
    steps: int | None,
    laps: Iterable[Lap],
    say: Callable[[Row], str],
    tell: Callable[[str], None] = print,
) -> Path:
    """Run what does not stand in the file already; it is whole after every lap.

    `steps` are those that all laps run instead of their own; rows of others are not added to.
    """
    path = Path(path)
    results = begun(path, steps)
    for key, run in laps:
        if any(key.items() <= row.items() for row in results["rows"]):
            continue
        found = run()
        if found is not None:
            tell(say(key | found))
            results["rows"].append(key | found)
            write_rows(results, path)
    return path


def run_to_the_end(
    name: str, config: Config, device: str | None, label: str
) -> tuple[Plan, History]:
    """Train a recipe with its seed."""
    seed_everything(config.seed)
    plan = get_recipe(name).plan(config)
    return plan, finish(plan, config, device, label)


def finish(plan: Plan, config: Config, device: str | None, label: str) -> History:
    """Train a plan as its config says; an interrupted run is none, and interrupts the race."""
    history = run_plan(plan, config, choose_device(device), label=label)
    if history.stopped != "finished":
        raise KeyboardInterrupt("a run was stopped, so the race is not whole")
    return history


def made_with() -> str:
    """Return the versions that numbers depend on."""
    return f"torch {torch.__version__}, Python {platform.python_version()}"


def begun(path: Path, steps: int | None) -> dict[str, Any]:
    """Return what stands in the file already, of as many steps, or results without a row."""
    if not path.exists():
        told = {} if steps is None else {"steps": steps}
        return {"made_with": made_with(), **told, "rows": []}
    results = load_rows(path)
    if not _can_grow(results):
        raise _damaged(path, "it does not hold a race's rows")
    if results.get("steps") != steps:
        raise ValueError(
            f"{path} was begun with {_called(results.get('steps'))}, and now it is "
            f"{_called(steps)}: go on as it began, choose another folder, or delete it"
        )
    return results


def _can_grow(results: Any) -> bool:
    """Return whether rows can be compared with laps, and more be added to them."""
    return (
        isinstance(results, dict)
        and isinstance(results.get("made_with"), str)
        and isinstance(results.get("rows"), list)
        and all(isinstance(row, dict) for row in results["rows"])
    )


def _called(steps: int | None) -> str:
    return "the race's own steps" if steps is None else f"--steps {steps}"


def _damaged(path: Path, problem: object) -> ValueError:
    return ValueError(
        f"{path} is damaged ({problem}): put a whole copy back, choose another folder, or delete it"
    )


def load_rows(path: str | Path) -> dict[str, Any]:
    """Return the results in a file."""
    path = Path(path)
    try:
        results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise _damaged(path, error) from error
    return results


def write_rows(results: dict[str, Any], path: Path) -> None:
    """Write the results, one run a line so that a change can be read."""
    lines = ",\n  ".join(map(json.dumps, results["rows"]))
    head = json.dumps({key: about for key, about in results.items() if key != "rows"})[:-1]
    write_whole(path, f'{head},\n "rows": [\n  {lines}\n ]}}\n'.encode())
