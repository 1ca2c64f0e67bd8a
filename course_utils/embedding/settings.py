"""What a folder's vectors are made from: the first process notes it, and all others must agree.

Shards of two kinds in one folder would ruin each other, and neither run could go on. The note also
distinguishes a folder of ours from one where somebody keeps other files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course_utils.files import only_writer, refuse_folders, sweep_partials, write_whole

SETTINGS = "settings.json"


def agree(
    folder: Path,
    settings: dict[str, object],
    shards: list[dict[str, object]],
    refuse_others: Callable[[], None],
) -> None:
    """Note what a folder is made from; refuse one that is made from anything else, untouched.

    The shards' fingerprints say it exactly; the settings say it in words that a reader understands.
    Before anything is noted, `refuse_others` looks for files that are not ours.
    """
    path, ours = folder / SETTINGS, {"settings": settings, "shards": shards}
    refuse_folders(path)
    with only_writer(folder / f".{SETTINGS}.lock", patient=True):
        sweep_partials(folder, f"{SETTINGS}.*")
        if not path.exists():
            refuse_others()
            write_whole(path, as_json(ours))
            return
        theirs = _read(path)
    if theirs["shards"] != shards:
        raise ValueError(
            f"{folder} was begun with {_difference(theirs['settings'], settings)}, and nothing was "
            "changed: give what it was begun with, or choose another folder. To start again, "
            "delete this one while nobody is writing to it"
        )
    refuse_others()


def as_json(note: dict[str, Any]) -> bytes:
    """Return a note as it stands in its file."""
    return (json.dumps(note, indent=1) + "\n").encode()


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
        return {"settings": dict(found["settings"]), "shards": list(found["shards"])}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(
            f"{path} was not written by `course embed`, or is damaged ({error}), and nothing was "
            "changed: choose another folder; or move that file away, and call again with what "
            f"{path.parent} was begun with"
        ) from error


def _difference(theirs: dict[str, object], ours: dict[str, object]) -> str:
    different = [
        f"{name} {theirs.get(name)}, not {value}"
        for name, value in ours.items()
        if theirs.get(name) != value
    ]
    return "; ".join(different) or "other sentences or another model"
