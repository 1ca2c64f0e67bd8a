"""`course present`: its own address starts a lecture, once, and nobody else's link starts any."""

from __future__ import annotations

import urllib.request
from http.cookiejar import CookieJar

import pytest

from tests.browser.lab_page import KERNEL_READY, LabPage
from tests.browser.server import LabServer
from tests.browser.small_notebooks import write_deck, write_notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LECTURE, OTHER = "notebooks/00_start_here.ipynb", "notebooks/other.ipynb"
ELSEWHERE = "http://elsewhere.test/"
ALL_RUN = "() => !document.querySelector('.course-deck-status').textContent"


@pytest.fixture(scope="module")
def presenting(chromium_or_skip, tmp_path_factory):
    """Return a server that was started by `course present 00`, and whose word nobody has used."""
    course = tmp_path_factory.mktemp("presented")
    (course / "notebooks").mkdir()
    write_deck(course / LECTURE)
    write_notebook(course / OTHER, ["open('ran', 'w').close()"])
    with LabServer(course, tmp_path_factory.mktemp("private"), ("present", "00")) as server:
        yield server


@pytest.fixture
def visitor(browser, presenting):
    """Return a page of a browser that has never been here."""
    page = LabPage(browser, presenting)
    page.context.route(
        f"{ELSEWHERE}**", lambda route: route.fulfill(body="", content_type="text/html")
    )
    yield page
    page.close()


def follow_link(visitor, path, query):
    """Click a link to a notebook on a page of somebody else's; return whether anything has run."""
    visitor.page.goto(ELSEWHERE)
    address = f"{visitor.server.url}lab/tree/{path}?{query}"
    visitor.page.evaluate(
        "(to) => document.body.append(Object.assign("
        "document.createElement('a'), {href: to, textContent: 'Slides'}))",
        address,
    )
    visitor.page.get_by_text("Slides").click()
    return has_run(visitor, path)


def has_run(visitor, path):
    """Return whether the notebook that the page shows has run, or is shown as slides."""
    visitor.page.wait_for_function(KERNEL_READY, arg=path)
    visitor.open(path.split("/")[-1])
    visitor.ask("0")  # answered after all that was asked before
    counts = [cell["count"] for cell in visitor.cells()]
    return any(counts) or visitor.page.locator(".course-deck-panel").count() > 0


def test_the_printed_address_opens_the_lecture_without_a_login(presenting):
    """Catches an address with two question marks, which leads to the page that asks for a token."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with opener.open(presenting.printed) as answer:
        assert answer.status == 200
        assert answer.url.startswith(f"{presenting.url}lab/tree/{LECTURE}?present=")


def test_only_the_word_of_course_present_starts_and_only_once(visitor, presenting):
    """Catches a link on any page that runs a notebook, and a word that is good for ever.

    Nor does a word that somebody made up start it, nor the right one another notebook.
    """
    word = presenting.printed.split("?")[0].split("/")[-1]
    visitor.page.goto(f"{presenting.url}lab/tree/{OTHER}?token={presenting.token}")
    assert not follow_link(visitor, OTHER, f"present={word}")
    for query in ("present", "present=made-up"):
        assert not follow_link(visitor, LECTURE, query), query
    assert not (presenting.course / "notebooks" / "ran").exists()

    visitor.page.goto(presenting.printed)
    visitor.page.wait_for_selector(".course-deck-panel")
    visitor.open("00_start_here.ipynb")
    visitor.page.wait_for_function(ALL_RUN)
    assert all(cell["count"] for cell in visitor.cells() if cell["type"] == "code")
    assert word not in visitor.page.url
    visitor.page.keyboard.press("Escape")
    visitor.shut()

    visitor.page.goto(presenting.printed)
    assert not has_run(visitor, LECTURE)
    assert not follow_link(visitor, LECTURE, f"present={word}")
    visitor.page.get_by_role("button", name="Present", exact=True).wait_for()
