"""Move every control of an explorer, and say what its reader would complain about."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import ipywidgets as widgets

from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import table_html

SOME_TEXT = "the keys on the table are old"  # what a tour types into an empty line


def tour(explorer: Explorer, reasons: tuple[str, ...] = ()) -> Iterator[str]:
    """Move every control through its positions; yield what a reader would complain about."""
    told = {explorer.words.value}
    explorer.numbers_switch.value = True
    for name, control in explorer.controls.items():
        start, pictures = control.value, {explorer.image.value}
        for value in positions(control):
            control.value = value
            pictures.add(explorer.image.value)
            told.add(explorer.words.value)
            yield from _state(explorer, f"{name} = {value!r}")
        if len(pictures) == 1 and (offered := getattr(control, "offered", ())):
            control.value = offered[0]  # an empty line may stand for the text at the start
            pictures.add(explorer.image.value)
        control.value = start
        if len(pictures) == 1 and name not in reasons:
            yield f"{name}: the picture never changes"
        if not control.description:
            yield f"{name}: has no description"
    if len(told) == 1:
        yield "whatever is moved, the words stay the same"


def positions(control: widgets.Widget) -> list[object]:
    """Return the values that a tour of this control visits: its two ends, or all it offers."""
    if isinstance(control, widgets.Checkbox | widgets.ToggleButton):
        return [not control.value, control.value]
    if isinstance(control, widgets.FloatLogSlider):
        return [control.base**control.min, control.base**control.max]
    if isinstance(control, widgets.IntSlider | widgets.FloatSlider):
        return [control.min, control.max]
    if isinstance(control, widgets.SelectionSlider):
        return [control._options_full[end][1] for end in (0, -1)]
    if isinstance(control, widgets.Dropdown | widgets.ToggleButtons):
        return [value for _, value in control._options_full]
    if isinstance(control, widgets.Text):
        return ["", control.value or SOME_TEXT]
    raise TypeError(f"no tour is known for a {type(control).__name__}: add it to positions()")


def _state(explorer: Explorer, at: str) -> Iterator[str]:
    if explorer.error.value:
        yield f"{at}: {explorer.error.value}"
    if not explorer.words.value.strip():
        yield f"{at}: no words"
    table = explorer.tabulate(explorer.data)
    if not table.rows or {len(row) for row in table.rows} != {len(table.headers)}:
        yield f"{at}: the table's rows do not fit its headers"
    if explorer.numbers.value != table_html(table):
        yield f"{at}: the numbers shown are not those of the picture"
    if _is_empty(explorer.image.value):
        yield f"{at}: the picture is empty"


def _is_empty(picture: str) -> bool:
    return len(list(ElementTree.fromstring(picture).iter())) < 10
