"""Deal the tests out so that two processes make nothing twice and end together.

xdist's own groups are of no use here: from pytest 9.2 on it no longer sees them.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from xdist.scheduler import LoadScopeScheduling

LECTURE = re.compile(r"[\[/](\d\d)_\w+")  # a test was given it, or it is the file


@pytest.hookimpl(optionalhook=True)  # where xdist is not loaded nobody asks
def pytest_xdist_make_scheduler(config, log):
    """Keep together what shares a file or a lecture."""
    return Dealt(config, log) if config.getvalue("dist") == "loadscope" else None


def pytest_collection_modifyitems(items):
    """Begin with the longest tests."""
    items[:] = longest_first(items)


class Dealt(LoadScopeScheduling):
    """Whole files to one process, but a lecture's tests of a file, as they come, may part."""

    def __init__(self, config: pytest.Config, log):
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """Return what is to stay in one process: a lecture with what is asked of it, or a file."""
    file = nodeid.split("::")[0]
    lecture = LECTURE.search(nodeid)
    return file + lecture[0] if lecture else file


def longest_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Order tests group by group.

    Slow ones begin: lectures, from the last to the first, then files. A file with many tests comes
    before one with few.
    """
    groups = {item: group_of(item.nodeid) for item in items}
    slow = {groups[item] for item in items if item.get_closest_marker("slow")}
    size = Counter(groups.values())

    def order(item: pytest.Item) -> tuple:
        group = groups[item]
        lecture = LECTURE.search(group)
        place = -int(lecture[1]) if lecture else 1
        return group not in slow, place, -size[group], group

    return sorted(items, key=order)
