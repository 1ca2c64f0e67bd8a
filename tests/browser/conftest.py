"""One server and one browser for the browser tests of a process, of which two may run at a time."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.browser.chromium import browser as start_browser
from tests.browser.chromium import missing
from tests.browser.explorer_page import explorers
from tests.browser.lab_page import LabPage
from tests.browser.options import in_wanted_order
from tests.browser.server import DOCUMENTS, REPOSITORY, LabServer
from tests.browser.small_notebooks import GATE, write_small_notebook, write_small_notebooks

REQUIRED = "COURSE_REQUIRE_BROWSER"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Turn the order round where that is asked for: no test may lean on the one before it."""
    items[:] = in_wanted_order(items)


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
    """Return a JupyterLab on a copy of the lectures and on the tests' own small notebooks.

    It saves only what it is told to save: nothing happens two minutes later, in the next test.
    """
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(
        REPOSITORY / "notebooks",
        course / "notebooks",
        ignore=shutil.ignore_patterns(".ipynb_checkpoints"),
    )
    write_small_notebooks(course / "notebooks")
    private = tmp_path_factory.mktemp("private")
    with LabServer(course, private, OMP_NUM_THREADS="1") as lab:  # a page draws meanwhile
        lab.configure(DOCUMENTS, autosave=False)
        yield lab


@pytest.fixture(scope="session")
def lab(browser, server):
    """Return the one JupyterLab page that every test opens its notebook in."""
    page = LabPage(browser, server)
    yield page
    page.close()


@pytest.fixture(scope="module")
def shared(lab):
    """Return a list of the one notebook that tests of a file share, empty while none is open."""
    names: list[str] = []
    yield names
    if names:
        lab.shut()


@pytest.fixture
def open_anew(lab, server, shared):
    """Return a function that opens a notebook as it was first written, and no other."""

    def opened(name):
        if shared:
            shared.clear()
            lab.shut()
        write_small_notebook(server.course / "notebooks" / name)
        return lab.open(name)

    return opened


@pytest.fixture
def open_notebook(lab, open_anew):
    """Return a function that opens a notebook, which is closed when the test ends."""
    yield open_anew
    lab.shut()


@pytest.fixture
def shared_notebook(lab, open_anew, shared):
    """Return a function that shows a notebook which was run, once for tests that follow each other.

    Its explorers stand at their start. What else a test changes it must take back.
    """

    def show(name):
        if shared != [name]:
            open_anew(name).run_all()
            shared.append(name)
        for explorer in explorers(lab):
            explorer.click("Back to the start")
        return lab

    return show


@pytest.fixture
def gate(server):
    """Return a pipe that holds up who opens it in a kernel until somebody opens its other end."""
    pipe = server.course / "notebooks" / GATE
    os.mkfifo(pipe)
    yield pipe
    pipe.unlink()
