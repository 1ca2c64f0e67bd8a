"""The deck's own rules, run by node without a browser, beside those for the printed notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from course_utils.pages.notebook import Notebook, read
from course_utils.pages.slides import SHORT, TAKEAWAY, make_slides, planned_minutes, shorten
from tests.pages.in_node import in_node

REPOSITORY = Path(__file__).resolve().parents[2]
LECTURES = sorted((REPOSITORY / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def as_the_page_sees(notebook: Notebook) -> list[dict[str, Any]]:
    """Return a lecture's cells as cellsOf of slides.js reads them in the page."""
    return [
        {"kind": cell.slide, "source": cell.source, "markdown": cell.is_prose, "tags": cell.tags}
        for cell in notebook.cells
    ]


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_deck_and_printed_notes_follow_the_same_rules(path):
    """Catches a rule for slides, sections or minutes that was changed in one language only."""
    notebook = read(path)
    slides = make_slides(notebook)
    found = in_node(
        "const made = slides.makeSlides(given);"
        "const { planned } = notes.minutesOf({ slides: made, cells: given }, 0);"
        "const own = made.map((_, at) => notes.minutesOf({ slides: made, cells: given }, at));"
        "const plan = own.map((each) => each.plannedHere);"
        "console.log(JSON.stringify({ made, planned, plan }))",
        as_the_page_sees(notebook),
    )
    assert [
        ([each["index"] for each in slide["cells"]], slide["aside"], slide["section"])
        for slide in found["made"]
    ] == [
        (
            [cell.number - 1 for cell in slide.shown],
            [cell.number - 1 for cell in slide.aside],
            slide.section,
        )
        for slide in slides
    ]
    assert found["planned"] == (planned_minutes(slides) or None)
    until = [sum(each.minutes for each in slides[: place + 1]) for place in range(len(slides))]
    assert found["plan"] == (until if until[-1] else [None] * len(slides))


def test_steps_are_counted_by_fragments():
    """Catches a cell that appears a step early, or with the slide before it."""
    kinds = ["skip", "slide", None, "fragment", "-", "notes", "fragment", "subslide", "fragment"]
    cells = [{"kind": kind, "source": "", "markdown": True} for kind in kinds]
    made = in_node("console.log(JSON.stringify(slides.makeSlides(given)))", cells)
    steps = [[(cell["index"], cell["step"]) for cell in slide["cells"]] for slide in made]
    assert steps == [[(1, 0), (2, 0), (3, 1), (4, 1), (6, 2)], [(7, 0), (8, 1)]]
    assert [slide["steps"] for slide in made] == [2, 1]
    assert [slide["aside"] for slide in made] == [[0, 5], []]
    assert [slide["section"] for slide in made] == [0, 0]


def test_a_task_comes_with_its_explorer():
    """Catches a question alone on the wall, and an explorer that hides the step before it."""
    sources = ["## Task", 'predict("02.a", "?")', 'predicted("02.a", "1")', "explore_echo()"]
    kinds = ["slide", *["fragment"] * 3]
    cells = [
        {"kind": kind, "source": source, "markdown": source.startswith("#")}
        for kind, source in zip(kinds, sources, strict=True)
    ]
    (slide,) = in_node("console.log(JSON.stringify(slides.makeSlides(given)))", cells)
    assert [cell["step"] for cell in slide["cells"]] == [0, 0, 1, 2]


def test_a_slide_is_as_large_as_fits():
    """Catches a search that stops short, tries too often, or calls good what does not fit."""
    found = in_node(
        "console.log(JSON.stringify(given.map((edge) => {"
        "  let tries = 0;"
        "  const size = fit.largest(10, 90, (size) => (tries += 1, size <= edge));"
        "  return [size, tries];"
        "})))",
        [5, 10, 31, 60.2, 89.9, 90, 200],
    )
    sizes, tries = zip(*found, strict=True)
    assert sizes[0] == -1
    assert sizes[-2:] == (90, 90)
    near = (90 - 10) / 2**6  # six halvings
    for size, edge in zip(sizes[1:-2], [10, 31, 60.2, 89.9], strict=True):
        assert edge - near <= size <= edge
    assert max(tries) <= 9


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_the_short_version_loses_no_takeaway(path):
    """Catches a conclusion that goes with its exercise, and two languages that shorten apart.

    And two conclusions on one slide, of which the class remembers none.
    """
    notebook = read(path)
    whole = make_slides(notebook)
    slides = shorten(whole)
    found = in_node(
        "const made = slides.shorten(slides.makeSlides(given), given);"
        "const { planned } = notes.minutesOf({ slides: made, cells: given, short: true }, 0);"
        "console.log(JSON.stringify({ made, planned }))",
        as_the_page_sees(notebook),
    )
    shown = [cell.number - 1 for slide in slides for cell in slide.shown]
    assert [each["index"] for slide in found["made"] for each in slide["cells"]] == shown
    assert [slide["section"] for slide in found["made"]] == [slide.section for slide in slides]
    sums = [cell.number - 1 for cell in notebook.prose if cell.source.startswith(TAKEAWAY)]
    assert [number for number in shown if number in sums] == sums
    on_one = [[cell.source for cell in slide.shown if cell.number - 1 in sums] for slide in slides]
    assert [two for two in on_one if len(two) > 1] == []
    assert not any("exercise" in notebook.cells[number].tags for number in shown)
    if planned := planned_minutes(slides, SHORT):
        assert found["planned"] == planned <= planned_minutes(whole)


def test_the_short_version_shows_what_opens_an_optional_section():
    """Catches a tag that nobody reads, one that takes the next section too, or its takeaway.

    And a takeaway below somebody else's heading.
    """
    kinds = ("slide", "slide", "fragment", "subslide", "fragment", "slide")
    sources = ("# A", "## 1 B", "a step", "more", "**In one sentence.** Short.", "## 2 C")
    cells = [
        {"kind": kind, "source": source, "markdown": True, "tags": ["optional"] * ("B" in source)}
        for kind, source in zip(kinds, sources, strict=True)
    ]
    code = "console.log(JSON.stringify(slides.shorten(slides.makeSlides(given), given)))"
    made = in_node(code, cells)
    steps = [[(cell["index"], cell["step"]) for cell in slide["cells"]] for slide in made]
    assert steps == [[(0, 0)], [(1, 0), (4, 1)], [(5, 0)]]
    assert [slide["section"] for slide in made] == [0, 1, 2]
    assert [slide["steps"] for slide in made] == [0, 1, 0]


def test_a_section_that_opens_with_an_exercise_keeps_its_words_in_the_short_version():
    """Catches a result below the heading of the section before its own.

    And a section of exercises alone, whose words would stand on the wall of the next one.
    """
    kinds = ("slide", "slide", "fragment", "subslide", "fragment", "subslide")
    kinds += ("slide", "fragment", "slide")
    sources = ("# A", "## 1 B", "def stub(): ...", "a result", "more", "another")
    sources += ("## 2 C", "def stub_too(): ...", "## 3 D")
    cells = [
        {
            "kind": kind,
            "source": source,
            "markdown": True,
            "tags": ["exercise"] * ("stub" in source),
        }
        for kind, source in zip(kinds, sources, strict=True)
    ]
    code = "console.log(JSON.stringify(slides.shorten(slides.makeSlides(given), given)))"
    made = in_node(code, cells)
    steps = [[(cell["index"], cell["step"]) for cell in slide["cells"]] for slide in made]
    assert steps == [[(0, 0)], [(1, 0), (3, 1), (4, 2)], [(5, 0)], [(8, 0)]]
    assert [slide["section"] for slide in made] == [0, 1, 1, 3]
    assert [slide["steps"] for slide in made] == [0, 2, 0, 0]
