"""One server and one browser for the browser tests of a process, of which two may run at a time."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.browser.chromium import browser as start_browser
from tests.browser.chromium import missing
from tests.browser.lab_page import LabPage
from tests.browser.server import REPOSITORY, LabServer
from tests.browser.small_notebooks import write_small_notebooks

REQUIRED = "COURSE_REQUIRE_BROWSER"


@pytest.fixture(scope="session", autouse=True)
def chromium_or_skip():
    """Skip with a reason where there is no browser; fail instead where one is demanded."""
    if reason := missing():
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(f"{REQUIRED}=1, but {reason}", pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def browser(chromium_or_skip):
    """Return a headless Chromium."""
    with start_browser() as chromium:
        yield chromium


@pytest.fixture(scope="session")
def server(chromium_or_skip, tmp_path_factory):
    """Return a JupyterLab on a copy of the lectures and on the tests' own small notebooks."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(
        REPOSITORY / "notebooks",
        course / "notebooks",
        ignore=shutil.ignore_patterns(".ipynb_checkpoints"),
    )
    write_small_notebooks(course / "notebooks")
    with LabServer(course, tmp_path_factory.mktemp("private")) as lab:
        yield lab


@pytest.fixture(scope="session")
def lab(browser, server):
    """Return the one JupyterLab page that every test opens its notebook in."""
    page = LabPage(browser, server)
    yield page
    page.close()


@pytest.fixture
def open_notebook(lab):
    """Return a function that opens a notebook, which is closed when the test ends."""
    yield lab.open
    lab.shut()
