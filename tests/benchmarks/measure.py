"""Time two things side by side and say whether their ratio meets its bar."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One line of the table that `make bench` prints."""

    what: str
    ratio: float
    bar: str = ""  # "<= 2.0" or ">= 10", empty when the number is only reported
    detail: str = ""
    unit: str = "x"  # of `ratio`, where the number is no ratio

    @property
    def met(self) -> bool | None:
        """Return whether the ratio meets its bar, None when there is no bar."""
        if not self.bar:
            return None
        sign, limit = self.bar.split()
        return {"<=": self.ratio <= float(limit), ">=": self.ratio >= float(limit)}[sign]


def seconds_each(
    *candidates: Callable[[], object], repeats: int = 15, warmup: int = 2
) -> list[float]:
    """Return the median seconds of each candidate, its runs interleaved with all the others'.

    Interleaving is what makes a ratio trustworthy on a noisy machine: a slow moment hits all.
    """
    for _ in range(warmup):
        for run in candidates:
            run()
    samples: list[list[float]] = [[] for _ in candidates]
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for run, taken in zip(candidates, samples, strict=True):
                start = time.perf_counter()
                run()
                taken.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return [statistics.median(taken) for taken in samples]


def slowdown(what: str, ours: Callable, reference: Callable, bar: str = "", **timing) -> Row:
    """Return ours / reference: how many times longer ours takes."""
    a, b = seconds_each(ours, reference, **timing)
    return Row(what, a / b, bar, f"{a * 1e3:.2f} ms against {b * 1e3:.2f} ms")


def speedup(what: str, ours: Callable, reference: Callable, bar: str = "", **timing) -> Row:
    """Return reference / ours: how many times faster ours is."""
    a, b = seconds_each(ours, reference, **timing)
    return Row(what, b / a, bar, f"{a * 1e3:.2f} ms against {b * 1e3:.2f} ms")


def processor() -> str:
    """Return what the processor calls itself: the libraries' speed depends on who made it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(row.split(":", 1)[1].strip() for row in lines if row.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def high_water() -> int:
    """Return this process's largest resident size in bytes.

    Linux counts in ru_maxrss also the process that started this one; VmHWM begins at zero.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(row for row in status.read_text().splitlines() if row.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    if os.name == "nt":
        import psutil

        return psutil.Process().memory_info().peak_wset
    import resource  # not on Windows

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@contextmanager
def without_profiler_lines() -> Iterator[None]:
    """Keep from the terminal what PyTorch's profiler writes at each start; all else passes."""
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            said.seek(0)
            for line in said:
                if not line.startswith(b"USDT:"):
                    os.write(2, line)


def table(rows: list[Row]) -> str:
    """Return the rows as text, worst news visible at the line's end."""
    width = max(len(row.what) for row in rows)
    lines = []
    for row in rows:
        verdict = {True: "met", False: "MISSED", None: ""}[row.met]
        number = f"{row.ratio:8.2f}{row.unit:<2}"
        lines.append(f"{row.what:<{width}}  {number} {row.bar:>8}  {verdict:<6}  {row.detail}")
    return "\n".join(lines)
