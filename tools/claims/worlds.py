"""The false worlds of a lecture: what a reader might believe, put into its cells.

`false_worlds/03_lstm.toml` lists them. Each has a name, the claims that it breaks, and the text
that it changes; `also` changes further cells, and `new` may have several lines:

    [[world]]
    name = "the forget gate leaks"
    breaks = ["03.13", "03.14"]
    cell = "s9-lags"
    old = "net, x = kind(16, 64).double()"
    new = "net, x = Leaky(16, 64).double()"
    also = [{ cell = "setup", old = "...", new = "..." }]

A claim may wait for its world under `[lacks]`, with the reason; nothing may wait for ever.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.pages.notebook import Cell, Notebook, literal

NUMBER_GOES_HERE = "\0"  # a part of an f-string
FOLDER = Path(__file__).with_name("false_worlds")


class Change(NamedTuple):
    """Text of one cell, and what stands there in the false world."""

    cell: str
    old: str
    new: str


class World(NamedTuple):
    """A model, datum or formula that somebody might believe in, and the claims that refute it."""

    name: str
    breaks: list[str]
    changes: list[Change]


class Worlds(NamedTuple):
    """What a lecture's file holds; `lacks` gives the reason for each claim without a world.

    `beside` names the baseline of each claim that rests on training; `few` tells why a claim rests
    on fewer runs than others: see `tools.claims.evidence`.
    """

    worlds: list[World]
    lacks: dict[str, str]
    beside: dict[str, str]
    few: dict[str, str]

    def of(self, claim: str) -> list[World]:
        """Return the worlds that a claim refutes."""
        return [world for world in self.worlds if claim in world.breaks]


def read_worlds(stem: str, folder: Path = FOLDER) -> Worlds:
    """Return the false worlds of a lecture, such as `03_lstm`; none where there is no file."""
    file = folder / f"{stem}.toml"
    found = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    worlds = [_world(one) for one in found.get("world", [])]
    return Worlds(worlds, *(found.get(name, {}) for name in ("lacks", "beside", "few")))


def _world(one: dict[str, Any]) -> World:
    changes = [Change(one.pop("cell"), one.pop("old"), one.pop("new"))]
    changes += [Change(**more) for more in one.pop("also", [])]
    return World(changes=changes, **one)


def sources_in(world: World, notebook: Notebook) -> dict[str, str]:
    """Return the changed cells of a world, by their ids; refuse a change that does not fit."""
    cells = {cell.node.id: cell for cell in notebook.code}
    sources: dict[str, str] = {}
    for change in world.changes:
        if change.cell not in cells:
            raise ValueError(f"{world.name!r}: there is no code cell {change.cell!r}")
        source = sources.get(change.cell, cells[change.cell].source)
        if (times := source.count(change.old)) != 1:
            what = f"{world.name!r}: cell {change.cell!r} holds {change.old!r} {times} times"
            raise ValueError(f"{what}, not once")
        sources[change.cell] = source.replace(change.old, change.new)
    for cell, source in sources.items():
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            raise ValueError(f"{world.name!r}: cell {cell!r} would not parse: {error}") from error
        _refuse_cheating(world, cells[cell].tree, tree)
    return sources


def _refuse_cheating(world: World, true: ast.Module, false: ast.Module) -> None:
    """Refuse a change of the claim's call, or of the measured name to a bare number."""
    calls = _claims(false)
    if [ast.dump(call) for call in _claims(true)] != [ast.dump(call) for call in calls]:
        raise ValueError(f"{world.name!r}: changes a claim itself: change what it measures")
    claimed = {n.id for call in calls for n in ast.walk(call) if isinstance(n, ast.Name)}
    for name in sorted(claimed & (_bare_numbers(false) - _bare_numbers(true))):
        raise ValueError(f"{world.name!r}: sets {name} to a bare number: change how it comes about")


def _claims(tree: ast.Module) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if getattr(call.func, "id", None) == "claim"]


def _bare_numbers(tree: ast.Module) -> set[str]:
    """Return the names that are set to a number and nothing else."""
    set_to_number = (
        node.targets
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    )
    return {t.id for targets in set_to_number for t in targets if isinstance(t, ast.Name)}


def claims_of(notebook: Notebook) -> dict[str, ast.Call]:
    """Return the claims of a lecture, by number, in their order."""
    return {number: call for cell in notebook.code for number, call in claims_in(cell).items()}


def claims_in(cell: Cell) -> dict[str, ast.Call]:
    """Return the claims of a cell, by number, in their order."""
    return {str(literal(call.args[0])): call for call in cell.statements("claim") if call.args}


def says_of(call: ast.Call) -> str:
    """Return the sentence of a claim; what an f-string fills in becomes NUMBER_GOES_HERE."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    says = given.get("says") or (call.args[4] if len(call.args) > 4 else ast.Constant(""))
    pieces = says.values if isinstance(says, ast.JoinedStr) else [says]
    return "".join(
        NUMBER_GOES_HERE if isinstance(piece, ast.FormattedValue) else str(literal(piece))
        for piece in pieces
    )


def is_looked_up(call: ast.Call) -> bool:
    """Return whether a claim's number stands in a shipped file."""
    return any(keyword.arg == "looked_up" for keyword in call.keywords)


def gaps(notebook: Notebook, known: Worlds) -> Iterator[str]:
    """Yield what is missing or idle in a lecture's worlds, without running anything."""
    there = claims_of(notebook)
    refuted = Counter(claim for world in known.worlds for claim in world.breaks)
    for claim in there:
        if claim not in refuted and claim not in known.lacks:
            yield f"claim {claim} has no false world in which it breaks"
    for claim in refuted.keys() | known.lacks.keys():
        if claim not in there:
            yield f"there is no claim {claim}"
        elif claim in refuted and claim in known.lacks:
            yield f"claim {claim} has a world: take it out of [lacks]"
    for world in known.worlds:
        if not world.breaks:
            yield f"{world.name!r} breaks nothing"
        try:
            sources_in(world, notebook)
        except ValueError as error:
            yield str(error)
