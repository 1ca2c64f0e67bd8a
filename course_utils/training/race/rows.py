"""A race's file while it grows: whole after every lap, and from one kind of run only."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

import torch

from course_utils.results.files import damaged, load_results
from course_utils.training.resume.checkpoints import write_whole


def begun(path: Path, steps: int | None, model: str = "") -> dict[str, Any]:
    """Return what is already in the file, from runs of as many steps, or results without a row.

    `model` names what the numbers depend on besides the versions; rows of another are refused.
    """
    made = "; ".join(part for part in (made_with(), model) if part)
    if not path.exists():
        told = {} if steps is None else {"steps": steps}
        return {"made_with": made, **told, "rows": []}
    results = load_results(path)
    if not _can_grow(results):
        raise damaged(path, "it does not hold a race's rows")
    if results.get("steps") != steps:
        raise ValueError(
            f"{path} was begun with {_called(results.get('steps'))}, and now it is "
            f"{_called(steps)}: go on as it began, choose another folder, or delete it"
        )
    if results["rows"] and not results["made_with"].endswith(model):
        raise ValueError(
            f"{path} holds what {results['made_with']} reached, and this is {model}: "
            "choose another folder, or delete the file"
        )
    return results


def made_with() -> str:
    """Return the versions that the numbers depend on."""
    return f"torch {torch.__version__}, Python {platform.python_version()}"


def write_rows(results: dict[str, Any], path: Path) -> None:
    """Write the results, one run a line so that a change can be read."""
    lines = ",\n  ".join(map(json.dumps, results["rows"]))
    head = json.dumps({key: about for key, about in results.items() if key != "rows"})[:-1]
    write_whole(path, f'{head},\n "rows": [\n  {lines}\n ]}}\n'.encode())


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
