"""What a rule that is broken says: where, what, and what to do."""

from __future__ import annotations

from typing import NamedTuple


class Breach(NamedTuple):
    """A rule that a cell breaks. `cell` is 0 when the whole file does."""

    cell: int
    what: str
    do: str


class Complaint(NamedTuple):
    """A breach and the file that it is in, as it is reported."""

    file: str
    breach: Breach

    def __str__(self) -> str:
        where = f"cell {self.breach.cell}: " if self.breach.cell else ""
        return f"{self.file}: {where}{self.breach.what}\n    → {self.breach.do}"
