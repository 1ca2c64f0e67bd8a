"""An explorer: pure compute, a drawing that lives on, controls, and words for what is seen."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import ipywidgets as widgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from course_utils.explorers.machinery.canvas import Canvas
from course_utils.explorers.machinery.page import PageSide
from course_utils.explorers.machinery.reruns import answering_the_page, keep_until_rerun
from course_utils.plots.picture import STYLE as PICTURE_STYLE
from course_utils.plots.picture import with_words
from course_utils.plots.style import PAGE_PIXELS

MOST_ROWS = 60
MOST_ROUNDS = 20  # of a drawing that moves controls

STYLE = f"""<style>{PICTURE_STYLE}
.course-explorer{{font-size:var(--jp-widgets-font-size)}}
.course-explorer{{border-left:3px solid var(--jp-brand-color1,#1976d2);padding:4px 12px}}
.course-explorer .course-title{{font-weight:600;font-size:1.1em}}
.course-explorer .course-words{{font-size:1.05em;max-width:50em}}
.course-explorer .widget-html-content{{font-size:inherit;line-height:1.4}}
.course-explorer .course-error{{color:var(--jp-error-color0,#b71c1c);font-weight:600}}
.course-explorer .course-late .course-picture{{opacity:.35}}
.course-explorer table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}
.course-explorer td,.course-explorer th{{padding:1px 10px;text-align:right}}
.course-explorer :focus-visible{{outline:3px solid var(--jp-brand-color1,#1976d2)}}
</style>"""


class Table(NamedTuple):
    """The numbers behind a picture, for those who would rather read them."""

    headers: Sequence[str]
    rows: Sequence[Sequence[Any]]


class Drawing(Protocol):
    """What `plots` gives an explorer: a figure, the artists that move, and how to show data."""

    figure: Figure
    moving: Sequence[Artist]

    def show(self, data: Any) -> str:
        """Move the artists to where the data wants them; return in words what is now seen."""


class Explorer:
    """Controls wired to `compute(**values) -> data` and to a drawing that shows the data.

    The picture answers inside the control's own event. A front end holds back further events of
    that control until then and merges them, so none can queue up and the last value always wins.
    """

    def __init__(
        self,
        title: str,
        controls: Mapping[str, widgets.Widget],
        compute: Callable[..., Any],
        drawing: Drawing,
        table: Callable[[Any], Table],
    ):
        self.controls = dict(controls)
        self.compute, self.drawing, self.tabulate = compute, drawing, table
        self.canvas = Canvas(drawing.figure, drawing.moving)
        self.start_values = self.values
        self.draws = 0
        self.data: Any = None
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
        return {name: control.value for name, control in self.controls.items()}

    def redraw(self) -> None:
        """Compute and draw until the picture shows what the controls say.

        Picture, words and numbers change together, or, when anything fails, not at all.
        """
        if self._drawing_now:  # a drawing that moves a control: the loop below sees it
            return
        self._drawing_now = True
        try:
            data, words = self._shown_at_rest()
            picture = self.canvas.png()
            numbers = self._numbers_of(data)
            self.data, self.image.value, self.words.value = data, picture, html.escape(words)
            self.numbers.value = numbers
            self.draws += 1
        finally:
            self._drawing_now = False

    def _shown_at_rest(self) -> tuple[Any, str]:
        """Compute and show until nobody moves a control any more; return last data and words."""
        shown, data, words = None, None, ""
        for _ in range(MOST_ROUNDS):
            now = self.values
            if now == shown:
                return data, with_words(words)
            data = self.compute(**now)
            words = self.drawing.show(data)
            shown = now
        raise RuntimeError("the controls move one another and never come to rest")

    def reset(self) -> None:
        """Put every control back where it started, and draw once."""
        self._drawing_now = True
        try:
            for name, value in self.start_values.items():
                self.controls[name].value = value
        finally:
            self._drawing_now = False
        self._on_change(None)

    def close(self) -> None:
        """Let go of every widget, observer and figure."""
        for control in self.controls.values():
            control.unobserve_all()
        self.numbers_switch.unobserve_all()
        for widget in _family(self.box):
            widget.close()
        self.drawing = self.canvas = self.data = None

    def _repr_mimebundle_(self, **options):
        return self.box._repr_mimebundle_(**options)

    def _build(self, title: str) -> None:
        width = round(self.drawing.figure.get_figwidth() * PAGE_PIXELS)
        self.image = widgets.Image(format="png", layout={"max_width": f"{width}px"})
        self.image.add_class("course-picture")
        self.words = _line("course-words")
        self.error = _line("course-error")
        self.numbers = _line("course-numbers")
        self.numbers_switch = widgets.ToggleButton(description="Show the numbers", value=False)
        self.reset_button = widgets.Button(description="Back to the start")
        heading = _line("course-title")
        heading.value = STYLE + html.escape(title)
        self.box = widgets.VBox(
            [
                heading,
                *self.controls.values(),
                self.error,
                self.image,
                self.words,
                widgets.HBox([self.numbers_switch, self.reset_button]),
                self.numbers,
                PageSide(),
            ]
        )
        self.box.add_class("course-explorer")

    def _on_change(self, _change) -> None:
        self._answer(self.redraw)

    def _on_numbers(self, _change) -> None:
        self._answer(self._show_numbers)

    def _answer(self, action: Callable[[], None]) -> None:
        """Do what an event asks for, and show the reader what went wrong."""
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
        self.error.value = html.escape(f"The picture below is the last one: {said}")
        self.box.add_class("course-late")

    def _show_numbers(self) -> None:
        self.numbers.value = self._numbers_of(self.data)

    def _numbers_of(self, data: Any) -> str:
        return table_html(self.tabulate(data)) if self.numbers_switch.value else ""


def table_html(table: Table) -> str:
    """Return a table as HTML, every cell escaped, long ones cut and said to be cut."""
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in table.headers)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(value))}</td>" for value in row) + "</tr>"
        for row in table.rows[:MOST_ROWS]
    )
    rest = len(table.rows) - MOST_ROWS
    note = f"<p>and {rest} more rows</p>" if rest > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _cell(value: Any) -> str:
    """Return a number in four digits, but a whole one in full, and anything else as it prints."""
    if getattr(value, "shape", None) == ():  # of NumPy or torch
        value = value.item()
    return f"{value:.4g}" if isinstance(value, float) else str(value)


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
