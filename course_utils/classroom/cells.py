"""Cells as a class sees them: their text, a hash of it, and which handed-out cell each of them is.

Editors rewrite notebooks: Colab and old formats lose ids, some strip blanks at the ends of lines.
So a cell is known by its id, by the id that Colab keeps in the metadata, or by its text; a room for
an answer whose id is gone and whose text is hers, by what stands around it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from course_utils.checks.judging.wording import shortened

MOST_BYTES = 20_000_000  # of a notebook, with its outputs
ROOMS = {"code": re.compile(r".*-(stub|yours)"), "markdown": re.compile(r"questions-answer-\d+")}
FUNCTION = re.compile(r"^(?:async )?def (\w+)", re.MULTILINE)  # also in what is no Python yet
Cell = dict[str, Any]


class NoNotebook(ValueError):
    """What was handed in is no notebook; the message says why."""


def read_cells(content: bytes) -> tuple[dict[str, Any], list[Cell]]:
    """Return a notebook and its cells, whatever wrote it; the cells are those of the notebook."""
    if len(content) > MOST_BYTES:
        raise NoNotebook(f"{len(content) / 1e6:.0f} MB: clear the outputs and save it again")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise NoNotebook(f"it cannot be read: {shortened(str(error))}") from error
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise NoNotebook("it is no notebook: it has no cells")
    cells = [cell for cell in notebook["cells"] if isinstance(cell, dict)]
    if len(cells) < len(notebook["cells"]):
        raise NoNotebook("it is no notebook: one of its cells is no cell")
    return notebook, cells


def text_of(cell: Mapping[str, object]) -> str:
    """Return a cell's text, stored as one text or as lines."""
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def kind_of(cell: Mapping[str, object]) -> str:
    """Return whether it is a code cell, a markdown cell, ..."""
    kind = cell.get("cell_type")
    return kind if isinstance(kind, str) else ""


def digest(kind: str, text: str) -> str:
    """Return the hash of a cell, the same whatever an editor does to blanks at ends of lines."""
    return hashlib.sha256(f"{kind}\n{normal(text)}".encode("utf-8", "replace")).hexdigest()[:20]


def digest_of(cell: Mapping[str, object]) -> str:
    """Return the hash of a cell as it stands in a notebook."""
    return digest(kind_of(cell), text_of(cell))


def normal(text: str) -> str:
    """Return a text without the blanks that editors add or take away."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def names(cells: Sequence[Mapping[str, object]], base: Mapping[str, str]) -> list[str]:
    """Return for each cell which handed-out one it is; empty for the student's own.

    `base` has the hash of every handed-out cell by its id. Of several copies the one that was
    worked on keeps the name, the last of them where there are more: the others are her own.
    """
    found = [_named(cell, base) for cell in cells]
    all_new = not any(found)  # some programs give every cell an id of their own
    free = {hash_: name for name, hash_ in base.items() if name not in found}
    for place, cell in enumerate(cells):
        if not found[place]:
            found[place] = free.pop(digest_of(cell), "")
    for name in {name for name in found if name and found.count(name) > 1}:
        copies = [place for place, other in enumerate(found) if other == name]
        worked_on = [place for place in copies if digest_of(cells[place]) != base[name]]
        for place in set(copies) - {(worked_on or copies)[-1]}:
            found[place] = ""
    nameless = [k for k, name in enumerate(found) if not name]
    lost = [k for k in nameless if all_new or not ids_of(cells[k])]
    for place, name in _by_neighbours(cells, found, lost, list(base)):
        found[place] = name
    return found


def _by_neighbours(
    cells: Sequence[Mapping[str, object]],
    found: Sequence[str],
    lost: Sequence[int],
    order: Sequence[str],
) -> Iterator[tuple[int, str]]:
    """Yield cells and the rooms that they are: by function, or where as many lost their ids."""
    known = [-1, *(place for place, name in enumerate(found) if name), len(found)]
    there = {name: k for k, name in enumerate(order)}
    at = [-1, *(there[name] for name in found if name), len(order)]
    for (left, right), (first, last) in zip(
        itertools.pairwise(known), itertools.pairwise(at), strict=True
    ):
        missing = [name for name in order[first + 1 : max(first, last)] if name not in found]
        for kind, room in ROOMS.items():
            rooms = [name for name in missing if room.fullmatch(name)]
            places = [k for k in lost if left < k < right and kind_of(cells[k]) == kind]
            answers = _by_function(cells, found, places, rooms)
            yield from ((k, name) for name, k in answers.items())
            rooms = [name for name in rooms if name not in answers]
            places = [k for k in places if k not in answers.values()]
            if len(rooms) == len(places):
                yield from zip(places, rooms, strict=True)


def _by_function(
    cells: Sequence[Mapping[str, object]],
    found: Sequence[str],
    places: Sequence[int],
    rooms: Sequence[str],
) -> dict[str, int]:
    """Return the rooms whose check asks for a function that one of these cells defines."""
    answers: dict[str, int] = {}
    for name in rooms:
        check = f"{name.removesuffix('-stub')}-check"
        asked = set(
            re.findall(r"\w+", text_of(cells[found.index(check)])) if check in found else ()
        )
        defining = [k for k in places if asked & functions_of(cells[k])]
        if defining and defining[-1] not in answers.values():
            answers[name] = defining[-1]
    return answers


def functions_of(cell: Mapping[str, object]) -> set[str]:
    """Return the functions that a code cell defines."""
    return set(FUNCTION.findall(text_of(cell))) if kind_of(cell) == "code" else set()


def id_of(cell: Mapping[str, object]) -> str:
    """Return a cell's id; empty where it has none, or what is no text."""
    name = cell.get("id")
    return name if isinstance(name, str) else ""


def ids_of(cell: Mapping[str, object]) -> list[str]:
    """Return a cell's id, and the one that Colab keeps in the metadata."""
    metadata = cell.get("metadata")
    kept = id_of(metadata) if isinstance(metadata, dict) else ""
    return [name for name in (id_of(cell), kept) if name]


def _named(cell: Mapping[str, object], base: Mapping[str, str]) -> str:
    return next((name for name in ids_of(cell) if name in base), "")
