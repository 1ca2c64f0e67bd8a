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
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.mutants.meet import SAID, Met, Order, meet
from tests.mutants.mutate import Mutant, mutants_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPIED = ("course_utils", "solutions", "notebooks", "tests", "tools", "docs", ".github")
# loaded once for all mutants: much, and nothing of the course
PRELOADED = ["torch", "numpy", "h5py", "safetensors.torch", "pytest", "hypothesis.strategies"]
NOTHING = Met(None, (), 0.0)
BAR = 0.95
KILLED, SURVIVED, TOO_LONG = "killed", "survived", "killed by the clock"


class Candidate(NamedTuple):
    """A mutant, its module, and the tests that should notice it."""

    module: str
    tests: tuple[str, ...]
    mutant: Mutant

    @property
    def in_a_function(self) -> bool:
        """Return whether a loaded module can be given this mistake."""
        return any(name.islower() or name[0] == "_" for name in self.mutant.where.split(".")
                   if name != "module")  # fmt: skip

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
        source, met = (ROOT / module).read_text(encoding="utf-8"), Counter()
        for mutant in mutants_of(source):
            change = (module, mutant.where, mutant.before, mutant.after)
            met[change] += 1
            if (*change, met[change]) in known:
                equivalent += 1
            else:
                found.append(Candidate(module, tuple(tests), mutant))
    return found, equivalent


def known_equivalents() -> set[tuple[str, str, str, str, int]]:
    """Return the mutants that no test could notice; equivalent.toml gives the reasons.

    Where a function offers the same change at several places, `nth` says which.
    """
    rows = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return {
        (module, row["where"], row["before"], row["after"], row.get("nth", 1))
        for module, listed in rows.items()
        for row in listed
    }


def run(drawn: list[Candidate], seconds: float, workers: int) -> list[tuple[Candidate, str]]:
    """Try mutants, those that meet the same tests one after the other; each gets its part of time.

    A mistake outside of functions is met by a process that loads the course with it.
    """
    end, found = time.monotonic() + seconds, []
    groups: dict[tuple[str, ...], list[Candidate]] = {}
    for candidate in drawn:
        groups.setdefault(candidate.tests, []).append(candidate)
    left = len(drawn)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            trees.put(copied(Path(folder) / str(number)))

        def attempt(group: list[Candidate]) -> None:
            nonlocal left
            tree = trees.get()
            bench = Bench(tree, group[0].tests)
            now = time.monotonic()
            stop = now + workers * (end - now) * len(group) / left
            left -= len(group)
            try:
                for candidate in group if bench.works else ():
                    if time.monotonic() > min(stop, end):
                        break
                    verdict = bench.verdict(candidate)
                    found.append((candidate, verdict))
                    if verdict != KILLED:
                        print(f"{verdict}: {candidate}", flush=True)
            finally:
                bench.close()
                trees.put(tree)
            print(f"{len(found):,} tried", flush=True)

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(attempt, sorted(groups.values(), key=len)))
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


class Bench:
    """The tests of some modules, gathered in a process, and which of them noticed most so far.

    A test that fails without any mutant would seem to notice them all, so it is left out, aloud.
    """

    def __init__(self, tree: Path, tests: tuple[str, ...]):
        self.tree, self.tests = tree, tests
        self.noticed: Counter[str] = Counter()
        self.process, self.orders = self._gathered()
        met = self._asked(self.orders, Order(to_the_end=True)) or NOTHING
        self.without = met.failed
        self.works = met.code == 0 or bool(self.without)
        if met.code != 0:
            what = " ".join(self.without) or f"all of {' '.join(tests)}, which cannot be run"
            print(f"left out without any mutant: {what}\n{self._said()}", flush=True)
        self.patience = 30 + 4 * met.seconds

    def verdict(self, candidate: Candidate) -> str:
        """Return what became of a mutant under these tests."""
        path = self.tree / candidate.module
        whole = path.read_text(encoding="utf-8")
        path.write_text(candidate.mutant.source, encoding="utf-8")
        first = tuple(name for name, _ in self.noticed.most_common())
        order = Order("", "", self.patience, first, self.without)
        try:
            if candidate.in_a_function:
                place = order._replace(module=candidate.module, where=candidate.mutant.where)
                met = self._asked(self.orders, place)
            else:
                process, orders = self._gathered()
                met = self._asked(orders, order)
                _end(process, orders)
        finally:
            path.write_text(whole, encoding="utf-8")
        if met is None:  # it cannot even be loaded
            return KILLED
        self.noticed.update(met.failed)
        return {0: SURVIVED, None: TOO_LONG}.get(met.code, KILLED)

    def close(self) -> None:
        """End the process."""
        _end(self.process, self.orders)

    def _gathered(self) -> tuple[BaseProcess, Connection]:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)
        ours, theirs = context.Pipe()
        process = context.Process(target=meet, args=(str(self.tree), self.tests, theirs))
        process.start()
        theirs.close()
        return process, ours

    @staticmethod
    def _asked(orders: Connection, order: Order) -> Met | None:
        """Return what came of an order; None where the tests cannot be gathered."""
        with suppress(EOFError, ConnectionError):
            orders.send(order)
            met: Met = orders.recv()
            return met
        return None

    def _said(self) -> str:
        return (self.tree / SAID).read_text(encoding="utf-8")


def _end(process: BaseProcess, orders: Connection) -> None:
    with suppress(ConnectionError):
        orders.send(None)
    process.join()
    orders.close()


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
