"""Everything that our cells put on a page, as axe-core sees it, in the light and in the dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_utils import explorers
from tests.browser import axe
from tests.browser.lab_page import SPLASH
from tests.browser.shots import LAY_OUT_ALL

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# harms, each with the way back: running all explorers again would take a minute
NAMELESS = """() => {
  const pictures = document.querySelectorAll(".jp-OutputArea-output img.course-picture");
  const picture = [...pictures].find((one) => one.checkVisibility());
  const { alt } = picture;
  picture.removeAttribute("alt");
  window.undo = () => picture.setAttribute("alt", alt);
}"""
UNLABELLED = """() => {
  const input = document.querySelector(".jp-OutputArea-output .widget-text input");
  const labels = [...input.labels].map((label) => [label, label.parentNode, label.nextSibling]);
  const names = ["title", "placeholder", "aria-label"]
    .map((name) => [name, input.getAttribute(name)]);
  for (const [label] of labels) label.remove();
  for (const [name] of names) input.removeAttribute(name);
  window.undo = () => {
    for (const [label, parent, next] of labels) parent.insertBefore(label, next);
    for (const [name, said] of names) if (said !== null) input.setAttribute(name, said);
  };
}"""
PALE = """() => {
  const { style } = document.querySelector(
    ".jp-OutputArea-output .course-words p, .course-words");
  style.setProperty("color", "#999", "important");
  window.undo = () => style.removeProperty("color");
}"""
UNDO = "() => window.undo()"
CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def outputs(lab):
    """Return a notebook with every explorer, verdict, claim, prediction and a picture, run."""
    lab.open("outputs.ipynb").page.evaluate(LAY_OUT_ALL)
    yield lab.run_all()
    lab.use_theme("Light")
    lab.shut()


@pytest.fixture
def axe_or_skip():
    """Skip with a reason where axe cannot be asked."""
    if reason := axe.missing():
        pytest.skip(reason)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_letters_stand_out_from_the_page(outputs, theme):
    """Would catch the green of a tick on the dark page, or grey small print on the white one."""
    outputs.use_theme(theme)
    assert outputs.page.evaluate(CONTRAST) == []


def test_pale_letters_are_found(outputs):
    """Would catch a measurement that looks at no text, or at none of the right colour."""
    outputs.use_theme("Light")
    outputs.settle()
    outputs.page.evaluate(PALE)
    assert len(outputs.page.evaluate(CONTRAST)) >= 1
    outputs.page.evaluate(UNDO)
    assert outputs.page.evaluate(CONTRAST) == []


def test_themes_are_switched_one_at_a_time(outputs):
    """Catches a switch while Lab still takes away the splash of the one before: an error there."""
    for theme in ("Dark", "Light", "Dark"):
        outputs.use_theme(theme)
        assert outputs.page.locator(SPLASH).count() == 0
    assert outputs.problems() == []


@pytest.mark.usefixtures("axe_or_skip")
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_axe_finds_nothing_serious(outputs, theme):
    """Catches a control without a name, a picture without words, a broken table.

    Not pale letters: inside Lab's cells axe judges no contrast. The test above measures it.
    """
    outputs.use_theme(theme)
    outputs.settle()
    assert outputs.problems() == []
    assert outputs.page.locator(".course-explorer").count() == len(explorers.__all__)
    assert axe.violations(outputs) == []


@pytest.mark.usefixtures("axe_or_skip")
@pytest.mark.parametrize(("harm", "rule"), [(NAMELESS, "image-alt"), (UNLABELLED, "label")])
def test_axe_sees_our_outputs(outputs, harm, rule):
    """Catches axe asked about the wrong elements, or about none: the test above would pass."""
    outputs.use_theme("Light")
    outputs.page.evaluate(harm)
    assert {one.rule for one in axe.violations(outputs)} == {rule}
    outputs.page.evaluate(UNDO)
    assert axe.violations(outputs) == []
