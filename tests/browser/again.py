"""Run browser tests again and again: `python -m tests.browser.again [FILE ...] --times 5 --busy`.

Every file alone, in a process of its own. Prints a line a file and the end of every run that
failed; returns how many did. Without `--busy` it is for a quiet machine.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.browser.options import ORDER, REVERSED, THROTTLE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PASSED = (0, 5)  # of pytest's exit codes; 5: the wanted tests lie in other files
TOLD = 4000  # letters of a run that failed


class Run(NamedTuple):
    """One run of one file: what pytest said, and the processor seconds of all its processes."""

    code: int
    said: str
    seconds: float


def main() -> int:
    """Run what the command line asks for; return the number of runs that failed."""
    options = parsed(sys.argv[1:])
    environment = {**os.environ, ORDER: REVERSED if options.reverse else "listed"}
    environment[THROTTLE] = str(options.throttle)
    failed = 0
    with busy_cores(os.cpu_count() or 1 if options.busy else 0):
        for file in options.files:
            runs = [run(file, environment, options.only) for _ in range(options.times)]
            bad = [one for one in runs if one.code not in PASSED]
            seconds = sum(one.seconds for one in runs) / len(runs)
            print(f"{len(runs) - len(bad)}/{len(runs)} passed  {seconds:6.1f} s CPU  {file.name}",
                  flush=True)  # fmt: skip
            for one in bad:
                print(one.said[-TOLD:], flush=True)
            failed += len(bad)
    return min(failed, 100)


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(HERE.glob("test_*.py")))
    parser.add_argument("--times", type=int, default=5, help="runs of each file")
    parser.add_argument("--only", default="", help="pytest's -k: a part of the tests")
    parser.add_argument("--reverse", action="store_true", help="the last test first")
    parser.add_argument("--busy", action="store_true", help="a busy loop on every core meanwhile")
    parser.add_argument("--throttle", type=float, default=1, help="slow the pages down, say by 4")
    return parser.parse_args(arguments)


def run(file: Path, environment: dict[str, str], only: str) -> Run:
    """Run one file once."""
    before = _children()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(
        [*command, *(["-k", only] if only else [])],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Run(done.returncode, done.stdout, _children() - before)


@contextlib.contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep so many cores busy."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
