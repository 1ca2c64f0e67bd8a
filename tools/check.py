"""Check the lectures against their rules, and docs/ against what it is generated from."""

from __future__ import annotations

from pathlib import Path

from course_utils.pages.notebook import lectures, read
from tools.docs import left_behind
from tools.rules import complaints
from tools.rules.page import shares


def check(root: Path, folder: Path | None = None) -> int:
    """Print every complaint about a course, or about one folder of lectures; return 1 for any."""
    notebooks = folder or root / "notebooks"
    for path in lectures(notebooks):
        print(f"{path.name}: {shares(read(path))}")
    found = complaints(notebooks) + ([] if folder else left_behind(root))
    for complaint in found:
        print(complaint)
    print(f"{len(found)} to correct" if found else "every rule holds")
    return 1 if found else 0
