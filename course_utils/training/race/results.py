"""Race the Elman network, the GRU and the LSTM: everybody, every start, every seed, one file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

from course_utils.data.memory_tasks import Adding
from course_utils.models.layers.recurrent import CELLS
from course_utils.training.race.one_by_one import load_rows, made_with
from course_utils.training.race.races import EQUALS, RACES, STARTS, Entrant, run_entrant
from course_utils.training.resume.checkpoints import write_whole

RESULTS = Path(__file__).parents[2] / "checkpoints" / "race.json"
SEEDS = (0, 1, 2)


def entrants() -> list[Entrant]:
    """Return everybody who runs.

    An Elman network has no gate biases to set; what it has is its matrix U. An LSTM's parameters
    are its own measure, and the bias of 1 is tried at equal width only.
    """
    every = (Entrant(*parts) for parts in product(CELLS, STARTS, EQUALS))
    return [e for e in every if _runs(e)]


def _runs(entrant: Entrant) -> bool:
    cell, start, equal = entrant
    if equal == "parameters" and (cell == "lstm" or start == "one"):
        return False
    return (start in ("torch", "orthogonal")) if cell == "elman" else start != "orthogonal"


def run_races(
    names: Iterable[str] | None = None,
    seeds: Iterable[int] | None = None,
    steps: int | None = None,
    device: str | None = None,
    tell: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Run races, all of them unless told, with everybody and every seed."""
    names, seeds = names or RACES, list(seeds or SEEDS)
    races = {}
    for name in names:
        race = RACES[name]
        rows = []
        for entrant in entrants():
            runs = [run_entrant(race, entrant, seed, steps, device) for seed in seeds]
            if not all(run.finished for run in runs):
                raise KeyboardInterrupt("a run was stopped, so the race is not whole")
            first = runs[0]
            rows.append(
                entrant._asdict()
                | {"width": first.width, "parameters": first.parameters}
                | {"scores": [run.scores for run in runs]}
            )
            ends = [run.scores[-1] for run in runs]
            tell(f"{name}: {' '.join(entrant)}, {first.width} units, ends at {ends}")
        unit = "error" if isinstance(race.task, Adding) else "accuracy"
        races[name] = {
            "unit": unit, "chance": race.task.chance, "lag": race.lag,
            "steps": first.steps, "rows": rows,
        }  # fmt: skip
    return {"made_with": made_with(), "seeds": seeds, "races": races}


def save_results(results: dict[str, Any], path: str | Path = RESULTS) -> Path:
    """Write the results, one run a line so that a change can be read."""
    path = Path(path)
    text = json.dumps(results, indent=1)
    write_whole(path, (_short_lists(text) + "\n").encode())
    return path


def load_results(path: str | Path = RESULTS) -> dict[str, Any]:
    """Return the shipped results, or those of another file."""
    return load_rows(path)


def find_row(results: dict[str, Any], name: str, entrant: Entrant) -> dict[str, Any]:
    """Return one entrant's row; an LSTM is its own equal, an Elman network has a start of its own.

    Where the gated networks get biases for the lag, it gets an orthogonal U.
    """
    if entrant.cell == "lstm":
        entrant = entrant._replace(equal="width")
    if entrant.cell == "elman":
        starts = {"one": "torch", "chrono": "orthogonal"}
        entrant = entrant._replace(start=starts.get(entrant.start, entrant.start))
    rows: list[dict[str, Any]] = results["races"][name]["rows"]
    for row in rows:
        if (row["cell"], row["start"], row["equal"]) == tuple(entrant):
            return row
    raise LookupError(f"{name} was not run by {' '.join(entrant)}: course train race runs it")


def _short_lists(text: str) -> str:
    """Put every list of numbers on one line."""
    return re.sub(r"\[[^\[\]{}\"]*\]", lambda m: " ".join(m.group().split()), text)
