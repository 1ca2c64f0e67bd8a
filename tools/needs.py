"""Which cells of a lecture must run so that some of them find what they would find in all of it.

A cell needs every cell above that binds or could change a name which it reads, and so on; what is
merely imported nobody changes, so the import is enough. Only names are looked at, not a seed
that a cell sets for those below it.
"""

from __future__ import annotations

import symtable
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from course_utils.pages.notebook import MAGIC, Cell


class Names(NamedTuple):
    """The names of a cell that other cells can see."""

    mentioned: frozenset[str]
    imported: frozenset[str]
    assigned: frozenset[str]


def names_in(cell: Cell) -> Names:
    """Return what a cell reads or binds outside the functions in it."""
    top = symtable.symtable(MAGIC.sub("#", cell.source), str(cell.number), "exec")
    seen = [
        symbol
        for table in _tables(top)
        for symbol in table.get_symbols()
        if table is top or symbol.is_global()
    ]
    return Names(
        frozenset(symbol.get_name() for symbol in seen),
        frozenset(symbol.get_name() for symbol in seen if symbol.is_imported()),
        frozenset(s.get_name() for s in seen if s.is_assigned() and not s.is_imported()),
    )


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


class Needs:
    """Who needs whom among the code cells of a lecture, by their places."""

    def __init__(self, cells: list[Cell]):
        self.names = [names_in(cell) for cell in cells]
        variable = frozenset().union(*(names.assigned for names in self.names))
        self.used = [names.mentioned & variable for names in self.names]
        self.given = [u | n.imported for u, n in zip(self.used, self.names, strict=True)]

    def of(self, wanted: Iterable[int]) -> set[int]:
        """Return the wanted cells and all above that these need."""
        kept = set(wanted)
        while True:
            asked = frozenset().union(*(self.names[place].mentioned for place in kept))
            more = {p for p in range(max(kept, default=0)) if self.given[p] & asked} - kept
            if not more:
                return kept
            kept |= more

    def touched_by(self, changed: Iterable[int]) -> set[int]:
        """Return the changed cells and all below that could see a change of theirs.

        A function above may read it too, so names spread whatever the place of their cell.
        """
        changed = set(changed)
        names = frozenset().union(*(self.used[place] for place in changed))
        while more := frozenset().union(*(u for u in self.used if u & names)) - names:
            names |= more
        first = min(changed, default=0)
        below = {p for p, used in enumerate(self.used) if used & names and p > first}
        return changed | below
