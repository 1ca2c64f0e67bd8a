"""Ask axe-core what keeps people from using our outputs. No part of the course: CI fetches it.

By hand: `npm pack axe-core@4.10.3 --pack-destination build`, then run the test.
"""

from __future__ import annotations

import os
import tarfile
from typing import NamedTuple

from tests.browser.lab_page import LabPage
from tests.browser.server import REPOSITORY

ARCHIVE = REPOSITORY / "build" / "axe-core-4.10.3.tgz"
REQUIRED = "COURSE_REQUIRE_AXE"
SERIOUS = ("serious", "critical")
ASK = """async (part) => {
  const found = await axe.run({ include: [[part]] },
    { resultTypes: ["violations"], preload: false });
  return found.violations.flatMap((rule) => rule.nodes.map((node) => (
    { rule: rule.id, impact: node.impact, about: node.failureSummary, html: node.html })));
}"""


class Violation(NamedTuple):
    """One element that breaks one of axe's rules."""

    rule: str
    impact: str
    about: str
    html: str


def missing() -> str:
    """Return why axe cannot be asked here, empty when it can; where it is demanded, raise."""
    if ARCHIVE.exists():
        return ""
    reason = f"no axe-core in build/: npm pack axe-core@{_version()} --pack-destination build"
    if os.environ.get(REQUIRED) == "1":
        raise RuntimeError(f"{REQUIRED}=1, but {reason}")
    return reason


def violations(lab: LabPage) -> list[Violation]:
    """Return everything serious that axe finds in the outputs of the notebook shown."""
    return violations_in(lab.page, ".jp-OutputArea-output")


def violations_in(page, part: str) -> list[Violation]:
    """Return everything serious that axe finds in a part of a page."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_source())
    found = (Violation(**one) for one in page.evaluate(ASK, part))
    return [one for one in found if one.impact in SERIOUS]


def _source() -> str:
    with tarfile.open(ARCHIVE) as archive:
        file = archive.extractfile("package/axe.min.js")
        assert file is not None
        return file.read().decode()


def _version() -> str:
    return ARCHIVE.stem.removeprefix("axe-core-")
