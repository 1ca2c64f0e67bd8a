"""What a learner writes before an experiment stands beside its result, in whatever order."""

from __future__ import annotations

import json
import queue
import re

import ipywidgets as widgets
import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from course_utils.checks import predictions
from course_utils.checks.guesses import Guesses
from course_utils.checks.predictions import ASKED, CAME_OUT, VIEW, predict, predicted
from course_utils.room import voter


class Page:
    """What a page shows: outputs by their display ids, the last one said for each."""

    def __init__(self):
        self.outputs: dict[str, dict] = {}

    def display(self, bundle, raw, display_id=None, update=False):
        """Show or renew an output as a page does."""
        assert raw
        assert not update or display_id in self.outputs, "renews what nobody sees"
        self.outputs[display_id or str(len(self.outputs))] = bundle

    def said(self, name: str) -> str:
        """Return the sentence beside a prediction's result."""
        return self.outputs[f"course-prediction-{name}-result"]["text/plain"]

    def box(self, name: str, part: int = 1) -> widgets.Widget:
        """Return the field that was shown last for a prediction, or what the room says below it."""
        asked = [o for o in self.outputs.values() if o.get(ASKED, {}).get("name") == name]
        shown = widgets.widget._instances[asked[-1][VIEW]["model_id"]]
        return shown.children[part]


@pytest.fixture
def page(monkeypatch):
    """Collect what is displayed, with nothing written before."""
    page = Page()
    monkeypatch.setattr(predictions, "display", page.display)
    _forget(monkeypatch)
    return page


def _forget(monkeypatch):
    """Forget all that a kernel holds, as a restart does."""
    monkeypatch.setattr(predictions, "guesses", Guesses())
    for name in ("_asked", "_results", "_not_kept"):
        monkeypatch.setattr(predictions, name, {})


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """Keep guesses in a folder of this test; return their file."""
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv("COURSE_SHOW", raising=False)
    return tmp_path / "progress.guesses.json"


def test_what_was_typed_comes_back_with_the_result(page):
    """Catches a box that nobody reads."""
    predict("01.a", "How many?")
    page.box("01.a").value = " about 20 % "
    predicted("01.a", "71%")
    assert page.said("01.a") == "⚖ Prediction 01.a: you wrote “about 20 %”; the result is 71%."


@pytest.mark.parametrize("options", [(), ("left", "right")])
def test_a_result_that_was_there_first_answers_too(page, options):
    """Catches the wall, which runs the page first and then says "you wrote nothing down"."""
    predict("01.a", "Which?", options)
    predicted("01.a", "right")
    assert "you wrote nothing down" in page.said("01.a")
    page.box("01.a").value = "left"
    assert "you wrote “left”; the result is right." in page.said("01.a")


def test_a_rerun_keeps_what_was_written(page):
    """Catches a second Shift+Enter that empties the box."""
    predict("01.a", "Which?", options=("left", "right"))
    page.box("01.a").value = "right"
    predict("01.a", "Which?", options=("left", "right"))
    assert page.box("01.a").value == "right"
    predict("01.b", "How many?")
    assert page.box("01.b").value == "", "names must not share one answer"


def test_a_restart_keeps_what_was_written(page, kept, monkeypatch):
    """Catches a guess that a crashed kernel takes with it."""
    predict("01.a", "How many?")
    page.box("01.a").value = "7"
    _forget(monkeypatch)
    predict("01.a", "How many?")
    predicted("01.a", 8)
    assert page.box("01.a").value == "7"
    assert "“7”" in page.said("01.a")


def test_a_show_begins_with_empty_boxes(page, kept, monkeypatch):
    """Catches last year's guess on the wall, and a show that overwrites somebody's own guesses."""
    predict("01.a", "How many?", mine="at home")
    for word in ("one", "other"):
        monkeypatch.setenv("COURSE_SHOW", word)
        _forget(monkeypatch)
        predict("01.a", "How many?")
        assert page.box("01.a").value == ""
        page.box("01.a").value = f"in show {word}"
        _forget(monkeypatch)
        predict("01.a", "How many?")
        assert page.box("01.a").value == f"in show {word}"
    monkeypatch.delenv("COURSE_SHOW")
    _forget(monkeypatch)
    predict("01.a", "How many?")
    assert page.box("01.a").value == "at home"


@pytest.mark.parametrize("content", [b"my own notes", b"[1]", bytes(300_000)])
def test_a_file_of_somebody_else_is_left_alone(page, kept, content):
    """Catches a file that is overwritten, an error in the lecture, and a loss that is not told."""
    kept.write_bytes(content)
    predict("01.a", "How many?", mine="7")
    predicted("01.a", 8)
    assert kept.read_bytes() == content
    assert "“7”" in page.said("01.a")
    assert f"a restart will lose it (progress is not kept: {kept} holds" in page.said("01.a")


def test_two_lectures_keep_their_guesses_in_one_file(page, kept):
    """Catches a kernel that writes only what it has read, over what another wrote meanwhile."""
    one, other = Guesses(), Guesses()
    assert one.of("01.a") == other.of("02.a") == ""
    assert one.keep("01.a", "x") == other.keep("02.a", "y") == ""
    assert json.loads(kept.read_text())["own"] == {"01.a": "x", "02.a": "y"}


def test_nothing_written_is_said_and_harms_nothing(page):
    """Catches a lecture that stops because a guess was left out, or a box."""
    predict("01.a", "Which?", options=("left", "right"))
    predicted("01.a", 3)
    predicted("01.z", 3)
    assert "wrote nothing down" in page.said("01.a")
    assert "wrote nothing down" in page.said("01.z")


def test_the_result_is_written_for_people(page):
    """Catches "6e-31" in the sentence that everybody waits for, and a line that ends inside it."""
    predicted("02.a", f"{6e-31:.0e} at lag 50")
    assert page.said("02.a").endswith("the result is 6\u00a0×\u00a010⁻³¹ at lag 50.")


def test_text_is_escaped(page):
    """Catches a guess, or a question, that becomes part of the page."""
    predict("01.a", "is <b> < 3?", mine="<script>")
    predicted("01.a", "<i>")
    texts = [o["text/html"] for o in page.outputs.values()]
    shown = " ".join(texts) + page.box("01.a").tooltip
    assert "<script>" not in shown
    assert "<i>" not in shown
    assert not re.search("<b> <", " ".join(texts))


@pytest.mark.parametrize(
    ("options", "result", "value", "option"),
    [
        ((), "6e-13 at lag 50, 0.02 at lag 10", 6e-13, None),
        ((), 3, 3.0, None),
        (("ReLU", "sigmoid"), "the sigmoid, whose slope never exceeds 1/4", None, "sigmoid"),
        (("Elman", "only Elman"), "only Elman", None, "only Elman"),
        (("about 7", "about 40"), "85% of 100", None, None),
        (("1", "n", "about 2n"), "31 for state: about 2n", None, "about 2n"),
        (("yes", "no"), "not known", None, None),
    ],
)
def test_the_deck_is_told_where_the_result_stands(page, options, result, value, option):
    """Catches a wall without the measured line, and a number read out of a choice."""
    predict("01.a", "Which?", options)
    predicted("01.a", result)
    told = page.outputs["course-prediction-01.a-result"][CAME_OUT]
    assert (told["value"], told["option"]) == (value and pytest.approx(value), option)
    predicted("01.a", result, value=5)
    told = page.outputs["course-prediction-01.a-result"][CAME_OUT]
    assert told["value"] == (None if options else 5)


def test_a_saved_page_and_its_export_say_what_was_written():
    """Catches "VBox(children=..." on paper, and a saved page that has forgotten the guess."""
    sources = [
        "from course_utils.checks.predictions import *",
        'predict("01.a", "How many?")',
        'predicted("01.a", 8)',
        "import ipywidgets\n"
        "box, = [w for w in ipywidgets.widgets.widget._instances.values()\n"
        "        if isinstance(w, ipywidgets.Text)]\n"
        'box.value = "seven"',
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    notebook.metadata.pop("widgets", None)  # Lab does not save widgets' states unless told
    page, _ = HTMLExporter(embed_images=True).from_notebook_node(notebook)
    assert "VBox" not in page
    assert page.count("you wrote “seven”") == 2
    assert "you wrote “seven”; the result is 8." in page


def test_what_is_written_is_handed_to_the_room_that_is_named(page, monkeypatch):
    """Catches a notebook that never votes, one that says nothing of it, or says it to nobody."""
    monkeypatch.setattr(voter, "PAUSE", 0.01)
    monkeypatch.setenv("COURSE_ROOM", "http://127.0.0.1:9/ABCD")  # where nobody listens
    predict("01.a", "Which?", ["left", "right"])
    told = queue.Queue()
    box = page.box("01.a", part=2)
    box.observe(lambda change: told.put(change["new"]), "value")
    page.box("01.a").value = "left"
    assert told.get(timeout=30) == voter.AWAY
    handed = []
    monkeypatch.setattr(predictions, "vote_in_room", lambda name, guess, _: handed.append(guess))
    predict("01.a", "Which?", ["left", "right"])  # again, and "left" stands there
    predict("01.b", "How many?", mine="seven")
    assert handed == ["left", "seven"]
    monkeypatch.delenv("COURSE_ROOM")
    predict("01.a", "Which?", ["left", "right"])
    with pytest.raises(IndexError):
        page.box("01.a", part=2)
