"""The numbers behind a picture, as a table that is safe to put into a page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

from course_utils.numbers import whole_or_rounded

MOST_ROWS = 60


class Table(NamedTuple):
    """The numbers behind a picture, for those who would rather read them."""

    headers: Sequence[str]
    rows: Sequence[Sequence[Any]]


def table_html(table: Table) -> str:
    """Return a table as HTML, every cell escaped, long ones cut and said to be cut."""
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in table.headers)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(value))}</td>" for value in row) + "</tr>"
        for row in table.rows[:MOST_ROWS]
    )
    rest = len(table.rows) - MOST_ROWS
    note = f"<p>and {rest} more rows</p>" if rest > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _cell(value: Any) -> str:
    """Return a number in four digits, but a whole one in full, and anything else as it prints."""
    if getattr(value, "shape", None) == ():  # of NumPy or torch
        value = value.item()
    return whole_or_rounded(value, 4) if isinstance(value, float) else str(value)
