"""Controls that look and behave alike: labelled, wide enough, reachable by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import ipywidgets as widgets

LISTS = widgets.Dropdown, widgets.SelectionSlider
_LOOK = {
    "style": {"description_width": "12em"},
    "layout": {"width": "min(38em, 100%)"},
}


def slider(label: str, low: float, high: float, value: float, step: float) -> widgets.Widget:
    """Return a slider for whole numbers when all four are whole, else for real ones."""
    numbers = {"min": low, "max": high, "value": value, "step": step}
    if all(isinstance(number, int) for number in numbers.values()):
        return widgets.IntSlider(description=label, **numbers, **_LOOK)
    decimals = max(0, -int(Decimal(str(step)).as_tuple().exponent))
    return widgets.FloatSlider(
        description=label, **numbers, readout_format=f".{decimals}f", **_LOOK
    )


def log_slider(label: str, low: float, high: float, start: float) -> widgets.FloatLogSlider:
    """Return a slider over powers of ten in tenths; low, high and start are exponents."""
    return widgets.FloatLogSlider(
        description=label, min=low, max=high, value=10.0**start, step=0.1,
        readout_format=".2g", **_LOOK,
    )  # fmt: skip


def choice(label: str, options: Sequence[object], value: object = None) -> widgets.Dropdown:
    """Return a drop-down list; options may be (label, value) pairs."""
    box = widgets.Dropdown(description=label, options=options, **_LOOK)
    if value is not None:
        box.value = value
    return box


def stops(label: str, options: Sequence[object]) -> widgets.SelectionSlider:
    """Return a slider over named places, walked with the arrow keys; options as for `choice`."""
    control = widgets.SelectionSlider(description=label, options=options, **_LOOK)
    control.add_class("course-stops")  # its names need room
    return playable(control)


def playable(control: widgets.DOMWidget) -> widgets.DOMWidget:
    """Give a slider of steps a play button; `page/play.js` moves the slider."""
    control.add_class("course-playable")
    return control


def switch(label: str, value: bool = False) -> widgets.Checkbox:
    """Return a box to tick."""
    return widgets.Checkbox(description=label, value=value, indent=False, **_LOOK)


def text(
    label: str, value: str, placeholder: str = "", offered: Sequence[str] = ()
) -> widgets.Text:
    """Return a line to type in; it answers on Enter or when left, not at every letter.

    A page without a kernel offers some texts beside the first.
    """
    line = widgets.Text(
        description=label, value=value, placeholder=placeholder, continuous_update=False, **_LOOK
    )
    line.offered = tuple(offered)
    return line


def place_of(control: widgets.Widget) -> Any:
    """Return where a control stands as its page knows it: of a list, which place."""
    return control.index if isinstance(control, LISTS) else control.value


def value_at(control: widgets.Widget, place: Any) -> object:
    """Return what a control would say if it stood there."""
    if isinstance(control, LISTS):
        value: object = control._options_full[place][1]
        return value
    return type(control.value)(place)  # a page writes 1.0 as 1
