"""Run a lecture's claims in one process, and every false world in a fork of it; report all.

Only cells that a claim needs are run, unless all are wanted. A false world costs only what its
claims need below the first cell that it changes: the cells above have run in the parent.
`report(path)` starts the process; each has one thread, for a fork keeps none of its parent's.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from course_utils.checks.promises import claims
from course_utils.checks.promises.measured import Measured
from course_utils.pages.notebook import Cell, Notebook, read
from tools.claims.worlds import World, claims_in, claims_of, read_worlds, sources_in
from tools.needs import Needs

LONGEST = 180  # seconds that a false world may run
ALONE = {
    **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
    "CUDA_VISIBLE_DEVICES": "",  # a fork cannot use the parent's GPU
    "COURSE_DEVICE": "cpu",
    "MPLBACKEND": "agg",
}


class InWorld(NamedTuple):
    """What a claim measured in a false world, or the problem that kept it from measuring."""

    world: str
    claim: str
    value: float | None
    problem: str


class Report(NamedTuple):
    """All claims of a lecture, what they measured in their false worlds, and what went wrong."""

    claims: list[Measured]
    outcomes: list[InWorld]
    problem: str


def report(path: Path, folder: Path | None = None, whole: bool = False) -> Report:
    """Run a lecture's claims and false worlds in a process of their own.

    Where all cells are run, random numbers are those that a reader meets.
    """
    with tempfile.TemporaryDirectory() as home:
        out = Path(home, "report.json")
        words = [str(path.resolve()), str(out), *(["whole"] if whole else [])]
        words += [str(folder.resolve())] if folder else []
        told = subprocess.run(
            [sys.executable, "-m", __name__, *words],
            cwd=path.parent,
            env={**os.environ, **ALONE, "IPYTHONDIR": home},
            capture_output=True,
            text=True,
        )
        if not out.exists():
            raise RuntimeError(f"{path.name} ended without a report:\n{told.stderr[-3000:]}")
        found = json.loads(out.read_text(encoding="utf-8"))
    measured = [Measured(*one) for one in found["claims"]]
    return Report(measured, [InWorld(*one) for one in found["outcomes"]], found["problem"])


class LectureRun:
    """A lecture of which runs what its claims need: what they have measured so far."""

    def __init__(self, notebook: Notebook):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        quiet = Config({"HistoryManager": {"enabled": False}})
        self.shell = InteractiveShell.instance(config=quiet)
        self.cells = notebook.code
        self.have_run: set[int] = set()
        self.found: dict[str, Measured] = {}
        claims.conclude = self.record

    def cell(self, cell: Cell) -> str:
        """Run a cell; return its error in one line."""
        result = self.shell.run_cell(cell.source, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        return f"cell {cell.node.id!r}: {type(error).__name__}: {error}" if error else ""

    def record(self, found: Measured) -> None:
        """Stand in for a claim's conclusion: go on, whether it holds or not."""
        self.found[found.number] = found

    def true(self, place: int) -> str:
        """Run a cell as it stands in the lecture."""
        self.have_run.add(place)
        return self.cell(self.cells[place])

    def false(self, sources: dict[str, str], wanted: set[str]) -> str:
        """Run what the wanted claims of a false world need and the true one has not run."""
        for name in wanted:
            self.found.pop(name, None)
        cells = [cell.saying(sources.get(cell.node.id, cell.source)) for cell in self.cells]
        for place in sorted(needed(cells, wanted) - self.have_run):
            if problem := self.cell(cells[place]):
                return problem
        return "the claim was not reached"


def needed(cells: list[Cell], wanted: Iterable[str]) -> set[int]:
    """Return the places of the cells that hold these claims, and of all that those need."""
    wanted = set(wanted)
    return Needs(cells).of(p for p, cell in enumerate(cells) if wanted & claims_in(cell).keys())


def run_all(notebook: Notebook, worlds: list[World], whole: bool) -> Report:
    """Run a lecture's claims in this process, forking off its false worlds on the way."""
    run, outcomes, all_claims = LectureRun(notebook), [], claims_of(notebook).keys()
    changed = [(world, sources_in(world, notebook)) for world in worlds]
    places = range(len(run.cells)) if whole else needed(run.cells, all_claims)
    for place, cell in enumerate(run.cells):
        for world, sources in list(changed):
            if cell.node.id in sources:
                outcomes += _in_a_fork(run, world, sources)
                changed.remove((world, sources))
        if place in places and (problem := run.true(place)):
            return Report(list(run.found.values()), outcomes, problem)
    missing = all_claims - run.found.keys()
    problem = f"never measured: {', '.join(sorted(missing))}" if missing else ""
    return Report(list(run.found.values()), outcomes, problem)


def _in_a_fork(run: LectureRun, world: World, sources: dict[str, str]) -> list[InWorld]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(LONGEST)
            problem = run.false(sources, set(world.breaks))
            values = {name: run.found[name].value for name in world.breaks if name in run.found}
            os.write(writer, json.dumps([problem, values]).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    ended = f"ended with status {status}" + (f", after {LONGEST} s" if status == 14 else "")
    why, measured = json.loads(told or json.dumps([ended, {}]))
    return [
        InWorld(world.name, name, measured.get(name), "" if name in measured else why)
        for name in world.breaks
    ]


def why_it_holds(outcome: InWorld, claim: Measured) -> str:
    """Return why a false world does not refute its claim; empty when it does."""
    where = f"claim {outcome.claim} in the world {outcome.world!r}"
    if outcome.value is None:
        return f"{where} measured nothing: {outcome.problem}"
    if math.isnan(outcome.value):
        return f"{where} is NaN: that is no measurement"
    if claim._replace(value=outcome.value).holds:
        return f"{where} still holds: {outcome.value:.4g}, {claim.band}; true {claim.value:.4g}"
    return ""


def main(path: str, out: str, *more: str) -> None:
    """Write the report of a lecture as JSON."""
    notebook = read(Path(path))
    known = read_worlds(notebook.path.stem, *(Path(word) for word in more if word != "whole"))
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        found = run_all(notebook, known.worlds, whole="whole" in more)
    Path(out).write_text(json.dumps(found._asdict()), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
