"""The pages of a grading in a real browser: marks by digit keys, and no script of a student's."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from course_utils.classroom.collect import Found
from course_utils.classroom.feedback import feedback
from course_utils.classroom.grading import Lecture, Version
from course_utils.classroom.manual import manual_pages
from course_utils.classroom.marks import Mark, Marks, hash_of_text, read_manual
from course_utils.classroom.runner.replay import Judged
from course_utils.classroom.term import Term

ALARM = (
    "</pre></script><script>document.title = 'taken'</script>"
    "<img src=x onerror=\"document.title = 'taken'\">"
)
ROOM = [{"id": "questions-answer-1", "cell_type": "markdown", "source": ""}]
ASKED = {"id": "questions", "cell_type": "markdown", "source": f"1. Why? {ALARM}\n2. And how?"}
LECTURE = Lecture("02", [ASKED, *ROOM], {}, {}, our_answers={1: f"Because. {ALARM}"})
TERM = Term(Path(), "spring", 1, ("02",), free_text={"02": 4.0})


def student(name: str, words: str) -> Marks:
    """Return a student who answered a question and got a verdict."""
    found = Found(name, "02.ipynb", 0, None, False, lambda: b"")
    verdicts = {"2.1": Judged("wrong", words)}
    return Marks(name, name, Version(found, "", verdicts, {1: words}), {"2.1": 0.0})


CLASS = [student("anna", "the first"), student('b",\n"ob', ALARM), student("carl", "the third")]


@pytest.fixture
def page(browser, tmp_path):
    """Return a page of its own, its errors and its folder."""
    opened = browser.new_context(accept_downloads=True).new_page()
    yield opened
    opened.context.close()


def written(folder: Path, given=None, students=CLASS, term=TERM) -> str:
    """Write the page of question 1; return its address."""
    (content,) = manual_pages(term, LECTURE, students, given or {}).values()
    (folder / "question.html").write_bytes(content)
    return (folder / "question.html").as_uri()


def test_marks_by_digit_keys_come_back(page, tmp_path):
    """Catches a key that marks the wrong answer, and a file that the grading cannot read."""
    page.goto(written(tmp_path))
    for key in ("3", "ArrowDown", "0", "ArrowUp", "4"):
        page.keyboard.press(key)
    assert page.locator("output").all_inner_texts() == ["3 of 4", "4 of 4", "0 of 4"]
    page.reload()
    assert page.locator("output").all_inner_texts() == ["3 of 4", "4 of 4", "0 of 4"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    shares = {"anna": 0.75, 'b",\n"ob': 1.0, "carl": 0.0}
    assert {who: mark.share for (who, _), mark in read_manual(file).items()} == shares
    texts = [hash_of_text(one.version.free_texts[1]) for one in CLASS]
    assert sorted(mark.text for mark in read_manual(file).values()) == sorted(texts)
    with file.open(newline="") as opened:
        assert next(csv.reader(opened)) == ["student", "question", "share", "text"]


def test_a_mark_for_another_text_says_so(page, tmp_path):
    """Catches a mark that is taken for the new text's, and one given anew that is not."""
    given = {("anna", 1): Mark(0.75, hash_of_text("before")), ("carl", 1): Mark(0.5)}
    page.goto(written(tmp_path, given))
    older = "3 of 4, given for another text"
    assert page.locator("output").all_inner_texts() == [older, "no mark", "2 of 4"]
    page.keyboard.press("3")
    page.reload()
    assert page.locator("output").all_inner_texts() == ["3 of 4", "no mark", "2 of 4"]


def test_marks_by_a_finger(page, tmp_path):
    """Catches a page that nobody can use where there are no keys."""
    page.goto(written(tmp_path))
    assert "Why?" in page.locator("main").inner_text()
    page.locator("section").nth(1).click()
    page.get_by_role("button", name="2").click()
    assert page.locator("output").all_inner_texts() == ["no mark", "2 of 4", "no mark"]
    assert page.locator("#done").inner_text() == "1 of 3 marked"
    assert page.locator("section").nth(2).get_attribute("class") == "here"


def test_marks_stay_with_their_class(page, tmp_path):
    """Catches last year's marks, or those of a student who is gone, in this year's file."""
    page.goto(written(tmp_path))
    page.keyboard.press("3")
    page.goto(written(tmp_path, term=replace(TERM, seed=2)))
    assert page.locator("output").all_inner_texts() == ["no mark"] * 3
    page.goto(written(tmp_path, students=CLASS[1:]))
    assert page.locator("#done").inner_text() == "0 of 2 marked"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save").click()
    saved.value.save_as(tmp_path / "marks.csv")
    assert read_manual(tmp_path / "marks.csv") == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_can_be_read_on_a_phone(browser, tmp_path, scheme):
    """Catches a page wider than a phone, and dark text on a dark page."""
    (tmp_path / "feedback.html").write_bytes(feedback(TERM, LECTURE, CLASS[1], 1.0))
    context = browser.new_context(color_scheme=scheme, viewport={"width": 360, "height": 700})
    opened = context.new_page()
    for address in ((tmp_path / "feedback.html").as_uri(), written(tmp_path)):
        opened.goto(address)
        assert opened.evaluate("document.documentElement.scrollWidth") <= 360
        colours = opened.evaluate(
            "(({ color, backgroundColor }) => [color, backgroundColor])"
            "(getComputedStyle(document.body))"
        )
        text, paper = (sum(map(int, re.findall(r"\d+", colour))) for colour in colours)
        assert text < 200 < 600 < paper if scheme == "light" else paper < 200 < 600 < text
    context.close()


def test_earlier_marks_are_shown(page, tmp_path):
    """Catches a second look at the page that forgets what was graded."""
    page.goto(written(tmp_path, {("carl", 1): Mark(0.5)}))
    assert page.locator("output").all_inner_texts() == ["no mark", "no mark", "2 of 4"]


def test_no_script_of_a_student_runs(page, tmp_path):
    """Catches markup in an answer that acts in the instructor's browser, or in a classmate's."""
    page.goto(written(tmp_path))
    assert page.title() == "Lecture 02, question 1"
    term = Term(tmp_path, ALARM, 1, ("02",), free_text={"02": 4.0})
    (tmp_path / "feedback.html").write_bytes(feedback(term, LECTURE, CLASS[1], 1.0))
    page.goto((tmp_path / "feedback.html").as_uri())
    assert "taken" not in page.title().replace(ALARM, "")
    assert page.locator("img, script").count() == 0
    assert ALARM in page.locator("td").last.inner_text()
