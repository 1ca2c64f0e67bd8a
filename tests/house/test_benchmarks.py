"""The harness of the benchmarks tells a missed bar from a met one, and fails for it."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.benchmarks import __main__ as harness
from tests.benchmarks.measure import (
    Row,
    high_water,
    seconds_each,
    slowdown,
    speedup,
    table,
    without_profiler_lines,
)


@pytest.mark.parametrize(
    ("ratio", "bar", "met"),
    [
        (2.0, "<= 2.0", True),
        (2.01, "<= 2.0", False),
        (10, ">= 10", True),
        (9.9, ">= 10", False),
        (1e9, "", None),
    ],
)
def test_a_bar_is_met_or_missed(ratio, bar, met):
    """Catches a comparison the wrong way round."""
    assert Row("what", ratio, bar).met is met


def test_ratios_are_the_right_way_round():
    """Catches a speed-up that is told as a slowdown."""

    def short():
        return sum(range(100))

    def long():
        return sum(range(100_000))

    assert speedup("faster", short, long, repeats=5).ratio > 5
    assert slowdown("slower", long, short, repeats=5).ratio > 5


def test_runs_are_interleaved():
    """Catches one candidate measured after the other: a slow moment would hit only one."""
    ran = []
    seconds_each(lambda: ran.append("a"), lambda: ran.append("b"), repeats=3, warmup=1)
    assert "".join(ran) == "ab" * 4


def test_a_table_says_what_missed():
    """Catches a missed bar that looks like the others."""
    told = table([Row("one", 3.0, ">= 2"), Row("another", 1.0, ">= 2"), Row("third", 7.5)])
    one, another, third = told.splitlines()
    assert "met" in one
    assert "MISSED" in another
    assert "7.50x" in third


@pytest.mark.parametrize(("ratio", "code"), [(3.0, 0), (1.0, 1)])
def test_a_missed_bar_fails_the_run(ratio, code, monkeypatch, capsys, tmp_path):
    """Catches a benchmark that reports and passes."""
    module = SimpleNamespace(__doc__="One line.", rows=lambda: [Row("one", ratio, ">= 2")])
    (tmp_path / "bench_small.py").touch()
    monkeypatch.setattr(harness, "__file__", str(tmp_path / "__main__.py"))
    monkeypatch.setattr(harness.torch, "set_num_threads", lambda n: None)
    monkeypatch.setitem(sys.modules, "tests.benchmarks.bench_small", module)
    assert harness.main([]) == code
    assert ("1 bar missed" in capsys.readouterr().out) == bool(code)


def test_an_unknown_benchmark_is_told(capsys):
    """Catches a mistyped word that measures nothing and passes."""
    assert harness.main(["atlantis"]) == 2
    assert "no benchmark is called atlantis" in capsys.readouterr().out


def test_the_profilers_own_lines_are_kept_off_the_terminal(capfd):
    """Catches hundreds of lines between the tables, and a real warning that vanishes with them."""
    with without_profiler_lines():
        os.write(2, b"USDT:2026 profiler_start\nsomething is wrong\n")
    assert capfd.readouterr().err == "something is wrong\n"


def test_peak_memory_is_this_process_alone():
    """Catches a peak that holds what the process before it had: Linux hands ru_maxrss on."""
    ballast = bytearray(os.urandom(1) * 300_000_000)
    code = "from tests.benchmarks.measure import high_water; print(high_water())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert high_water() > len(ballast) > 2 * int(told.stdout)
