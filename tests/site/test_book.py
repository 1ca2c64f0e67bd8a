"""The book: every lecture in one page, whose links stay inside it."""

from __future__ import annotations

import re

from course_utils.pages.notebook import read
from course_utils.site import book
from course_utils.site.lecture_page import lecture_page
from tests.tools.lesson import write_lesson


def test_every_link_of_the_book_leads_somewhere(tmp_path):
    """Catches two lectures with one heading's name, a link to a page, a fold that stays shut."""
    link = "## A section\n\n[on](01_next.ipynb#Summary), [over](01_next.ipynb)"
    first = write_lesson(tmp_path, section=link)
    second = write_lesson(tmp_path, name="01_next.ipynb")
    page = book.book_page([lecture_page(read(path)) for path in (first, second)]).decode()
    main = page.partition("<main")[2].partition("</main>")[0]
    names = re.findall(r' id="([^"]*)"', main)
    assert len(names) == len(set(names))
    links = re.findall(r'href="([^"]*)"', main)
    assert {"#01-Summary", "#01", "#00-Summary"} <= set(links)
    assert {link.removeprefix("#") for link in links} <= set(names)
    assert "<details>" not in main
    assert "<details open" in main
    assert "site.js" not in page
