"""What a learner writes before an experiment stands beside its result."""

from __future__ import annotations

import ipywidgets as widgets
import pytest

from course_utils.checks import predict, predicted, predictions


@pytest.fixture
def shown(monkeypatch):
    """Collect what is displayed, with nothing written before."""
    items = []
    monkeypatch.setattr(predictions, "display", items.append)
    monkeypatch.setattr(predictions, "_written", {})
    return items


def test_what_was_typed_comes_back_with_the_result(shown):
    """Catches a box that nobody reads."""
    predict("01.a", "How many?")
    shown[0].children[1].value = " about 20 % "
    predicted("01.a", "71%")
    assert repr(shown[-1]) == "⚖ Prediction 01.a: you wrote “about 20 %”; the result is 71%."


def test_a_rerun_keeps_what_was_written(shown):
    """Catches a second Shift+Enter that empties the box."""
    predict("01.a", "Which?", options=("left", "right"))
    shown[0].children[1].value = "right"
    predict("01.a", "Which?", options=("left", "right"))
    assert shown[1].children[1].value == "right"
    predict("01.b", "How many?")
    assert shown[2].children[1].value == "", "names must not share one answer"


def test_nothing_written_is_said_and_harms_nothing(shown):
    """Catches a lecture that stops because a guess was left out."""
    predict("01.a", "Which?", options=("left", "right"))
    predicted("01.a", 3)
    predicted("01.z", 3)
    assert "wrote nothing down" in repr(shown[1])
    assert "wrote nothing down" in repr(shown[2])


def test_the_result_is_written_for_people(shown):
    """Catches "6e-31" in the sentence that everybody waits for, and a line that ends inside it."""
    predicted("02.a", f"{6e-31:.0e} at lag 50")
    assert repr(shown[-1]).endswith("the result is 6\u00a0×\u00a010⁻³¹ at lag 50.")


def test_it_can_be_written_in_code(shown):
    """Catches a lecture that only works where widgets are drawn."""
    predict("01.a", "How many?", mine="7")
    predicted("01.a", 8)
    assert "“7”" in repr(shown[-1])


def test_text_is_escaped(shown):
    """Catches a guess, or a question, that becomes part of the page."""
    predict("01.a", "is <b> < 3?", mine="<script>")
    predicted("01.a", "<i>")
    assert isinstance(shown[0].children[0], widgets.HTML)
    assert "<b> <" not in shown[0].children[0].value
    assert "<script>" not in shown[-1]._repr_html_()
    assert "<i>" not in shown[-1]._repr_html_()
