"""Know which cell an answer comes from, and whether that cell has been run again since."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any, NamedTuple

from IPython import get_ipython


class RunOfCell(NamedTuple):
    """One run of one cell."""

    number: int  # the number in its brackets
    cell: str | None  # its id, where the page tells it
    source: str
    began: bool  # it was Python
    worked: bool  # and ran to its end


_runs: list[RunOfCell] = []


def watch() -> None:
    """Remember from now on what is run, once per kernel."""
    shell = get_ipython()
    if shell is not None and _remember not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _remember)


def _remember(result: Any) -> None:
    info = result.info  # what is run without a place in the history has no number in brackets
    if info is not None and info.store_history and result.execution_count is not None:
        cell = getattr(info, "cell_id", None)
        began, worked = result.error_before_exec is None, bool(result.success)
        _runs.append(RunOfCell(result.execution_count, cell, str(info.raw_cell), began, worked))


def judged_cell(answer: object, name: str) -> tuple[str, str]:
    """Return "as run in [33]", and a warning when what is judged is older than it looks."""
    source = _source_of(answer)
    if not source:
        return "", ""
    defining = [run for run in _runs if run.began and source in run.source]
    if not defining:
        return "", ""
    run = defining[-1]
    later = [other for other in _runs if other.number > run.number and _is_again(run, other, name)]
    if not later:
        return f"as run in [{run.number}]", ""
    now = later[-1]
    what = "no longer defines it" if now.worked else "stopped with an error"
    return (
        f"as run in [{run.number}]",
        f"This judges {name} as run in [{run.number}]: the cell has been run since, as "
        f"[{now.number}], but {what}.",
    )


def _is_again(run: RunOfCell, other: RunOfCell, name: str) -> bool:
    """Return whether a later run is of the same cell, or was meant to define the same function."""
    same_cell = run.cell is not None and other.cell == run.cell
    return same_cell or f"def {name}(" in other.source


def _source_of(answer: Any) -> str:
    if type(answer) not in (FunctionType, type):  # others might do anything when looked at
        return ""
    try:
        return inspect.getsource(answer).strip()
    except (OSError, TypeError, ValueError):  # made by exec, or wrapped in itself
        return ""
