"""An explorer: pure compute, a persistent drawing, controls, and words for what it shows."""

from __future__ import annotations

import html
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

import ipywidgets as widgets
from IPython.display import display
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from course_utils.explorers.machinery.ahead import (
    belongs_to_an_explorer,
    is_closed,
    may_look_ahead,
)
from course_utils.explorers.machinery.controls import place_of, value_at
from course_utils.explorers.machinery.page import PageSide
from course_utils.explorers.machinery.reruns import answering_the_page, keep_until_rerun
from course_utils.explorers.machinery.screen import At, Screen
from course_utils.explorers.machinery.still import Still
from course_utils.explorers.machinery.table import Table, table_html
from course_utils.explorers.machinery.tours import TOUR, Twin, tour_of, wanted_here
from course_utils.plots.picture import with_words
from course_utils.plots.scene.scene import Scene

MOST_LETTERS = 2000  # of a typed line
# one picture at a time in the whole process: matplotlib is not made for two threads
_TURN = threading.RLock()


class Drawing(Protocol):
    """What `plots` gives an explorer: a figure, the artists that move, and how to show data."""

    figure: Figure

    @property
    def moving(self) -> Sequence[Artist]: ...

    def show(self, data: Any) -> str:
        """Move the artists to fit the data; return in words what is now seen."""


class ShapeDrawing(Protocol):
    """The same without a figure: shapes of our own."""

    width: int  # page pixels
    scene: Scene

    def show(self, data: Any) -> str:
        """Draw the scene of the data; return in words what is now seen."""


class Explorer:
    """Controls wired to `compute(**values) -> data` and to a drawing that shows the data.

    Both only read the controls. Where one control decides what another offers,
    `set_controls(**values)` comes before them: it alone may move controls. A `twin` does the same
    in JavaScript, on a page without a kernel.

    The picture answers inside the control's own event. A front end holds back further events of
    that control until then and merges them, so none can queue up. JupyterLab delivers events in
    two threads: each takes its turn and draws what the controls say by then, so the last value
    always wins. In between, a page asks for the pictures beside this one (`page/ahead.js`).
    """

    def __init__(
        self,
        title: str,
        controls: Mapping[str, widgets.Widget],
        compute: Callable[..., object],
        drawing: Drawing | ShapeDrawing,
        table: Callable[[Any], Table],
        set_controls: Callable[..., None] | None = None,
        twin: Twin | None = None,
    ):
        self.title = title
        self.controls = dict(controls)
        self.compute, self.drawing, self.tabulate = compute, drawing, table
        self.set_controls, self.twin = set_controls, twin
        # what moves other controls is asked only by a control that has really moved
        known = {} if set_controls else self.controls
        self.image = Screen(drawing, known, self._look_ahead)
        self.start_values = self.values
        self.draws = 0
        self.data: object = None
        self._shown: dict[str, object] | None = None  # the values that the picture is drawn from
        self._moves_controls = self._draws = False
        self._seconds = 0.0  # of computing for the last picture
        self._build()
        belongs_to_an_explorer(_family(self.box))
        for control in self.controls.values():
            control.observe(self._on_change, "value")
        self.numbers_switch.observe(self._on_numbers, "value")
        self.reset_button.on_click(lambda _: self.reset())
        try:
            self.redraw()
        except BaseException:
            self.close()
            raise
        keep_until_rerun(self)

    @property
    def values(self) -> dict[str, Any]:
        """Return what every control says now."""
        return {name: sendable(control.value) for name, control in self.controls.items()}

    def redraw(self) -> None:
        """Compute and draw what the controls say.

        Picture, words and numbers change together, or, when anything fails, not at all.
        """
        with _TURN:
            if self.set_controls is not None:
                with self._while("_moves_controls"):
                    self.set_controls(**self.values)
            with self._while("_draws"):
                values, at = self.values, self._at
                data, words, picture = self._drawn(values)
                numbers = self._numbers_of(data)
            self.image.show(picture, at)
            self.data, self.words.value = data, html.escape(words)
            self.numbers.value = numbers
            self._shown = values
            self.draws += 1

    @property
    def _at(self) -> At:
        return {name: place_of(control) for name, control in self.controls.items()}

    def _look_ahead(self, at: At) -> Scene | None:
        """Return what would be drawn if the controls stood there, where that takes no time."""
        with _TURN:
            if not may_look_ahead(self._seconds):
                return None
            with self._while("_draws"):
                try:
                    values = {
                        name: value_at(self.controls[name], there) for name, there in at.items()
                    }
                    _, _, picture = self._drawn(values)
                except Exception:
                    return None  # is said when a control really goes there
                return picture

    def _drawn(self, values: Mapping[str, object]) -> tuple[object, str, Scene]:
        """Return data, words and picture."""
        begun = time.thread_time()
        try:
            data = self.compute(**values)
            words = with_words(self.drawing.show(data))
            return data, words, self.image.draw()
        finally:
            self._seconds = time.thread_time() - begun

    @property
    def words_now(self) -> str:
        """Return what the picture shows, in words."""
        return html.unescape(self.words.value)

    def reset(self) -> None:
        """Put every control back where it started, and draw once."""
        self.move(self.start_values)

    def move(self, values: Mapping[str, object]) -> None:
        """Put controls where they are wanted, and draw once."""
        with _TURN:
            with self._while("_moves_controls"):
                for name, value in values.items():
                    self.controls[name].value = value
            self._answer(self.redraw)

    @contextmanager
    def _while(self, doing: str) -> Iterator[None]:
        """Tell events that come from within what the explorer is doing."""
        setattr(self, doing, True)
        try:
            yield
        finally:
            setattr(self, doing, False)

    def close(self) -> None:
        """Let go of every widget, observer and figure."""
        for control in self.controls.values():
            control.unobserve_all()
        self.numbers_switch.unobserve_all()
        is_closed(_family(self.box))
        for widget in _family(self.box):
            widget.close()
        self.data = None
        vars(self).pop("drawing", None)

    def _ipython_display_(self) -> None:
        self.still.show_beside(self.box, self.image.now, self.words_now)
        if wanted_here(self.title):
            with self._unsent():
                tour = tour_of(self)
            display({TOUR: tour}, raw=True)

    @contextmanager
    def _unsent(self) -> Iterator[None]:
        """Send once, at the end: a tour's thousands of messages would push out the kernel's own."""
        with ExitStack() as held:
            for widget in _family(self.box):
                held.enter_context(widget.hold_sync())
            yield

    def _build(self) -> None:
        self.words = _line("course-words")
        self.error = _line("course-error")
        self.numbers = _line("course-numbers")
        self.numbers_switch = widgets.ToggleButton(description="Show the numbers", value=False)
        self.reset_button = widgets.Button(description="Back to the start")
        heading = _line("course-title")
        heading.value = html.escape(self.title)
        self.still = Still(self.title)
        self.page = PageSide(self._hear)
        self.box = widgets.VBox(
            [
                heading,
                *self.controls.values(),
                self.error,
                self.image,
                self.words,
                widgets.HBox([self.numbers_switch, self.reset_button]),
                self.numbers,
                self.page,
            ]
        )
        self.box.add_class("course-explorer")
        self.box.add_class(self.still.element)  # so that the page knows which still to hide

    def _on_change(self, _change: object) -> None:
        self._answer(self._catch_up)

    def _catch_up(self) -> None:
        """Draw, unless the thread before has already drawn these values."""
        if self._shown != self.values:
            self.redraw()

    def _hear(self, said: dict[str, object]) -> None:
        """Do what the page asks for: say that all it sent before is done, or renew the still."""
        if "caughtUp" in said:
            with _TURN:
                self.page.send(said)
        else:
            self._renew_still()

    def _renew_still(self) -> None:
        with _TURN:
            self.still.renew(self.image.now, self.words_now)

    def _on_numbers(self, _change: object) -> None:
        self._answer(self._show_numbers)

    def _answer(self, action: Callable[[], None]) -> None:
        """Do what an event asks for in its turn, and show the reader what went wrong."""
        with _TURN:
            if self._moves_controls:  # what follows from all of them is drawn in the end
                return
            if self._draws:
                raise RuntimeError("a control was moved while drawing: move it in set_controls")
            try:
                action()
            except Exception as error:
                self._show_error(error)
                if not answering_the_page():  # Python moved the control: its caller must know
                    raise
            else:
                self._show_error(None)

    def _show_error(self, error: Exception | None) -> None:
        if error is None:
            if self.error.value:
                self.error.value = ""
                self.box.remove_class("course-late")
            return
        said = str(error)
        if not (said and isinstance(error, ValueError)):
            said = f"{type(error).__name__}: {said}"
        self.image.go_back()
        self.error.value = html.escape(f"The picture below is the last that worked: {said}")
        self.box.add_class("course-late")

    def _show_numbers(self) -> None:
        self.numbers.value = self._numbers_of(self.data)

    def _numbers_of(self, data: object) -> str:
        return table_html(self.tabulate(data)) if self.numbers_switch.value else ""


def sendable(value: object) -> object:
    """Return a typed line without what no message can carry: half characters, endless words."""
    if not isinstance(value, str):
        return value
    return re.sub("[\ud800-\udfff]", "\ufffd", value[:MOST_LETTERS])


def _line(css_class: str) -> widgets.HTML:
    line = widgets.HTML()
    line.add_class(css_class)
    return line


def _family(widget: widgets.Widget) -> Iterator[widgets.Widget]:
    """Yield a widget's children, then itself, then its layout and style, which are widgets too."""
    for child in getattr(widget, "children", ()):
        yield from _family(child)
    yield widget
    yield from filter(None, (getattr(widget, name, None) for name in ("layout", "style")))
