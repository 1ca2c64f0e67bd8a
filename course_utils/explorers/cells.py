"""Know which cell and which event we are in: one explorer a cell, no leaks when it runs again."""

from __future__ import annotations

from typing import Protocol

from IPython import get_ipython


class Closable(Protocol):
    """Something that holds widgets until it is closed."""

    def close(self) -> None: ...


_open: dict[tuple[str, str], Closable] = {}


def one_per_cell(explorer: Closable, title: str) -> None:
    """Close what this cell showed under this title before, and remember the new one."""
    cell = _running_cell()
    if cell is None:  # plain Python: whoever made it keeps it and closes it
        return
    previous = _open.pop((cell, title), None)
    if previous is not None:
        previous.close()
    _open[cell, title] = explorer


def answering_the_page() -> bool:
    """Return whether a control was moved in the page, not by a line of Python."""
    return _parent_header().get("msg_type") == "comm_msg"


def _running_cell() -> str | None:
    """Return the cell's id where the front end sends it, else the cell's text."""
    shell = get_ipython()
    if shell is None:
        return None
    parent = _parent()
    cell_id = parent.get("metadata", {}).get("cellId")
    return cell_id or parent.get("content", {}).get("code") or "no cell"


def _parent() -> dict:
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel.get_parent("shell") if kernel is not None else {}


def _parent_header() -> dict:
    return _parent().get("header", {})
