"""Run `python -m tests.mutants [WORD ...]`: do the tests notice small mistakes in the core?

Mutants are drawn by a seed from the modules of `modules.toml` whose names hold one of the words,
and each meets the tests of its module only, in a copy of the tree. `--seconds` bounds the run.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.mutants.meet import SAID, meet
from tests.mutants.mutate import Mutant, mutants_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPIED = ("course_utils", "solutions", "notebooks", "tests", "tools", "docs", ".github")
BAR = 0.95
KILLED, SURVIVED, TOO_LONG = "killed", "survived", "killed by the clock"


class Candidate(NamedTuple):
    """A mutant, its module, and the tests that should notice it."""

    module: str
    tests: tuple[str, ...]
    mutant: Mutant

    def __str__(self) -> str:
        m = self.mutant
        before, after = (" ".join(text.split())[:90] for text in (m.before, m.after))
        return f"{self.module}:{m.line} in {m.where}: `{before}` -> `{after}`"


def main(arguments: list[str]) -> int:
    """Print the score and who survived; return 1 when fewer are killed than the bar asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("words", nargs="*", help="only modules whose names hold one of these")
    parser.add_argument("--seconds", type=float, default=900, help="start none after this")
    parser.add_argument("--most", type=int, default=10**6, help="try no more than this")
    parser.add_argument("--seed", type=int, default=20, help="another seed draws others")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    drawn, equivalent = candidates(asked.words)
    random.Random(asked.seed).shuffle(drawn)
    print(f"{len(drawn):,} mutants, and {equivalent} known to change nothing", flush=True)
    found = run(drawn[: asked.most], asked.seconds, asked.workers)
    return report(found, len(drawn))


def candidates(words: list[str]) -> tuple[list[Candidate], int]:
    """Return the mutants of the chosen modules, and how many of them are equivalent."""
    modules = tomllib.loads((HERE / "modules.toml").read_text(encoding="utf-8"))
    known = known_equivalents()
    found, equivalent = [], 0
    for module, tests in modules.items():
        if words and not any(word in module for word in words):
            continue
        source = (ROOT / module).read_text(encoding="utf-8")
        for mutant in mutants_of(source):
            if (module, mutant.where, mutant.before, mutant.after) in known:
                equivalent += 1
            else:
                found.append(Candidate(module, tuple(tests), mutant))
    return found, equivalent


def known_equivalents() -> set[tuple[str, str, str, str]]:
    """Return the mutants that no test could notice; equivalent.toml gives the reasons."""
    rows = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return {
        (module, row["where"], row["before"], row["after"])
        for module, listed in rows.items()
        for row in listed
    }


def run(drawn: list[Candidate], seconds: float, workers: int) -> list[tuple[Candidate, str]]:
    """Try mutants, each in a process that has loaded torch and nothing of the course."""
    end, found = time.monotonic() + seconds, []
    with tempfile.TemporaryDirectory() as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            trees.put(copied(Path(folder) / str(number)))
        patience: dict[tuple[str, ...], float] = {}

        def attempt(candidate: Candidate) -> None:
            if time.monotonic() > end:
                return
            tree = trees.get()
            try:
                if candidate.tests not in patience:
                    patience[candidate.tests] = time_unharmed(tree, candidate)
                verdict = outcome(tree, candidate, patience[candidate.tests])
            finally:
                trees.put(tree)
            found.append((candidate, verdict))
            if verdict == SURVIVED:
                print(f"survived: {candidate}", flush=True)

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(attempt, drawn))
    return found


def copied(tree: Path) -> Path:
    """Return a copy of what tests need, where mistakes may be made."""
    ignored = shutil.ignore_patterns("__pycache__", ".*cache")
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, tree)
    return tree


def time_unharmed(tree: Path, candidate: Candidate) -> float:
    """Return how long a mutant's tests may take; raise where they fail without it."""
    start = time.monotonic()
    verdict = outcome(tree, candidate._replace(mutant=None), 600)
    if verdict != SURVIVED:
        said = (tree / SAID).read_text(encoding="utf-8")
        raise RuntimeError(f"{' '.join(candidate.tests)}: {verdict} without any mutant:\n{said}")
    return 30 + 4 * (time.monotonic() - start)


def outcome(tree: Path, candidate: Candidate, patience: float) -> str:
    """Return what became of a mutant under the tests of its module."""
    path = tree / candidate.module
    whole = path.read_text(encoding="utf-8")
    if candidate.mutant:
        path.write_text(candidate.mutant.source, encoding="utf-8")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "numpy", "h5py"])
    child = context.Process(target=meet, args=(str(tree), candidate.tests))
    try:
        child.start()
        child.join(patience)
        if child.is_alive():
            return TOO_LONG
        return SURVIVED if child.exitcode == 0 else KILLED
    finally:
        if child.is_alive():
            child.kill()
            child.join()
        path.write_text(whole, encoding="utf-8")


def report(found: list[tuple[Candidate, str]], drawn: int) -> int:
    """Print how many were killed, in each module and in all."""
    print(f"\n{'module':<56} killed of")
    for module in sorted({candidate.module for candidate, _ in found}):
        verdicts = [verdict for candidate, verdict in found if candidate.module == module]
        print(f"{module:<56} {sum(v != SURVIVED for v in verdicts):>6} {len(verdicts):>2}")
    killed, late = (
        sum(verdict in wanted for _, verdict in found)
        for wanted in ((KILLED, TOO_LONG), (TOO_LONG,))
    )
    share = killed / max(1, len(found))
    print(
        f"\n{killed} of {len(found)} killed ({share:.1%}, {late} of them by the clock); "
        f"{drawn - len(found):,} were not tried; the bar is {BAR:.0%}"
    )
    return 0 if found and share >= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
