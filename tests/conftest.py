"""Shared by every test: a fixed seed, double precision where asked for, and figures at the end."""

from __future__ import annotations

import signal

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course_utils.settings import seed_everything

# A shell that starts us in the background lets us ignore Ctrl-C, and tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def fixed_seed():
    """Start every test from the same random numbers, whatever ran before it."""
    seed_everything()


@pytest.fixture
def float64():
    """Make float64 the default number type for one test."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


@pytest.fixture
def drawing(record_property):
    """Return a decorator that draws cases in a fixed order and notes how many there were."""

    def draw(*strategies, cases: int = 200):
        def run(test):
            count = 0

            @settings(max_examples=cases, derandomize=True, database=None, deadline=None,
                      suppress_health_check=list(HealthCheck))  # fmt: skip
            @given(st.tuples(*strategies))
            def counted(values):
                nonlocal count
                count += 1
                test(*values)

            counted()
            record_property("drawn_cases", count)
            assert count >= cases // 2, "the strategies have hardly a case to offer"

        return run

    return draw


def pytest_terminal_summary(terminalreporter):
    """Say how many cases stand behind tests that count them, wherever they ran."""
    noted: dict[str, list] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            noted.setdefault(name, []).append(value)
    if drawn := noted.get("drawn_cases"):
        terminalreporter.write_line(f"{sum(drawn):,} drawn cases in {len(drawn)} tests")
    for kind in ("hostile_server", "hostile_archive"):
        if cases := noted.get(kind):
            _, seconds, memory = zip(*cases, strict=True)
            terminalreporter.write_line(
                f"{len(cases)} {kind.replace('_', ' ')} cases: longest {max(seconds):.1f} s, "
                f"most memory {max(memory) / 1e6:.1f} MB"
            )


@pytest.fixture(autouse=True)
def nothing_solved(tmp_path, monkeypatch):
    """Keep the progress of tests apart from that of whoever runs them."""
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
