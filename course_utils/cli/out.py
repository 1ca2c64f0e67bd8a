"""`--out`: a folder that may be written to, and never the lectures' own."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from course_utils.lab import FIRST


def out_folder(name: str | Path) -> Path:
    """Return the folder that `--out` names; refuse what cannot be meant, before any work."""
    if not str(name):
        raise typer.BadParameter("the name is empty: name a folder ('.' is the one you are in)")
    folder = Path(name)
    if os.path.lexists(folder) and not folder.is_dir():
        raise typer.BadParameter(f"{folder} is not a folder: choose another name")
    for place in (folder.resolve(), *folder.resolve().parents):
        if (place / FIRST.name).is_file() and place.name == FIRST.parent.name:
            raise typer.BadParameter(f"{place} holds the lectures: choose another folder")
    return folder
