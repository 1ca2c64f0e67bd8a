"""Run a race into a folder: one process at a time, keeping old results until there are new ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from course_utils.files import sweep_partials
from course_utils.settings import choose_device
from course_utils.training.parallel.distributed import asked_world
from course_utils.training.race.race import Race
from course_utils.training.race.rows import begun
from course_utils.training.resume.checkpoints import Refused
from course_utils.training.resume.one_writer import one_run


def run_race(
    race: Race,
    out: Path,
    steps: int | None = None,
    device: str | None = None,
    resume: bool = False,
) -> str:
    """Write OUT/NAME.json and say so; until all laps have run, their rows are in a file next to it.

    Laps that need a set that is not in the cache cannot run: then that file stays unfinished.
    """
    path = out / f"{race.name}.json"
    unfinished = path.with_name(f"{race.name}.unfinished.json")
    with _alone(race, out, steps, device):
        if resume and path.exists() and not unfinished.exists():
            begun(path, steps)  # of another number of steps, or damaged: raises
            return f"{path} is finished and left as it is"
        if os.path.lexists(path):  # before the hours that a race takes, not after
            raise ValueError(f"{path} is there already: move it away, or choose another folder")
        if os.path.lexists(unfinished) and not resume:
            raise ValueError(
                f"{unfinished} holds a race already: go on with --resume, choose another folder, "
                "or delete it"
            )
        race.run(unfinished, steps, device)
        if lacking := race.missing_sets():
            raise ValueError(
                f"{unfinished} lacks the rows that need {', '.join(lacking)}: get them with "
                f"`course data fetch {lacking[0]}`, then go on with --resume"
            )
        os.replace(unfinished, path)
        race.after(path)
    return str(path)


@contextmanager
def _alone(race: Race, out: Path, steps: int | None, device: str | None) -> Iterator[None]:
    """Let one process race into a folder, and sweep what a killed one left half-written."""
    if asked_world().size > 1:
        raise Refused("a race is many small runs, one after the other: start it without torchrun")
    if steps is not None and steps < 1:
        raise ValueError(f"steps must be at least 1, not {steps}")
    with one_run(out / f".{race.name}.lock", choose_device(device)):
        sweep_partials(out, f"{race.name}.*")
        yield
