"""Answer an unknown name with the one that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from course_utils.files import plain_name


def unknown(name: str, kind: str, known: Iterable[str], show_all: str) -> str:
    """Return what to say of an unknown name: the nearest one, and what shows all of them."""
    near = get_close_matches(plain_name(name).lower(), list(known), n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"no {kind} is called {name!r}: {meant}`{show_all}` shows them all"
