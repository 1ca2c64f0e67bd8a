"""The printed notes: every cell in its place, formulas without a network, nothing unescaped."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from course_utils.cli import app
from course_utils.pages.notebook import lectures, read
from course_utils.pages.notes_page import notes_page, write_notes
from course_utils.pages.slides import heading_of, make_slides, planned_minutes
from tests.tools.lesson import lesson
from tools.__main__ import ROOT

LECTURES = lectures(ROOT / "notebooks")


class Links(HTMLParser):
    """Collects everything that a page would fetch."""

    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        fetched = {"img": "src", "script": "src", "link": "href", "iframe": "src"}
        self.found += [value for name, value in attrs if name == fetched.get(tag)]


@pytest.mark.parametrize("lecture", LECTURES, ids=lambda path: path.stem)
def test_the_page_has_everything_and_needs_nothing(lecture, tmp_path):
    """Catches a note left out, raw TeX, a script or a picture from the network."""
    page = write_notes(lecture, tmp_path).read_text()
    links = Links()
    links.feed(page)
    assert links.found == []
    notebook = read(lecture)
    assert page.count("<section>") == len(make_slides(notebook))
    aside = [cell for cell in notebook.prose if cell.slide in ("notes", "skip")]
    assert len(re.findall('<div class="(?:notes|skip)">', page)) == len(aside)
    prose = re.sub(r"<(pre|code|style)>.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search(r"\$|\\[a-zA-Z]+", prose)


def test_slides_are_cut_where_the_deck_cuts_them(tmp_path):
    """Catches a note on another slide's page, a lost heading, minutes that do not add up."""
    notebook = lesson(tmp_path)
    cells = [
        ("markdown", "# The whole", "slide"),
        ("markdown", "Speak slowly. 50 minutes.", "notes"),
        ("markdown", "## One & $x_t$ two\n\n*6 minutes.* Then", "slide"),
        ("markdown", "no heading of its own", "subslide"),
        ("code", "# a comment", "-"),
        ("markdown", "**Minutes:** 3", "notes"),
        ("markdown", "left out", "skip"),
        ("markdown", "### Exercise 1.1", "subslide"),
        ("code", "def stub(): ...", "subslide"),
    ]
    for (kind, source, slide), cell in zip(cells, notebook.cells, strict=False):
        cell.node.cell_type, cell.node.source = kind, source
        tags = ["exercise"] if source.startswith("def ") else []
        cell.node.metadata = {"slideshow": {"slide_type": slide}, "tags": tags}
    notebook.cells = notebook.cells[: len(cells)]
    slides = make_slides(notebook)
    assert [len(slide.shown) for slide in slides] == [1, 1, 2, 1, 1]
    assert [len(slide.aside) for slide in slides] == [1, 0, 2, 0, 0]
    assert [heading_of(slides, n, "?") for n in range(5)] == (
        ["The whole"] + 2 * ["One & $x_t$ two"] + 2 * ["Exercise 1.1"]
    )
    assert [slide.minutes for slide in slides] == [0, 6, 3, 0, 0]
    assert planned_minutes(slides) == 50
    page = notes_page(notebook)
    assert "until minute 9" in page
    assert "One &amp; <math" in page


def test_the_command_writes_the_page_and_knows_its_lectures(tmp_path):
    """Catches a number that is not found, or an error that is a traceback."""
    run = CliRunner().invoke(app, ["notes", "3", "--out", str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert (tmp_path / "03_lstm_notes.html").is_file()
    missing = CliRunner().invoke(app, ["notes", "77", "--out", str(tmp_path)])
    assert missing.exit_code == 1
    assert "no lecture 77" in missing.output
