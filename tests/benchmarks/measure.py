"""Time two things side by side and say whether their ratio meets its bar."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table that `make bench` prints."""

    what: str
    ratio: float
    bar: str = ""  # "<= 2.0" or ">= 10", empty when the number is only reported
    detail: str = ""

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


def table(rows: list[Row]) -> str:
    """Return the rows as text, worst news visible at the line's end."""
    width = max(len(row.what) for row in rows)
    lines = []
    for row in rows:
        verdict = {True: "met", False: "MISSED", None: ""}[row.met]
        lines.append(
            f"{row.what:<{width}}  {row.ratio:8.2f}x  {row.bar:>8}  {verdict:<6}  {row.detail}"
        )
    return "\n".join(lines)
