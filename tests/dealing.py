"""Deal the tests out so that two processes make nothing twice and end together.

What shares a file or a lecture stays in one process, or each would open it. The longest groups
begin, by the seconds in weights.json. `python -m tests --weigh` measures them anew. A weight that
is out of date costs some time and nothing else.

xdist's own groups are of no use here: from pytest 9.2 on it no longer sees them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).resolve().parents[1]
WEIGHTS = Path(__file__).with_name("weights.json")
LECTURE = re.compile(r"\[(\d\d)_\w+")  # a test was given it
NEW, NEW_AND_SLOW = 1.0, 60.0  # seconds that an unknown group is thought to take


def pytest_addoption(parser):
    """Let a run measure what the next one is dealt out by."""
    parser.addoption("--weigh", action="store_true", help="write the seconds to tests/weights.json")


@pytest.hookimpl(optionalhook=True)  # where xdist is not loaded nobody asks
def pytest_xdist_make_scheduler(config, log):
    """Keep together what shares a file or a lecture, also where only -n 2 is said."""
    return Dealt(config, log) if config.getvalue("dist") in ("load", "loadscope") else None


def pytest_configure(config):
    """Weigh where the reports arrive, which is not in a process of xdist's."""
    if config.getoption("weigh") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Scales(), "scales")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with the longest tests."""
    items[:] = longest_first(items, known_weights())


class Dealt(LoadScopeScheduling):
    """A group to one process; groups in the order in which they come."""

    def __init__(self, config: pytest.Config, log):
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def remove_node(self, node) -> str | None:
        """Count the test that ended its process as done: in the next it would end that as well."""
        groups = self.assigned_work[node]
        running = [(group, test) for group in groups.values() for test in group if not group[test]]
        if not running:
            return super().remove_node(node)
        group, test = running[0]
        group[test] = True
        for name in [name for name, tests in groups.items() if all(tests.values())]:
            del groups[name]  # dealt out again, a group without a test would be waited for
        super().remove_node(node)  # deals out what is left
        return test


class Scales:
    """The seconds that each group took."""

    def __init__(self):
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report):
        """Add what a test took to its group, with what was set up and taken down for it."""
        self.seconds[group_of(report.nodeid)] += report.duration

    def pytest_sessionfinish(self):
        """Keep the weights of other groups, unless their file is gone."""
        kept = {g: w for g, w in known_weights().items() if (ROOT / g.split("[")[0]).exists()}
        heavy = {g: round(s, 1) for g, s in self.seconds.items() if s >= NEW}
        kept = {g: w for g, w in kept.items() if g not in self.seconds} | heavy
        WEIGHTS.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def known_weights() -> dict[str, float]:
    """Return the seconds that each group took when it was last weighed."""
    return json.loads(WEIGHTS.read_text(encoding="utf-8")) if WEIGHTS.exists() else {}


def group_of(nodeid: str) -> str:
    """Return what is to stay in one process: a lecture with what is asked of it, or a file."""
    file = nodeid.split("::")[0]
    lecture = LECTURE.search(nodeid)
    return file + lecture[0] if lecture else file


def longest_first(items: list[pytest.Item], weights: dict[str, float]) -> list[pytest.Item]:
    """Order tests group by group, the longest group first, a group's tests as they came."""
    groups = {item: group_of(item.nodeid) for item in items}
    slow = {groups[item] for item in items if item.get_closest_marker("slow")}

    def order(item: pytest.Item) -> tuple:
        group = groups[item]
        return -weights.get(group, NEW_AND_SLOW if group in slow else NEW), group

    return sorted(items, key=order)
