"""Explorers that are broken on purpose, run twice, moved by themselves: the machinery stands."""

from __future__ import annotations

import gc
import math
import weakref
from functools import partial
from types import SimpleNamespace

import ipywidgets as widgets
import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient

from course_utils.explorers.machinery import explorer as explorer_module
from course_utils.explorers.machinery import reruns
from course_utils.explorers.machinery.controls import (
    choice,
    log_slider,
    slider,
    switch,
    text,
)
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import MOST_ROWS, Table, table_html
from course_utils.plots.style import new_figure, style_axes
from tests.explorers.tour import SOME_TEXT, positions, tour

SHOW_ONE = "from course_utils.explorers import explore_echo\nexplore_echo()"
SHOW_TWO = (
    "from course_utils.explorers import explore_echo\n"
    "two = [explore_echo(), explore_echo()]\nprint([e.image.comm is not None for e in two])"
)


def test_a_cell_that_runs_again_leaks_nothing():
    """Catches an explorer left open behind a second run, and one that closes its twin."""
    one, two = (nbformat.v4.new_code_cell(source) for source in (SHOW_ONE, SHOW_TWO))
    count = nbformat.v4.new_code_cell(
        "from ipywidgets.widgets.widget import _instances\nprint(len(_instances))"
    )
    notebook = nbformat.v4.new_notebook(cells=[one, two, count])
    client = NotebookClient(notebook, timeout=60, kernel_name="python3")
    counts = []
    with client.setup_kernel():
        for show in (one, one, two, two, one):
            client.execute_cell(show, notebook.cells.index(show))
            client.execute_cell(count, 2)
            counts.append(int(count.outputs[0].text))
    assert "[True, True]" in two.outputs[0].text
    assert counts[0] > 0
    assert counts == [n * counts[0] for n in (1, 1, 3, 3, 3)]


# ── explorers that are broken on purpose ──────────────────────────────────────────────────────────


class LineDrawing:
    """One line whose height is the number that it is given."""

    def __init__(self):
        self.figure = new_figure(3, 2)
        self.ax = style_axes(self.figure.add_subplot())
        self.ax.set_ylim(-10, 10)
        (self.line,) = self.ax.plot([0, 1], [0, 0])
        self.moving = (self.line,)

    def show(self, height):
        """Draw the line at a height."""
        self.line.set_ydata([height, height])
        return f"a line at {height}"


class SilentDrawing(LineDrawing):
    """A drawing that says the same whatever it shows."""

    def show(self, height):
        """Draw and say nothing of it."""
        super().show(height)
        return "a line"


def make(compute=lambda height, other: height, drawing=LineDrawing, table=None) -> Explorer:
    """Return a small explorer with two controls."""
    return Explorer(
        "a small explorer",
        {"height": slider("height", -5, 5, 1, 1), "other": slider("other", 0, 3, 1, 1)},
        compute,
        drawing(),
        table or (lambda data: Table(("height",), [(data,)])),
    )


def fails_at_the_end(height, other):
    if other == 3:
        raise ValueError("there is nothing beyond 2")
    return height + other


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({}, "other: the picture never changes"),
        ({"drawing": SilentDrawing}, "the words stay the same"),
        ({"table": lambda d: Table(("height",), [(d, d)])}, "do not fit its headers"),
        ({"table": lambda d: Table(("height",), [])}, "do not fit its headers"),
    ],
)
def test_the_tour_finds_a_broken_explorer(broken, complaint):
    """Catches a tour that passes whatever it sees."""
    explorer = make(**broken)
    assert any(complaint in found for found in tour(explorer))
    explorer.close()


def test_what_is_typed_is_short_and_whole_before_it_is_read():
    """Catches half a character in the words, which no message can hold, and a pasted book."""
    read = []

    def compute(line):
        read.append(line)
        return len(line)

    explorer = Explorer(
        "a line",
        {"line": text("your line", "")},
        compute,
        LineDrawing(),
        lambda data: Table((), []),
    )
    explorer.controls["line"].value = "\ud800" + "long " * 1000
    assert read[-1] == explorer.values["line"]
    assert read[-1].startswith("\ufffdlong long ")
    assert len(read[-1]) == explorer_module.MOST_LETTERS
    explorer.close()


def test_an_error_is_shown_and_raised_again():
    """Catches the silence of `interactive`, which would let every broken control pass."""
    explorer = make(fails_at_the_end)
    before = explorer.image.value
    with pytest.raises(ValueError, match="nothing beyond 2"):
        explorer.controls["other"].value = 3
    assert "nothing beyond 2" in explorer.error.value
    assert explorer.image.value == before
    explorer.controls["other"].value = 2
    assert explorer.error.value == ""
    explorer.close()


def test_an_error_in_the_page_is_only_shown(monkeypatch):
    """Catches a traceback in the server's log that no reader sees."""
    monkeypatch.setattr(explorer_module, "answering_the_page", lambda: True)
    explorer = make(fails_at_the_end)
    explorer.controls["other"].value = 3
    assert "nothing beyond 2" in explorer.error.value
    assert "course-late" in explorer.box._dom_classes
    explorer.controls["other"].value = 0
    assert "course-late" not in explorer.box._dom_classes
    explorer.close()


def test_a_control_that_a_drawing_moves_is_drawn_last():
    """Catches a picture that shows the value before last."""
    explorer = make(lambda height, other: height + other)
    observed = explorer.controls["height"]
    observed.observe(lambda change: setattr(explorer.controls["other"], "value", 3), "value")
    observed.value = 4
    assert explorer.data == 7
    explorer.close()


def test_a_drawing_without_words_is_refused():
    """Catches a picture that says nothing to those who cannot see it."""

    class Wordless(LineDrawing):
        def show(self, height):
            self.line.set_ydata([height, height])

    before = set(widgets.widget._instances)
    with pytest.raises(ValueError, match="no words"):
        make(drawing=Wordless)
    assert set(widgets.widget._instances) == before
    with pytest.raises(ValueError, match="beyond 2"):
        make(lambda height, other: fails_at_the_end(height, 3))
    assert set(widgets.widget._instances) == before


class HalfDrawing(LineDrawing):
    """A drawing that fails after it has moved its line and told of it."""

    def show(self, height):
        """Draw, then fail above 4."""
        words = super().show(height)
        if height > 4:
            raise ArithmeticError("too high")
        return words


def half_a_table(height) -> Table:
    if height > 4:
        raise ArithmeticError("too high")
    return Table(("height",), [(height,)])


@pytest.mark.parametrize("broken", [{"drawing": HalfDrawing}, {"table": half_a_table}])
def test_picture_words_and_numbers_fail_together(broken):
    """Catches the numbers of one value beside the picture of another."""
    explorer = make(**broken)
    explorer.numbers_switch.value = True
    before = (explorer.image.value, explorer.words.value, explorer.numbers.value, explorer.data)
    with pytest.raises(ArithmeticError):
        explorer.controls["height"].value = 5
    shown = (explorer.image.value, explorer.words.value, explorer.numbers.value, explorer.data)
    assert shown == before
    assert "ArithmeticError: too high" in explorer.error.value
    explorer.numbers_switch.value = False
    explorer.numbers_switch.value = True
    assert explorer.numbers.value == before[2]
    explorer.controls["height"].value = 4
    assert not explorer.error.value
    assert explorer.data == 4
    explorer.close()


def test_numbers_that_fail_are_told_in_the_explorer(monkeypatch):
    """Catches a switch that does nothing, with the reason in a log that nobody reads."""
    monkeypatch.setattr(explorer_module, "answering_the_page", lambda: True)
    explorer = make(table=lambda data: 1 / 0)
    explorer.numbers_switch.value = True
    assert "ZeroDivisionError" in explorer.error.value
    explorer.numbers_switch.value = False
    assert not explorer.error.value
    explorer.close()


def test_an_error_without_words_has_a_name():
    """Catches "The picture below is the last that worked:" and nothing more."""

    def fails(height, other):
        if height == 5:
            raise ValueError

    explorer = make(fails)
    with pytest.raises(ValueError):  # noqa: PT011 - it has no words
        explorer.controls["height"].value = 5
    assert explorer.error.value.endswith("ValueError: ")
    explorer.close()


def test_an_interruption_leaves_a_working_explorer():
    """Catches an explorer that stays busy for ever after the kernel was interrupted."""

    def interrupted(height, other):
        if height == 5:
            raise KeyboardInterrupt
        return height

    explorer = make(interrupted)
    with pytest.raises(KeyboardInterrupt):
        explorer.controls["height"].value = 5
    explorer.controls["height"].value = 3
    assert explorer.data == 3
    explorer.close()


def test_a_control_that_is_moved_before_the_picture():
    """Catches an event inside an event that draws in the wrong order, or twice."""

    def push(height, other):
        explorer.controls["height"].value = min(height + 1, 3)

    explorer = make()
    explorer.set_controls = push
    draws = explorer.draws
    explorer.controls["height"].value = -2
    assert (explorer.data, explorer.controls["height"].value) == (-1, -1)
    assert explorer.draws == draws + 1
    explorer.close()


@pytest.mark.parametrize("mover", ["compute", "show"])
def test_a_control_that_is_moved_while_drawing_is_refused(mover):
    """Catches a picture of values that the controls do not say any more, and an endless loop."""

    class Pushing(LineDrawing):
        def show(self, height):
            explorer.controls["other"].value = 3
            return super().show(height)

    def pushing(height, other):
        explorer.controls["other"].value = 3
        return height

    explorer = make()
    if mover == "compute":
        explorer.compute = pushing
    else:
        explorer.drawing.__class__ = Pushing
    picture = explorer.image.value
    with pytest.raises(RuntimeError, match="move it in set_controls"):
        explorer.controls["height"].value = 4
    assert "move it in set_controls" in explorer.error.value
    assert explorer.image.value == picture
    explorer.close()


def test_the_start_is_one_picture_away():
    """Catches a reset that draws once a control, and a box that the page's style does not find."""
    explorer = make()
    assert "course-explorer" in explorer.box._dom_classes
    explorer.controls["height"].value, explorer.controls["other"].value = 3, 2
    drawn = explorer.draws
    explorer.reset_button.click()
    assert explorer.values == explorer.start_values
    assert explorer.draws == drawn + 1
    explorer.close()


def test_what_is_closed_lets_go_and_answers_nobody():
    """Catches a figure kept for ever, a switch that still draws, a second close() that fails."""
    explorer = make()
    figure = weakref.ref(explorer.drawing.figure)
    draws = explorer.draws
    explorer.close()
    explorer.close()
    gc.collect()
    assert figure() is None
    explorer.numbers_switch.value = True
    explorer.controls["height"].value = 3
    assert explorer.draws == draws
    assert explorer.numbers.value == ""


def in_a_cell(monkeypatch, request: str):
    """Let what follows be shown by one run of one cell."""
    header = {"metadata": {"cellId": "a cell"}, "header": {"msg_id": request}}
    kernel = SimpleNamespace(get_parent=lambda channel: header)
    monkeypatch.setattr(reruns, "get_ipython", lambda: SimpleNamespace(kernel=kernel))


def test_a_rerun_closes_what_its_cell_showed_and_nothing_else(monkeypatch):
    """Catches widgets of earlier runs that stay open, and a run that closes its own."""
    monkeypatch.setattr(reruns, "_last_run", {})
    closed = []
    in_a_cell(monkeypatch, "first run")
    for name in ("one", "two"):
        reruns.keep_until_rerun(SimpleNamespace(close=partial(closed.append, name)))
    assert closed == []
    in_a_cell(monkeypatch, "second run")
    for name in ("three", "four"):
        reruns.keep_until_rerun(SimpleNamespace(close=partial(closed.append, name)))
    assert closed == ["one", "two"]


def test_text_is_escaped():
    """Catches markup that comes in by a title, a word, a number or an error."""
    evil = "<script>alert(1)</script>"
    assert evil not in table_html(Table((evil,), [(evil,)]))

    class Evil(LineDrawing):
        def show(self, data):
            return evil

    explorer = Explorer(
        evil, {"x": text("x", "a")}, lambda x: x, Evil(), lambda d: Table(("x",), [(d,)])
    )
    explorer.numbers_switch.value = True
    explorer.controls["x"].value = evil
    shown = [child.value for child in explorer.box.children if isinstance(child, widgets.HTML)]
    assert not any("<script>" in html for html in shown)
    explorer.close()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.123456, "0.1235"), (np.float32(0.123456), "0.1235"), (torch.tensor(0.123456), "0.1235"),
        (123_456, "123456"), (np.int64(123_456), "123456"), (torch.tensor(123_456), "123456"),
        (True, "True"), (np.bool_(True), "True"), (np.str_("a"), "a"), ("1.23456", "1.23456"),
        (math.nan, "no number"), (np.float64("-inf"), "−infinity"), (np.array([1, 2]), "[1 2]"),
    ],
    ids=repr,
)  # fmt: skip
def test_a_cell_of_a_table_is_readable(value, shown):
    """Catches a count rounded to four digits, and a word of NumPy's that no format fits."""
    assert f"<td>{shown}</td>" in table_html(Table(("n",), [(value,)]))


def test_a_long_table_says_what_it_leaves_out():
    """Catches thousands of rows that would freeze the page, and a cut that nobody is told of."""
    html = table_html(Table(("n",), [(n,) for n in range(MOST_ROWS + 7)]))
    assert html.count("<tr>") == MOST_ROWS + 1
    assert "and 7 more rows" in html


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        (slider("s", 0, 5, 2, 1), [0, 5]),
        (slider("s", 0.0, 0.5, 0.25, 0.05), [0.0, 0.5]),
        (log_slider("s", -1, 2, 0), [0.1, 100]),
        (choice("s", ["a", "b", "c"], "b"), ["a", "b", "c"]),
        (choice("s", [("one", 1), ("two", 2)], 2), [1, 2]),
        (switch("s"), [True, False]),
        (text("s", "a"), ["", "a"]),
        (text("s", ""), ["", SOME_TEXT]),
    ],
    ids=lambda v: type(v).__name__,
)
def test_a_tour_knows_both_ends(control, expected):
    """Catches an end that is never visited."""
    assert positions(control) == pytest.approx(expected)
    control.close()


def test_an_unknown_control_is_not_skipped():
    """Catches a new kind of control that no tour would move."""
    with pytest.raises(TypeError, match="add it to positions"):
        positions(SimpleNamespace())
