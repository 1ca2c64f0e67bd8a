"""Bring a newer lecture under a student's work, cell by cell, and lose nothing of it.

A cell that she did not touch becomes the new one. A cell that she changed stays, always; where the
lecture changed it too, the new text comes right below. Her own cells stay behind the cell that they
stand behind, and an order that she chose stays as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course_utils.classroom.cells import (
    ROOMS,
    Cell,
    digest_of,
    functions_of,
    id_of,
    ids_of,
    kind_of,
    names,
    text_of,
)

HEAD = ""  # the block of what stands before every cell of the lecture
SAID = (
    "> **New in the lecture.** The cell above is yours and stays; this is the lecture's new text."
)


@dataclass
class Plan:
    """What an update does to one notebook: ids of the lecture's cells."""

    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    kept: int = 0  # cells that hold her work

    def __str__(self) -> str:
        parts = [f"{len(self.added)} new", f"{len(self.replaced)} replaced"]
        parts += [f"{len(self.removed)} gone"] if self.removed else []
        parts += [f"{self.kept} of yours kept"]
        if self.beside:
            parts.append(f"new text below yours: {', '.join(self.beside)}")
        return ", ".join(parts)


def merged(
    base: Mapping[str, str], mine: Mapping[str, Any], new: Mapping[str, Any]
) -> tuple[dict[str, object], Plan]:
    """Return the updated notebook and what was done; `base` is what was handed out before."""
    plan = Plan()
    fresh = {str(cell["id"]): cell for cell in new["cells"]}
    known = {**{name: digest_of(cell) for name, cell in fresh.items()}, **base}
    named = names(mine["cells"], known)
    ids = {name for cell in mine["cells"] for name in ids_of(cell)}
    blocks = _blocks(mine["cells"], named, base, fresh, ids, plan)
    order = _order([name for name in named if name and name in blocks], base, fresh)
    answered = _answered(named, blocks, known, fresh)
    for name, before in _missing(named, base, fresh, answered):
        place = order.index(before) + 1 if before in order else 0
        order.insert(place, name)
        blocks[name] = [dict(fresh[name])]
        plan.added.append(name)
    for name, (block, hers) in answered.items():
        beside = f"{name}-new-{digest_of(fresh[name])[:8]}"
        if base.get(name) != digest_of(fresh[name]) and beside not in ids:
            block.insert(block.index(hers) + 1, _new_text(beside, fresh[name]))
            plan.beside.append(name)
    cells = [*blocks[HEAD], *(cell for name in order for cell in blocks[name])]
    result = {**mine, "cells": _with_ids(cells)}
    if result.get("nbformat") == 4:
        minor = result.get("nbformat_minor")
        result["nbformat_minor"] = max(5, minor) if isinstance(minor, int) else 5
    return result, plan


def _blocks(
    cells: Sequence[Cell],
    named: Sequence[str],
    base: Mapping[str, str],
    fresh: Mapping[str, Cell],
    ids: set[str],
    plan: Plan,
) -> dict[str, list[Cell]]:
    """Return each cell of the lecture that she has, with what stays behind it."""
    blocks: dict[str, list[Cell]] = {HEAD: []}
    at = HEAD
    for cell, name in zip(cells, named, strict=True):
        untouched = base.get(name) == digest_of(cell)
        if name in fresh:
            at = name
            blocks[at] = _block(name, cell, untouched, base, fresh[name], ids, plan)
        elif name and untouched:
            plan.removed.append(name)
        else:
            blocks[at].append(_own(cell, fresh))
            plan.kept += 1
    return blocks


def _own(cell: Cell, fresh: Mapping[str, Cell]) -> Cell:
    """Return her own cell without the name of one of the lecture's, which it was copied from."""
    own, metadata = dict(cell), cell.get("metadata")
    if id_of(own) in fresh:
        del own["id"]
    if isinstance(metadata, dict) and id_of(metadata) in fresh:
        own["metadata"] = {key: value for key, value in metadata.items() if key != "id"}
    return own


def _block(
    name: str,
    cell: Cell,
    untouched: bool,
    base: Mapping[str, str],
    fresh: Cell,
    ids: set[str],
    plan: Plan,
) -> list[Cell]:
    """Return one cell as it should be now, and the new text where both have changed it."""
    now = digest_of(fresh)
    mine = {**cell, "id": name}
    if now == digest_of(cell):
        return [mine]
    if untouched:
        plan.replaced.append(name)
        return [dict(fresh)]
    plan.kept += 1
    beside = f"{name}-new-{now[:8]}"
    if now == base.get(name) or beside in ids:
        return [mine]
    plan.beside.append(name)
    return [mine, _new_text(beside, fresh)]


def _answered(
    named: Sequence[str],
    blocks: Mapping[str, list[Cell]],
    known: Mapping[str, str],
    fresh: Mapping[str, Cell],
) -> dict[str, tuple[list[Cell], Cell]]:
    """Return the stubs that she lacks and whose function is in a cell of hers; it is in a block.

    As code, such a stub would define her function anew, and empty.
    """
    given = {*known.values(), *map(digest_of, fresh.values())}
    hers = [(b, cell) for b in blocks.values() for cell in b if digest_of(cell) not in given]
    return {
        name: (block, cell)
        for name, stub in fresh.items()
        if name not in named and ROOMS["code"].fullmatch(name)
        for block, cell in hers
        if functions_of(cell) & functions_of(stub)
    }


def _new_text(name: str, fresh: Cell) -> Cell:
    """Return the lecture's new text as prose: it defines nothing and runs nothing."""
    text = text_of(fresh)
    if kind_of(fresh) == "code":
        text = f"```python\n{text}\n```"
    slides = {"slideshow": {"slide_type": "skip"}}
    return {"cell_type": "markdown", "id": name, "metadata": slides, "source": f"{SAID}\n\n{text}"}


def _order(mine: list[str], base: Mapping[str, str], fresh: Mapping[str, Cell]) -> list[str]:
    """Return the order of the blocks: the lecture's, or hers where she has chosen one."""
    handed_out = [name for name in base if name in mine]
    hers = [name for name in mine if name in base]
    return [name for name in fresh if name in mine] if hers == handed_out else mine


def _missing(
    named: Sequence[str],
    base: Mapping[str, str],
    fresh: Mapping[str, Cell],
    answered: Collection[str],
) -> Iterator[tuple[str, str]]:
    """Yield cells that she lacks and has not answered, and after which cell each belongs.

    What she deleted stays deleted, unless the lecture now says something else there.
    """
    before = HEAD
    for name, cell in fresh.items():
        missing = name not in answered and base.get(name) != digest_of(cell)
        if missing and name not in named:
            yield name, before
        if missing or name in named:
            before = name


def _with_ids(cells: Sequence[Cell]) -> list[Cell]:
    """Give an id of its own to every cell that has none, or has another's."""
    taken = {id_of(cell) for cell in cells}
    seen = {""}
    for cell in cells:
        if id_of(cell) in seen:
            made = (f"own-{digest_of(cell)[:12]}-{k}" for k in itertools.count())
            cell["id"] = next(name for name in made if name not in taken)
            taken.add(cell["id"])
        seen.add(cell["id"])
    return list(cells)
