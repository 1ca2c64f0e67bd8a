"""Results files: where the shipped ones are, and how to read any of them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

Row = dict[str, Any]
FOLDER = Path(__file__).parent


def shipped_file(name: str) -> Path:
    """Return the path of a race's results in the package."""
    return FOLDER / f"{name}.json"


@cache
def shipped_rows(name: str) -> list[Row]:
    """Return the rows of a shipped race, read once: a slider that moves must not wait for it."""
    return load_rows(shipped_file(name))


def load_rows(path: str | Path) -> list[Row]:
    """Return the rows in a file of results."""
    rows: list[Row] = load_results(path)["rows"]
    return rows


def load_results(path: str | Path) -> dict[str, Any]:
    """Return everything in a file of results: its rows, and what they were made with."""
    path = Path(path)
    try:
        results: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged(path, error) from error
    return results


def damaged(path: Path, problem: object) -> ValueError:
    """Return the error that says which file cannot be used, and what to do about it."""
    return ValueError(
        f"{path} is damaged ({problem}): put a whole copy back, choose another folder, or delete it"
    )


def not_run(what: str, race: str) -> LookupError:
    """Return the error for a row that no run produced."""
    return LookupError(f"{what} was not run: course train {race} runs it")
