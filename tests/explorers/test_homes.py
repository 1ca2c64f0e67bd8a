"""A lecture gets the explorer that it names."""

from __future__ import annotations

from collections import Counter

from course_utils import explorers


def test_no_two_explorers_share_a_name():
    """Catches a lecture that shows another lecture's explorer: the later home wins in silence."""
    counts = Counter(name for names in explorers._HOMES.values() for name in names)
    assert [name for name, times in counts.items() if times > 1] == []
    for name, home in explorers._HOME_OF.items():
        assert getattr(explorers, name).__module__.endswith(home)
