"""Write elements of SVG, and take a row of them apart again."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache

_TAG = re.compile(r"<(/?)\w")


def tag(name: str, *inside: str, **given: object) -> str:
    """Return an element; `_` in a name stands for `-`, None leaves an attribute out."""
    return f"<{name}{attributes(**given)}>{''.join(inside)}</{name}>"


def attributes(**given: object) -> str:
    """Return what stands behind an element's name."""
    return "".join(
        f' {_name(key)}="{_said(value)}"' for key, value in given.items() if value is not None
    )


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _said(value: object) -> str:
    """Return an attribute's value, safe between quotes; numbers with only the digits that show."""
    if isinstance(value, float):
        return f"{round(value, 2) + 0.0:g}"
    return html.escape(str(value))


def elements(row: str) -> Iterator[str]:
    """Yield the elements that `tag` wrote one after the other."""
    depth = start = 0
    for found in _TAG.finditer(row):
        depth += -1 if found[1] else 1
        if not depth:
            end = row.index(">", found.end()) + 1
            yield row[start:end]
            start = end
