"""Every lecture in a real JupyterLab: it runs, shows, answers the keyboard and judges answers."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from course_utils.checks.exercise import Exercise
from course_utils.checks.find_exercise import find
from course_utils.checks.judging.judge import judge
from course_utils.checks.lecture_calls import source_of
from course_utils.pages.notebook import read
from course_utils.pages.slides import heading_of, make_slides
from tests.browser.deck import Deck, Screen
from tests.browser.explorer_page import Control, ExplorerPage, explorers
from tests.browser.server import REPOSITORY
from tests.checks.other_kinds import WRONG

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXPLORE = re.compile(r"^explore_\w+\(", re.MULTILINE)
ALL_SHOWN = "asked => document.querySelectorAll('.course-explorer').length >= asked"
USUAL_WINDOW, MOST_TALL = {"width": 1440, "height": 900}, 700
HEIGHTS = """() => [...document.querySelectorAll(".course-explorer")].map((box) =>
  [box.querySelector(".course-title").textContent, box.getBoundingClientRect().height])"""
CHECK = re.compile(r'\bcheck\("([\d.]+)"')
FORMULA = re.compile(r"[$`*_]")
WALLS, LARGE_WALL = ((1280, 720), (1024, 768)), (1920, 1080)
EVERY = 8  # slides of which one is measured on the large wall
LEAST_TEXT, LEAST_LABEL = 20, 16  # pixels, more on the large wall
LEAST_FILLED = 0.4  # of the height
LECTURES = sorted(path.name for path in (REPOSITORY / "notebooks").glob("[0-9][0-9]_*.ipynb"))


@pytest.fixture(scope="module", params=LECTURES)
def lecture(request, lab):
    """Return a lecture, opened and run from top to bottom, once for all tests below."""
    opened = lab.open(request.param).run_all()
    asked = sum(len(EXPLORE.findall(cell["source"])) for cell in opened.cells())
    opened.page.wait_for_function(ALL_SHOWN, arg=asked)  # Lab draws far cells when it has time
    yield opened.settle()
    lab.shut()


def test_runs_from_top_to_bottom(lecture):
    """Catches an error in any cell, a cell that never ran, a widget that was not drawn."""
    idle = [c["source"] for c in lecture.cells() if c["type"] == "code" and c["source"].strip()]
    ran = [c["source"] for c in lecture.cells() if c["count"] is not None]
    assert ran == idle
    assert lecture.problems() == []


def test_every_explorer_is_seen_and_said(lecture):
    """Catches an empty box, a picture without alt text, alt text that is not the words."""
    shown = explorers(lecture)
    assert shown, "a lecture without an explorer"
    for explorer in shown:
        assert explorer.box.is_visible()
        assert explorer.width() > 300
        assert explorer.words()
        assert explorer.alt() == explorer.words()


def test_every_explorer_is_seen_whole(lecture):
    """Catches controls above a picture that push it, or its words, out of the window."""
    page = lecture.page
    before = page.viewport_size
    page.set_viewport_size(USUAL_WINDOW)
    try:
        lecture.settle()
        heights = page.evaluate(HEIGHTS)
    finally:
        page.set_viewport_size(before)
        lecture.settle()
    assert heights
    assert {name: tall for name, tall in heights if tall > MOST_TALL} == {}


def test_every_control_answers_the_keyboard(lecture):
    """Catches a dead slider, an option that draws nothing new, an end that raises."""
    for explorer in explorers(lecture):
        assert dull_controls(explorer) == []
    assert lecture.problems() == []


def dull_controls(explorer: ExplorerPage) -> list[str]:
    """Move every control to all its places; return those that fail or change nothing."""
    found = []
    at_start = explorer.picture()
    for control in explorer.controls():
        places = explorer.tour(control)
        for (_, before), (place, after) in pairwise(places):
            if before == after:
                found.append(f"{control.label} at {place}: the picture stays the same")
        if explorer.error():
            found.append(f"{control.label}: {explorer.error()}")
        if explorer.alt() != explorer.words():
            found.append(f"{control.label}: alt text stays behind")
        if explorer.click("Back to the start") != at_start:
            found.append(f"{control.label}: the way back does not lead back")
    return found


def test_numbers_can_be_shown(lecture):
    """Catches a table that fails to build from an explorer's data."""
    for explorer in explorers(lecture):
        explorer.click("Show the numbers")
        assert explorer.box.locator(".course-numbers tbody tr").count() > 1
        explorer.click("Show the numbers")
        assert explorer.box.locator(".course-numbers table").count() == 0
    assert lecture.problems() == []


def test_exercises_judge_what_is_typed(lecture):
    """Catches a check that calls a solution wrong, or a misconception by no name."""
    for index, source, number in exercise_cells(lecture):
        module, exercise = find(number)
        solution = source_of(REPOSITORY / "solutions" / f"{module}.py", exercise.function)
        mistake, told = a_mistake(number, exercise)
        call = f'check("{number}", {exercise.function})'
        assert "Not attempted" in lecture.output_of(index)
        lecture.type_into(index, f"import math\n{solution}\n{call}\n{mistake}\n{call}")
        _, praise, after = lecture.output_of(index).partition(f"✓ Exercise {number}")
        assert praise
        assert told in after
        lecture.type_into(index, source)
    assert lecture.problems() == []


def a_mistake(number: str, exercise: Exercise) -> tuple[str, str]:
    """Return a wrong answer as it is typed, and what should be said of it."""
    if exercise.misconceptions:
        wrong = f'find("{number}")[1].misconceptions[0].wrong'
        typed = (
            "from course_utils.checks.find_exercise import find\n"
            f"def {exercise.function}(*arguments):\n    return {wrong}(*arguments)"
        )
        return typed, exercise.misconceptions[0].message
    wrong = WRONG[number][0]
    told = judge(exercise, wrong).message
    given = wrong.__name__ if exercise.parameters else repr(wrong())
    return f"def {exercise.function}({', '.join(exercise.parameters)}):\n    return {given}", told


def exercise_cells(lecture) -> list[tuple[int, str, str]]:
    """Return (cell, its text, exercise number) for every cell that checks an answer."""
    found = []
    for index, cell in enumerate(lecture.cells()):
        if cell["type"] == "code" and (asked := CHECK.search(cell["source"])):
            found.append((index, cell["source"], asked[1]))
    return found


def test_every_slide_can_be_read_from_the_back(lecture):
    """Catches small type, a cut or empty slide, a slide without heading, notes on the wall.

    And slides that the printed notes cut in other places than the deck, or head otherwise. Every
    moment is measured on two walls, and some full slides on a large one.
    """
    kinds = lecture.slide_types()
    shown, complaints, slides, headings = set(), [], [], []
    with Deck(lecture) as deck:
        for screen in deck.walk():
            shown.update(screen.cells)
            complaints += complaints_about(screen, WALLS[0])
            if screen.later:
                continue
            slides.append(screen.cells)
            headings.append(screen.heading)
            if len(slides) % EVERY == 1:
                complaints += complaints_about(deck.resized(*LARGE_WALL), LARGE_WALL)
                deck.resized(*WALLS[0])
        for wall in WALLS[1:]:
            deck.resized(*wall)
            complaints += [c for screen in deck.walk() for c in complaints_about(screen, wall)]
        deck.resized(*WALLS[0])
    assert not complaints, "\n".join(complaints)
    assert shown == {index for index, kind in enumerate(kinds) if kind not in ("notes", "skip")}
    printed = make_slides(read(REPOSITORY / "notebooks" / lecture.name))
    assert slides == [[cell.number - 1 for cell in slide.shown] for slide in printed]
    for number, heading in enumerate(headings):
        said = heading_of(printed, number, printed[0].heading)
        assert heading == said or FORMULA.search(said)


def complaints_about(screen: Screen, wall: tuple[int, int]) -> list[str]:
    """Return what somebody in the last row would say of a slide, one line each."""
    found = []
    if not screen.heading or screen.heading_cut:
        found.append(f"heading {screen.heading!r} is missing or cut")
    if not screen.fits:
        found.append(f"does not fit: {screen.outside or screen.hidden or 'scrolls'}")
    if screen.overlaps:
        found.append(f"one on the other: {screen.overlaps}")
    if not screen.later and screen.filled < LEAST_FILLED:
        found.append(f"only {screen.filled:.0%} is filled")
    larger = 1.5 if wall == LARGE_WALL else 1
    if screen.smallest is not None and screen.smallest < LEAST_TEXT * larger * 0.999:
        found.append(f"{screen.smallest_text!r} has {screen.smallest:.1f} px")
    if screen.letters and min(screen.letters) < LEAST_LABEL * larger:
        found.append(f"the picture's labels have {min(screen.letters):.1f} px")
    return [
        f"{wall[0]}x{wall[1]}, slide {screen.slide}, cell {screen.cells[0]}: {f}" for f in found
    ]


def test_an_explorer_moves_inside_the_deck(lecture):
    """Catches widgets that a deck shows but does not listen to."""
    explorer, control = first_slider(lecture)
    cell = explorer.cell_index()
    slides = make_slides(read(REPOSITORY / "notebooks" / lecture.name))
    number = next(n for n, s in enumerate(slides, 1) if cell in [c.number - 1 for c in s.shown])
    with Deck(lecture) as deck:
        screen = deck.press(*str(number), "Enter")
        while cell not in screen.cells:
            screen = deck.press("PageDown")
        explorer.reach(control)
        before = explorer.picture()
        assert explorer.press("ArrowRight") != before
        assert deck.screen().cells == screen.cells
    explorer.click("Back to the start")
    assert lecture.problems() == []


def first_slider(lecture) -> tuple[ExplorerPage, Control]:
    """Return a lecture's first slider, and the explorer that it belongs to."""
    return next((e, c) for e in explorers(lecture) for c in e.controls() if c.kind == "slider")
