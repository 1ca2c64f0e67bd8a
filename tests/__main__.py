"""Run `python -m tests [STAGE ...]`: everything that must hold, the cheap parts first.

`make test` is this. The first stage that fails ends the run. With `--weigh` the run also measures
by what the next one is dealt out to two processes (tests/dealing.py).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOLVED = "build/solved"
PYTEST = (sys.executable, "-m", "pytest", "-q")
TWO_DEALT = ("-n", "2")  # by tests/dealing.py: a file or lecture stays whole
NBVAL = (*PYTEST, "--nbval-lax")
TWICE = ("-p", "tests.lectures.twice")
KEPT = ("-p", "tests.lectures.kept")  # what the site shows
DIFFERING = ("-p", "tests.lectures.differing")
SLOWEST = "--durations=12"  # so that CI says where its minutes go
# what a change forgets first, told in seconds: layers, doors, private parts, the map, made texts
HOUSE = (
    "tests/house/test_layers.py",
    "tests/house/test_facades.py",
    "tests/house/test_private_parts.py",
    "tests/house/test_types.py",
    "tests/house/test_line_ends.py",
    "tests/tools/test_docs.py",
)
NOT_THERE = ("--ignore=tests/browser", *(f"--ignore={file}" for file in HOUSE))
WEIGH = "--weigh"

STAGES: dict[str, tuple[tuple[str, ...], ...]] = {
    "style": (
        (sys.executable, "-m", "ruff", "format", "--check", "--quiet"),
        (sys.executable, "-m", "ruff", "check", "--quiet"),
    ),
    "types": ((sys.executable, "-m", "mypy", "--no-error-summary"),),
    "rules": ((sys.executable, "-m", "tools", "rules"),),
    "house": ((*PYTEST, *HOUSE),),
    "javascript": ((sys.executable, "-m", "tools", "javascript"),),
    "units": ((*PYTEST, "tests", *NOT_THERE, *TWO_DEALT, SLOWEST),),
    "notebooks": ((*NBVAL, "notebooks", *TWICE, *KEPT, *TWO_DEALT, SLOWEST),),
    "solved": (
        (sys.executable, "-m", "tools", "solved", "--out", SOLVED),
        (*NBVAL, "--nbval-current-env", SOLVED, *DIFFERING, *TWO_DEALT),
    ),
    "browser": ((*PYTEST, "tests/browser", *TWO_DEALT, SLOWEST),),
}
# what a stage says of itself in the last lines, if it checked anything
SAID = {
    "house": "{passed:,} rules of the house",
    "units": "{passed:,} units, {claims} claims in {worlds} false worlds",
    "notebooks": "{files} lectures and {passed:,} cells twice",
    "solved": "{exercises} exercises solved",
    "browser": "{passed:,} browser tests",
}


def main(wanted: list[str], run: Callable[..., int] = subprocess.call) -> int:
    """Run the wanted stages, all by default; return the first exit code that is not 0."""
    weigh, wanted = WEIGH in wanted, [name for name in wanted if name != WEIGH]
    unknown = [name for name in wanted if name not in STAGES]
    if unknown:
        print(f"no stage is called {' or '.join(unknown)}: there are {', '.join(STAGES)}")
        return 2
    start, told = time.monotonic(), {}
    for name in [name for name in STAGES if not wanted or name in wanted]:
        began = time.monotonic()
        print(f"── {name}", flush=True)
        code, told[name] = run_stage(name, weigh, run)
        if code:
            told[name]["failed"] = max(1, told[name]["failed"])  # a stage may fail without a test
            print(last_line(told), flush=True)
            return code
        print(f"── {name} passed in {time.monotonic() - began:.0f} s", flush=True)
    print(f"── all passed in {time.monotonic() - start:.0f} s{what_was_checked(told)}")
    print(last_line(told), flush=True)
    return 0


def run_stage(name: str, weigh: bool, run: Callable[..., int]) -> tuple[int, Counter[str]]:
    """Run the commands of a stage until one fails; return its code, and what was counted."""
    counts: Counter[str] = Counter()
    for command in STAGES[name]:
        with tempfile.TemporaryDirectory() as home:
            tell = Path(home, "told.json")
            asked = (f"--tell={tell}", *([WEIGH] if weigh else [])) if "pytest" in command else ()
            code = run((*command, *asked), cwd=ROOT)
            if tell.exists():
                counts += Counter(json.loads(tell.read_text(encoding="utf-8")))
        if code:
            print(f"── {name} FAILED: {' '.join(command[1:])}", flush=True)
            return code, counts
    return 0, counts


def what_was_checked(told: dict[str, Counter[str]]) -> str:
    """Return in numbers what stands behind the stages that ran tests."""
    said = [SAID[name].format_map(counts) for name, counts in told.items() if counts["passed"]]
    if skipped := sum(counts["skipped"] for counts in told.values()):
        said.append(f"{skipped} skipped")
    return f": {', '.join(said)}" if said else ""


def last_line(told: dict[str, Counter[str]]) -> str:
    """Return in plain numbers how many tests passed and failed."""
    passed, failed = (sum(c[kind] for c in told.values()) for kind in ("passed", "failed"))
    return f"{passed} passed, {failed} failed"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
