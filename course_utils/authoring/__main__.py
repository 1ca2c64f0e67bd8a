"""Run `python -m course_utils.authoring`: each lecture's share of prose, and what is wrong.

Where no folder is named, also which tables of docs/ the lectures and the package have left behind.
"""

from __future__ import annotations

import sys
from pathlib import Path

from course_utils.authoring.docs import left_behind
from course_utils.authoring.notebook import lectures, prose_share, read
from course_utils.authoring.rules import complaints

ROOT = Path(__file__).resolve().parents[2]


def main(folder: Path | None = None) -> int:
    """Print every complaint; return 1 when there is one."""
    notebooks = folder or ROOT / "notebooks"
    for path in lectures(notebooks):
        print(f"{path.name}: {prose_share(read(path)):.0%} prose")
    found = complaints(notebooks) + ([] if folder else left_behind(ROOT))
    for complaint in found:
        print(complaint)
    print(f"{len(found)} to correct" if found else "every rule holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
