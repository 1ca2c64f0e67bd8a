"""Slides on paper: as the wall shows them, whole in one file, with or without what is said."""

from __future__ import annotations

import re

import pytest

from course_utils.pages.notebook import Notebook
from course_utils.pages.slides import make_slides
from course_utils.site import pdf
from course_utils.site.runs import run_once
from course_utils.site.slides_page import slides_page
from tests.browser.chromium import executable
from tests.site.test_pages import EXPLORED, note
from tests.tools.lesson import write_lesson


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Return a small lecture that has run, its questions an instructor's note."""
    root = tmp_path_factory.mktemp("course")
    section = "## A $x_t$ section\n\n*6 minutes.* Look:\n\n$$a = b \\tag{0.1}$$"
    path = write_lesson(root, claim=EXPLORED, section=section, questions=note)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_SITE_RUNS", str(root / "runs"))
        return Notebook(path, run_once(path))


def test_a_page_of_slides_has_what_the_wall_has(ran):
    """Catches a slide left out, a note on it, a picture or a script from elsewhere, a widget."""
    page = slides_page(ran)
    assert page.count("<section>") == len(make_slides(ran))
    assert "Whisper" not in page
    assert "6 minutes" not in page
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    assert "<input" not in page
    assert "course-still" in page
    assert "☐&nbsp;yes" in page
    assert "The result is <b>7 steps</b>" in page
    assert "(0.1)</mtext>" in page
    assert "import torch" not in page
    assert "Not attempted" not in page


def test_notes_stand_below_where_they_are_asked_for(ran):
    """Catches two slides a page without what the presenter says, or folded away on paper."""
    page = slides_page(ran, with_notes=True)
    assert '<body class="two-a-page">' in page
    assert page.count('<div class="notes">') == page.count("<section>")
    assert "<details open>" in page
    assert "Whisper" in page


def test_the_short_version_has_no_exercise(ran):
    """Catches an exercise on paper that was left out on the wall."""
    assert "one_step" in slides_page(ran)
    assert "one_step" not in slides_page(ran, short=True)


@pytest.mark.browser
@pytest.mark.skipif(executable() is None, reason="no Chromium found")
def test_every_slide_is_a_page_of_the_pdf(ran, tmp_path):
    """Catches a slide that runs over two sheets, and a browser that prints nothing."""
    page, printed = tmp_path / "slides.html", tmp_path / "slides.pdf"
    page.write_text(slides_page(ran), encoding="utf-8")
    pdf.print_pdf(page, printed)
    boxes = re.findall(rb"/MediaBox \[0 0 960 540\]", printed.read_bytes())
    assert len(boxes) == len(make_slides(ran))


def test_without_a_browser_it_says_what_to_do(monkeypatch):
    """Catches a traceback where no Chromium is."""
    monkeypatch.setattr(pdf.shutil, "which", lambda _name: None)
    monkeypatch.setattr(pdf, "_usual_places", list)
    with pytest.raises(pdf.NoBrowser, match="leave out --pdf"):
        pdf.browser()
