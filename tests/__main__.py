"""Run `python -m tests [STAGE ...]`: everything that must hold, the cheap parts first.

`make test` is this. The first stage that fails ends the run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOLVED = "build/solved"
PYTEST = (sys.executable, "-m", "pytest", "-q")
TWO_DEALT = ("-n", "2", "--dist", "loadscope")  # tests/dealing.py: a file or lecture stays whole
EVERY_CELL_TWICE = "tests/lectures/test_cells_twice.py"
NOTEBOOKS = (*PYTEST, "--nbval-lax", "--nbval-current-env", "-p", "tests.dealing", *TWO_DEALT)
SLOWEST = "--durations=12"  # so that CI says where its minutes go

STAGES: dict[str, tuple[tuple[str, ...], ...]] = {
    "style": (
        (sys.executable, "-m", "ruff", "format", "--check", "--quiet"),
        (sys.executable, "-m", "ruff", "check", "--quiet"),
    ),
    "types": ((sys.executable, "-m", "mypy", "--no-error-summary"),),
    "rules": ((sys.executable, "-m", "course_utils.authoring"),),
    "units": (
        (
            *PYTEST,
            "--ignore=tests/browser",
            f"--ignore={EVERY_CELL_TWICE}",
            *TWO_DEALT,
            SLOWEST,
        ),
    ),
    "notebooks": ((*PYTEST, EVERY_CELL_TWICE, "-n", "2", "--dist", "worksteal", SLOWEST),),
    "solved": (
        (sys.executable, "-m", "course_utils.cli", "solved", "--out", SOLVED),
        (*NOTEBOOKS, SOLVED),
    ),
    "browser": ((*PYTEST, "tests/browser", *TWO_DEALT, SLOWEST),),
}


def main(wanted: list[str], run: Callable[..., int] = subprocess.call) -> int:
    """Run the wanted stages, all by default; return the first exit code that is not 0."""
    unknown = [name for name in wanted if name not in STAGES]
    if unknown:
        print(f"no stage is called {' or '.join(unknown)}: there are {', '.join(STAGES)}")
        return 2
    start = time.monotonic()
    for name in [name for name in STAGES if not wanted or name in wanted]:
        began = time.monotonic()
        print(f"── {name}", flush=True)
        for command in STAGES[name]:
            code = run(command, cwd=ROOT, env=environment(name))
            if code:
                print(f"── {name} FAILED: {' '.join(command[1:])}", flush=True)
                return code
        print(f"── {name} passed in {time.monotonic() - began:.0f} s", flush=True)
    print(f"── all passed in {time.monotonic() - start:.0f} s", flush=True)
    return 0


def environment(stage: str) -> dict[str, str]:
    """Return the environment of a stage: where two processes run at a time, one thread each.

    What checks find is nobody's progress.
    """
    two_at_a_time = any("-n" in command for command in STAGES[stage])
    one_thread = {"OMP_NUM_THREADS": "1"} if two_at_a_time else {}
    return {**os.environ, "COURSE_PROGRESS": "off", **one_thread}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
