"""Count what a run of pytest has checked, for the last lines of `make test`.

`--tell FILE` writes it as JSON: passed, failed and skipped tests, the files that they are from,
and the sums of the whole numbers that tests note by `record_property`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest


def pytest_addoption(parser):
    """Let `python -m tests` ask for the numbers."""
    parser.addoption("--tell", metavar="FILE", help="write what was checked to a file")


def pytest_configure(config):
    """Count where the reports arrive, which is not in a process of xdist's."""
    if (path := config.getoption("tell")) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Teller(Path(path)), "teller")


def pytest_itemcollected(item):
    """Note which of nbval's cells are compared: the checks of exercises in solved copies."""
    if getattr(item, "options", {}).get("check"):
        item.user_properties.append(("exercises", 1))


class Teller:
    """The counts of one run."""

    def __init__(self, path: Path):
        self.path = path
        self.told: Counter[str] = Counter()
        self.files: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport):
        """Count a test when it was called; what fails before or after it, and what is skipped."""
        if report.when != "call" and report.passed:
            return
        self.told[report.outcome] += 1
        self.files.add(report.nodeid.split("::")[0])
        for name, value in report.user_properties if report.passed else ():
            if isinstance(value, int):
                self.told[name] += value

    def pytest_collectreport(self, report: pytest.CollectReport):
        """Count a file that cannot be read as a failure."""
        self.told["failed"] += report.failed

    def pytest_sessionfinish(self):
        """Write the counts."""
        told = {"passed": 0, "failed": 0, "skipped": 0, **self.told, "files": len(self.files)}
        self.path.write_text(json.dumps(told), encoding="utf-8")
