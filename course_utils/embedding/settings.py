"""What the vectors of a folder are made from: noted by who comes first, the same for all others.

Shards of two sorts in one folder would ruin each other, and neither could go on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from course_utils.embedding.job import is_whole
from course_utils.files import only_writer, refuse_folders, sweep_partials, write_whole

SETTINGS = "settings.json"


def agree(folder: Path, settings: dict[str, Any], shards: list[dict[str, Any]]) -> None:
    """Note what a folder is made from; refuse one that is made from anything else, untouched.

    The shards say it all, in fingerprints; the settings say it so that a reader understands it.
    """
    path, ours = folder / SETTINGS, {"settings": settings, "shards": shards}
    refuse_folders(path)
    with only_writer(folder / f".{SETTINGS}.lock", patient=True):
        sweep_partials(folder, f"{SETTINGS}.*")
        if not path.exists():
            for shard in shards:  # of before, when nothing was noted
                is_whole(folder / shard["file"], shard["fingerprint"])
            write_whole(path, (json.dumps(ours, indent=1) + "\n").encode())
            return
        theirs = _read(path)
    if theirs["shards"] != shards:
        raise ValueError(
            f"{folder} was begun with {_difference(theirs['settings'], settings)}, and nothing was "
            "changed: give what it was begun with, or choose another folder. To start again, "
            "delete this one when nobody writes there"
        )


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
        return {"settings": dict(found["settings"]), "shards": list(found["shards"])}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(
            f"{path} cannot be read ({error}): delete it, and call again with what {path.parent} "
            "was begun with"
        ) from error


def _difference(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    different = [
        f"{name} {theirs.get(name)}, not {value}"
        for name, value in ours.items()
        if theirs.get(name) != value
    ]
    return "; ".join(different) or "other sentences or another model"
