"""Numbers in rows and columns, drawn: safe to put into a page, readable in both themes."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from course_utils.numbers import whole_or_rounded

MOST_ROWS = 60
NUMERIC = re.compile(r"[+−-]?\d[\d,.]*(?!\S*[A-Za-z])")  # and no 5-gram
LINE = "1px solid color-mix(in srgb,currentcolor 30%,transparent)"
CAPTION = "caption-side:top;text-align:left;color:inherit;padding-bottom:6px"
# its line may be longer than a narrow table, and does not make that wider
TITLE = "display:block;width:max-content;max-width:min(40em,85vw);margin-right:-100vw"
CELL = f"padding:3px 14px;border:0;border-bottom:{LINE};background:none"
SENTENCE = 40  # letters: what is longer may break where the page is narrow
# One click sorts by a column, the next the other way round; the page needs no script of its own.
SORT = (
    "const h=this.closest('th'),b=h.closest('table').tBodies[0],"
    "d=h.ariaSort==='descending'?1:-1,k=r=>r.cells[h.cellIndex].dataset.value;"
    "for(const o of h.parentNode.cells)o.ariaSort=null;"
    "h.ariaSort=d<0?'descending':'ascending';"
    "b.append(...[...b.rows].sort((x,y)=>d*(k(x)-k(y)||(k(x)>k(y)?1:-1))))"
)
BY_HAND = f"""onclick="{SORT}" onkeydown="if(event.key==='Enter')this.onclick()\""""


class Table(NamedTuple):
    """Numbers under their names, in rows."""

    headers: Sequence[str]
    rows: Sequence[Sequence[object]]


class DrawnTable(NamedTuple):
    """A table as a lecture shows it: its finding as the title, numbers under each other."""

    title: str
    table: Table
    sortable: bool = False

    def __repr__(self) -> str:
        texts = [[cell_text(value, 3) for value in row] for row in self.table.rows]
        rows = [list(map(str, self.table.headers)), *texts]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        said = f'<b style="{TITLE}">{html.escape(self.title)}</b>'
        title = f'<caption style="{CAPTION}">{said}</caption>'
        head = "".join(self._header(at) for at in range(len(self.table.headers)))
        rows = "".join(f"<tr>{''.join(map(_drawn, row))}</tr>" for row in self.table.rows)
        style = "border-collapse:collapse;margin:6px 0;font-variant-numeric:tabular-nums"
        body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        return f'<table class="course-table" style="{style}">{title}{body}</table>'

    def _header(self, at: int) -> str:
        is_number = all(NUMERIC.match(cell_text(row[at])) for row in self.table.rows)
        align = "right" if is_number else "left"
        name = html.escape(str(self.table.headers[at]))
        if self.sortable:
            name = (
                f'<span role="button" tabindex="0" style="cursor:pointer" {BY_HAND}>{name} ↕</span>'
            )
        return f'<th scope="col" style="{CELL};white-space:nowrap;text-align:{align}">{name}</th>'


def draw_table(
    title: str,
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    sortable: bool = False,
) -> DrawnTable:
    """Return a table to show, whose title says what it shows; a click on a header may sort it."""
    if wrong := [row for row in rows if len(row) != len(headers)]:
        raise ValueError(f"{title!r} has {len(headers)} headers, and a row of {len(wrong[0])}")
    return DrawnTable(title, Table(headers, rows), sortable)


def table_html(table: Table) -> str:
    """Return a table as HTML, every cell escaped, long ones cut with a note."""
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in table.headers)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell_text(value))}</td>" for value in row) + "</tr>"
        for row in table.rows[:MOST_ROWS]
    )
    rest = len(table.rows) - MOST_ROWS
    note = f"<p>and {rest} more rows</p>" if rest > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def cell_text(value: object, digits: int = 4) -> str:
    """Return a rounded number, a whole number in full, anything else as it prints."""
    value = _plain(value)
    return whole_or_rounded(value, digits) if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    return value.item() if getattr(value, "shape", None) == () else value  # of NumPy or torch


def _drawn(value: object) -> str:
    text = cell_text(value, 3)
    align = "right" if NUMERIC.match(text) else "left"
    breaks = "normal" if len(text) > SENTENCE else "nowrap"
    style = f"{CELL};white-space:{breaks};text-align:{align}"
    key = html.escape(str(_plain(value)))
    return f'<td data-value="{key}" style="{style}">{html.escape(text)}</td>'
