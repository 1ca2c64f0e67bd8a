"""Everything that our cells put on a page, as axe-core sees it, in the light and in the dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_utils import explorers
from tests.browser import axe
from tests.browser.shots import LAY_OUT_ALL

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMELESS = """() => document.querySelector(".jp-OutputArea-output img.course-picture")
  .removeAttribute("alt")"""
UNLABELLED = """() => {
  const input = document.querySelector(".jp-OutputArea-output .widget-text input");
  for (const label of input.labels) label.remove();
  for (const name of ["title", "placeholder", "aria-label"]) input.removeAttribute(name);
}"""


PALE = """() => document.querySelector(".jp-OutputArea-output .course-words p, .course-words")
  .style.setProperty("color", "#999", "important")"""
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
    outputs.run_all()


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
    outputs.run_all()
