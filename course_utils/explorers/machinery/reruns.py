"""Know which cell and which event we are in: a cell that runs again leaves nothing open."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from IPython import get_ipython


class Closable(Protocol):
    """Something that holds widgets until it is closed."""

    def close(self) -> None: ...


class CellRun(NamedTuple):
    """One run of a cell, and what it has shown so far."""

    request: str
    shown: list[Closable]


_last_run: dict[str, CellRun] = {}  # of every cell


def keep_until_rerun(explorer: Closable) -> None:
    """Remember what this run of a cell shows; close what the run before it showed."""
    cell = running_cell()
    if cell is None:  # plain Python: whoever made it keeps it and closes it
        return
    request = _parent_header().get("msg_id", "")
    last = _last_run.get(cell)
    if last is None or last.request != request:
        for old in last.shown if last else ():
            old.close()
        last = _last_run[cell] = CellRun(request, [])
    last.shown.append(explorer)


def answering_the_page() -> bool:
    """Return whether a control was moved in the page, not by a line of Python."""
    return _parent_header().get("msg_type") == "comm_msg"


def addressed_widget() -> str | None:
    """Return the widget that the message at hand is for, None where it is for a cell."""
    parent = _parent()
    if parent.get("header", {}).get("msg_type") != "comm_msg":
        return None
    name: str | None = parent.get("content", {}).get("comm_id")
    return name


def running_cell() -> str | None:
    """Return the cell's id where the front end sends it, else the cell's text."""
    shell = get_ipython()
    if shell is None:
        return None
    parent = _parent()
    cell_id = parent.get("metadata", {}).get("cellId")
    return cell_id or parent.get("content", {}).get("code") or "no cell"


def _parent() -> dict[str, Any]:
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel.get_parent("shell") if kernel is not None else {}


def _parent_header() -> dict[str, Any]:
    header: dict[str, object] = _parent().get("header", {})
    return header
