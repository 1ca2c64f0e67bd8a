"""An explorer: pure compute, a drawing that lives on, controls, and words for what is seen."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import ipywidgets as widgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from course_utils.explorers.machinery.page import PageSide
from course_utils.explorers.machinery.reruns import answering_the_page, keep_until_rerun
from course_utils.explorers.machinery.screen import Screen
from course_utils.explorers.machinery.still import Still
from course_utils.explorers.machinery.table import Table, table_html
from course_utils.plots.picture import with_words

MOST_ROUNDS = 20  # of a drawing that moves controls
MOST_LETTERS = 2000  # of a typed line
# one picture at a time in the whole process: matplotlib is not made for two threads
_TURN = threading.RLock()


class Drawing(Protocol):
    """What `plots` gives an explorer: a figure, the artists that move, and how to show data."""

    figure: Figure

    @property
    def moving(self) -> Sequence[Artist]: ...

    def show(self, data: Any) -> str:
        """Move the artists to where the data wants them; return in words what is now seen."""


class ShapeDrawing(Protocol):
    """The same without a figure: shapes of our own, which the page itself moves."""

    width: int  # page pixels
    svg: str

    def show(self, data: Any) -> str:
        """Write the SVG of the data; return in words what is now seen."""


class Explorer:
    """Controls wired to `compute(**values) -> data` and to a drawing that shows the data.

    The picture answers inside the control's own event. A front end holds back further events of
    that control until then and merges them, so none can queue up. JupyterLab delivers events in
    two threads: each takes its turn and draws what the controls say by then, so the last value
    always wins.
    """

    def __init__(
        self,
        title: str,
        controls: Mapping[str, widgets.Widget],
        compute: Callable[..., Any],
        drawing: Drawing | ShapeDrawing,
        table: Callable[[Any], Table],
    ):
        self.controls = dict(controls)
        self.compute, self.drawing, self.tabulate = compute, drawing, table
        self.screen = Screen(drawing)
        self.start_values = self.values
        self.draws = 0
        self.data: Any = None
        self._shown: dict[str, Any] | None = None  # the values that the picture is drawn from
        self._drawing_now = False
        self._build(title)
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
        """Compute and draw until the picture shows what the controls say.

        Picture, words and numbers change together, or, when anything fails, not at all.
        """
        with _TURN:
            if self._drawing_now:  # a drawing that moves a control: the loop below sees it
                return
            self._drawing_now = True
            try:
                values, data, words = self._shown_at_rest()
                picture = self.screen.draw()
                numbers = self._numbers_of(data)
                self.data, self.image.value, self.words.value = data, picture, html.escape(words)
                self.numbers.value = numbers
                self._shown = values
                self.draws += 1
            finally:
                self._drawing_now = False

    def _shown_at_rest(self) -> tuple[dict[str, Any], Any, str]:
        """Compute and show until nobody moves a control any more; return values, data and words."""
        shown, data, words = None, None, ""
        for _ in range(MOST_ROUNDS):
            now = self.values
            if now == shown:
                return now, data, with_words(words)
            data = self.compute(**now)
            words = self.drawing.show(data)
            shown = now
        raise RuntimeError("the controls move one another and never come to rest")

    def reset(self) -> None:
        """Put every control back where it started, and draw once."""
        with _TURN:
            self._drawing_now = True
            try:
                for name, value in self.start_values.items():
                    self.controls[name].value = value
            finally:
                self._drawing_now = False
            self._answer(self.redraw)

    def close(self) -> None:
        """Let go of every widget, observer and figure."""
        for control in self.controls.values():
            control.unobserve_all()
        self.numbers_switch.unobserve_all()
        for widget in _family(self.box):
            widget.close()
        self.data = None
        for name in ("drawing", "screen"):
            vars(self).pop(name, None)

    def _ipython_display_(self) -> None:
        self.still.show_beside(self.box, self.image.value, html.unescape(self.words.value))

    def _build(self, title: str) -> None:
        self.image = self.screen.widget
        self.words = _line("course-words")
        self.error = _line("course-error")
        self.numbers = _line("course-numbers")
        self.numbers_switch = widgets.ToggleButton(description="Show the numbers", value=False)
        self.reset_button = widgets.Button(description="Back to the start")
        heading = _line("course-title")
        heading.value = html.escape(title)
        self.still = Still(title, self.screen.width, self.screen.media)
        self.page = PageSide(self._renew_still)
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

    def _on_change(self, _change) -> None:
        self._answer(self._catch_up)

    def _catch_up(self) -> None:
        """Draw, unless the thread that had its turn before has drawn these values already."""
        if self._shown != self.values:
            self.redraw()

    def _renew_still(self) -> None:
        with _TURN:
            self.still.renew(self.image.value, html.unescape(self.words.value))

    def _on_numbers(self, _change) -> None:
        self._answer(self._show_numbers)

    def _answer(self, action: Callable[[], None]) -> None:
        """Do what an event asks for in its turn, and show the reader what went wrong."""
        with _TURN:
            if self._drawing_now:  # the drawing itself moves a control, and will see it
                return
            try:
                action()
            except Exception as error:
                self._show_error(error)
                if not answering_the_page():  # Python moved the control: its caller must know
                    raise
            else:
                self._show_error(None)
            finally:
                self.page.answered += 1

    def _show_error(self, error: Exception | None) -> None:
        if error is None:
            if self.error.value:
                self.error.value = ""
                self.box.remove_class("course-late")
            return
        said = str(error)
        if not (said and isinstance(error, ValueError)):
            said = f"{type(error).__name__}: {said}"
        self.error.value = html.escape(f"The picture below is the last one: {said}")
        self.box.add_class("course-late")

    def _show_numbers(self) -> None:
        self.numbers.value = self._numbers_of(self.data)

    def _numbers_of(self, data: Any) -> str:
        return table_html(self.tabulate(data)) if self.numbers_switch.value else ""


def sendable(value: Any) -> Any:
    """Return a typed line without what no message can hold: half characters, endless words."""
    if not isinstance(value, str):
        return value
    return re.sub("[\ud800-\udfff]", "\ufffd", value[:MOST_LETTERS])


def _line(css_class: str) -> widgets.HTML:
    line = widgets.HTML()
    line.add_class(css_class)
    return line


def _family(widget: widgets.Widget):
    """Yield a widget's children, then itself, then its layout and style: widgets of their own."""
    for child in getattr(widget, "children", ()):
        yield from _family(child)
    yield widget
    yield from filter(None, (getattr(widget, name, None) for name in ("layout", "style")))
