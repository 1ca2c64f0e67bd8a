"""A process that has gathered tests once and lets every mutant meet them in a fork of itself."""

from __future__ import annotations

import importlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

SAID = "said.txt"  # what the last tests of a tree printed


class Order(NamedTuple):
    """Meet a mutant: where it is (nowhere: the tree as it stands), and in which order to test."""

    module: str = ""
    where: str = ""
    patience: float = 600.0  # seconds
    first: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    to_the_end: bool = False


class Met(NamedTuple):
    """What came of it: pytest's exit code (None where the clock ran out), and who noticed."""

    code: int | None
    failed: tuple[str, ...]
    seconds: float


def meet(tree: str, tests: tuple[str, ...], orders: Connection) -> None:
    """Gather tests in a tree, then obey: an Order in, a Met out, until None comes."""
    said = os.open(Path(tree) / SAID, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    for stream in (0, 1, 2):
        os.dup2(said, stream)
    for name in [n for n in sys.modules if n.split(".")[0] in ("tests", "course_utils")]:
        if name != __name__:  # the tree has its own
            del sys.modules[name]
    sys.path.insert(0, tree)
    sys.dont_write_bytecode = True  # two mutants may be of one second and one size
    os.chdir(tree)
    os.environ.update(
        OMP_NUM_THREADS="1",
        COURSE_PROGRESS="off",
        PYTHONDONTWRITEBYTECODE="1",
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",  # nbval alone takes longer to load than most tests run
    )

    import pytest
    import torch

    torch.set_num_threads(1)
    options = ["-q", "-s", "-x", "-p", "no:cacheprovider", f"--basetemp={tree}.tmp"]
    chosen = ["-m", "not slow and not browser", *tests]
    pytest.main([*options, *chosen], plugins=[Meeting(orders)])
    os._exit(0)


class Meeting:
    """Part of pytest: a loop over mutants where the loop over tests would be."""

    def __init__(self, orders: Connection):
        self.orders = orders
        self.failed: dict[str, None] = {}

    def pytest_runtestloop(self, session) -> bool:
        """Obey until there is nothing more to do."""
        while (order := self.orders.recv()) is not None:
            Path(SAID).write_bytes(b"")
            self.orders.send(self._in_a_fork(session, order))
        return True

    def pytest_runtest_logreport(self, report) -> None:
        """Keep the name of a test that fails, wherever in it."""
        if report.failed:
            self.failed[report.nodeid] = None

    def _in_a_fork(self, session, order: Order) -> Met:
        start = time.monotonic()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._be_the_fork(session, order, writing)  # does not return
        os.close(writing)
        told, in_time = _read_all(reading, start + order.patience)
        os.close(reading)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and whatever it has started
        os.waitpid(child, 0)
        code, failed, loaded = [*told.decode().split("\n"), "", ""][:3]
        for name in loaded.split():  # for the next: what no mutant can change
            with suppress(Exception):
                importlib.import_module(name)
        found = int(code) if code else 1  # it died before it could tell
        return Met(found if in_time else None, tuple(failed.split("\t")) if failed else (),
                   time.monotonic() - start)  # fmt: skip

    def _be_the_fork(self, session, order: Order, writing: int) -> None:
        """Run the tests, tell what came of them, and leave nothing behind."""
        code = 1
        try:
            os.setpgid(0, 0)
            known = set(sys.modules)
            if order.where:
                put_in(order.module, order.where)
            code = _run(session, order)
            loaded = [n for n in sys.modules if n not in known] if order.to_the_end else []
            others = [n for n in loaded if n.split(".")[0] not in ("tests", "course_utils")]
            told = "\n".join([str(code), "\t".join(self.failed), " ".join(others)])
            os.write(writing, told.encode())
        finally:
            os._exit(code)


def _read_all(reading: int, end: float) -> tuple[bytes, bool]:
    """Return what a fork wrote before its end, and whether it ended before ours."""
    told = b""
    while select.select([reading], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(reading, 1 << 16)
        if not part:
            return told, True
        told += part
    return told, False


def _run(session, order: Order) -> int:
    """Run the gathered tests, those first that noticed most; return 0 where all of them pass."""
    from _pytest.main import pytest_runtestloop

    places = {name: place for place, name in enumerate(order.first)}
    items = [item for item in session.items if item.nodeid not in set(order.without)]
    session.items = sorted(items, key=lambda item: places.get(item.nodeid, len(places)))
    if order.to_the_end:
        session.config.option.maxfail = 0
    with suppress(session.Failed):
        pytest_runtestloop(session)
    return int(session.testsfailed > 0)


def put_in(module: str, where: str) -> None:
    """Give a loaded function the code that its file has now: whoever imported it has it too."""
    name = module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    loaded = importlib.import_module(name)
    changed = type(loaded)(name)
    changed.__dict__.update(__file__=loaded.__file__, __package__=loaded.__package__)
    exec(compile(Path(module).read_text(encoding="utf-8"), module, "exec"), changed.__dict__)
    old, new = (_function(vars(m), where.split(".")) for m in (loaded, changed))
    old.__code__, old.__defaults__, old.__kwdefaults__ = (
        new.__code__, new.__defaults__, new.__kwdefaults__)  # fmt: skip


def _function(names: dict, path: Iterable[str]):
    """Return the outermost function on a path of names, without what decorates it."""
    for name in path:
        found = names[name]
        found = getattr(found, "fget", None) or getattr(found, "__func__", found)
        while hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        if hasattr(found, "__code__"):
            return found
        names = vars(found)
    raise LookupError(f"no function is called {'.'.join(path)}")
