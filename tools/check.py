"""Check the lectures against their rules, and docs/ against what it is generated from."""

from __future__ import annotations

from pathlib import Path

from course_utils.pages.notebook import lectures, read
from tools.claims.evidence import unsupported
from tools.claims.table import PAGE, out_of_date
from tools.claims.worlds import gaps, read_worlds
from tools.docs import left_behind
from tools.rules import complaints
from tools.rules.page import shares


def check(root: Path, folder: Path | None = None) -> int:
    """Print every complaint about a course, or about one folder of lectures; return 1 for any."""
    notebooks = folder or root / "notebooks"
    for path in lectures(notebooks):
        print(f"{path.name}: {shares(read(path))}")
    found = complaints(notebooks) + ([] if folder else left_behind(root) + claims_left(root))
    for complaint in found:
        print(complaint)
    print(f"{len(found)} to correct" if found else "every rule holds")
    return 1 if found else 0


def claims_left(root: Path) -> list[str]:
    """Return where docs/claims.md is of yesterday, and which claims lack seeds or a baseline."""
    renew = "\n    → run .venv/bin/python -m tools claims, with its lecture's number"
    stale = [f"{PAGE}: {what}{renew}" for what in out_of_date(root)]
    for path in lectures(root / "notebooks"):
        notebook, known = read(path), read_worlds(path.stem)
        where = f"tools/claims/false_worlds/{path.stem}.toml"
        stale += [
            f"{where}: {what}" for what in (*gaps(notebook, known), *unsupported(notebook, known))
        ]
    return stale
