"""Walk an explorer through its controls and keep every picture, for pages without a kernel.

Every combination of all controls is drawn where there are few enough. Otherwise one control moves
at a time, from the values that the explorer starts with; for a text, the page offers a few. What
moves other controls, such as a sentence that decides how many words there are, opens a reading: a
start of its own for all of them.
"""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import ipywidgets as widgets
import numpy as np

from course_utils.explorers.machinery.reruns import running_cell
from course_utils.explorers.machinery.table import table_html

WANTED = "COURSE_TOURS"  # set by what makes pages
TOUR = "application/vnd.course.tour+json"
MOST_STATES = 3000  # of all combinations together
STOPS = 12  # of one slider, where there are more combinations
MOST_NAMED = 160  # places of a slider with names


class Twin(NamedTuple):
    """What does an explorer's work in the page itself: a script, and what it needs."""

    name: str
    models: tuple[str, ...]  # as they ship
    data: (
        dict[str, object] | Callable[[], dict[str, object]]
    )  # what takes time is made for a tour only

    def told(self) -> dict[str, object]:
        """Return all of it, for a page."""
        data = self.data() if callable(self.data) else self.data
        return {"name": self.name, "models": self.models, "data": data}


class Explorer(Protocol):
    """What can be walked: controls, and what is shown where they stand."""

    title: str
    controls: dict[str, widgets.Widget]
    set_controls: Any
    twin: Twin | None
    image: Any
    data: object
    tabulate: Any

    @property
    def values(self) -> dict[str, Any]: ...

    @property
    def words_now(self) -> str: ...

    def move(self, values: Mapping[str, object]) -> None:
        """Put controls where they are wanted, and draw once."""

    def reset(self) -> None:
        """Put every control back where it started."""


Stops = list[tuple[str, Any]]  # what the page calls a place, and the control's value there
_walked: set[tuple[str | None, str]] = set()  # the lecture's cells run again in tests


def wanted_here(title: str) -> bool:
    """Return whether a page is being made, for the first time in this run of the lecture."""
    place = running_cell(), title
    if not os.environ.get(WANTED) or place in _walked:
        return False
    _walked.add(place)
    return True


def tour_of(explorer: Explorer) -> dict[str, object]:
    """Return all that a page needs to move an explorer without a kernel; end at its start."""
    found = Pictures(explorer)
    everything = [stops_of(control, None) for control in explorer.controls.values()]
    kind = kind_of(explorer)
    walked: dict[str, object]
    if kind == "twin":
        assert explorer.twin
        walked = _with_twin(explorer, explorer.twin, everything, found)
    elif kind == "grid":
        walked = _grid(explorer, everything, found)
    else:
        walked = {"readings": _readings(explorer, found)}
    about = {
        "title": explorer.title,
        "controls": [_about(control) for control in explorer.controls.values()],
        "kind": kind,
    }
    explorer.reset()
    return {**about, **walked, "count": len(found.states), "packed": found.packed()}


def kind_of(explorer: Explorer) -> str:
    """Return how a page moves an explorer: "twin", it computes; "grid", all places; "one"."""
    controls = explorer.controls.values()
    if explorer.twin is not None:
        return "twin"
    if any(isinstance(control, widgets.Text) for control in controls):
        return "one"
    count = math.prod(len(stops_of(control, None)) for control in controls)
    return "grid" if count <= MOST_STATES else "one"


def _with_twin(
    explorer: Explorer, twin: Twin, stops: Sequence[Stops], found: Pictures
) -> dict[str, object]:
    """Return what a twin begins with, and the first picture alone."""
    found.take({})
    start = [
        control.value if isinstance(control, widgets.Text) else _place_of(control.value, of)
        for control, of in zip(explorer.controls.values(), stops, strict=True)
    ]
    labels = [[label for label, _ in of] for of in stops]
    names = [*explorer.controls]
    return {"stops": labels, "start": start, "names": names, "twin": twin.told()}


class Pictures:
    """Every picture once, with its words and numbers; what stands in many of them, once too."""

    def __init__(self, explorer: Explorer):
        self.explorer = explorer
        self.parts: dict[str, int] = {}
        self.states: list[dict[str, Any]] = []
        self._seen: dict[str, int] = {}

    def take(self, values: Mapping[str, object]) -> int | None:
        """Return the number of the picture at these values; None where they are refused."""
        try:
            self.explorer.move(values)
        except ValueError:  # in words, which only who types can read: the page offers no such stop
            return None
        scene = self.explorer.image.now
        state = {
            "size": [scene.width, scene.height],
            "order": [*scene.parts],
            "parts": [self.parts.setdefault(p, len(self.parts)) for p in scene.parts.values()],
            "words": self.explorer.words_now,
            "numbers": table_html(self.explorer.tabulate(self.explorer.data)),
        }
        key = json.dumps(state)
        if key not in self._seen:
            self._seen[key] = len(self.states)
            self.states.append(state)
        return self._seen[key]

    def packed(self) -> str:
        """Return all pictures as compressed JSON in letters that a script can hold."""
        look = self.explorer.image.now.whole()["look"]
        whole = {"look": look, "parts": [*self.parts], "states": self.states}
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
        return base64.b64encode(gzip.compress(text, 9, mtime=0)).decode()


class Reading(NamedTuple):
    """A start for all controls, and what each of them shows when it alone moves."""

    stops: list[list[str]]
    start: list[int]
    at: list[list[int | None]]  # a picture's number; None where another reading begins, or no stop
    opens: list[list[int | None]]  # the reading that begins there


def _grid(explorer: Explorer, stops: Sequence[Stops], found: Pictures) -> dict[str, object]:
    names = list(explorer.controls)
    start = [
        _place_of(explorer.controls[name].value, of) for name, of in zip(names, stops, strict=True)
    ]
    values = itertools.product(*([value for _, value in of] for of in stops))
    at = [found.take(dict(zip(names, chosen, strict=True))) for chosen in values]
    return {"stops": [[label for label, _ in of] for of in stops], "start": start, "at": at}


def _readings(explorer: Explorer, found: Pictures) -> list[dict[str, object]]:
    """Return the first reading and all that it opens, each walked one control at a time."""
    readings = [_read(explorer, {}, found, None)]
    first, opening = readings[0]
    for control, stop, values in opening:
        taken = found.take(values)
        if taken is None:
            continue
        first.opens[control][stop] = len(readings)
        readings.append(_read(explorer, values, found, first))
    return [reading._asdict() for reading, _ in readings]


Opening = tuple[int, int, dict[str, object]]  # which control, which stop, the values to go there


def _read(
    explorer: Explorer, values: Mapping[str, object], found: Pictures, first: Reading | None
) -> tuple[Reading, list[Opening]]:
    explorer.reset()
    here = found.take(values)
    start = explorer.values
    offered = {name: stops_of(control, STOPS) for name, control in explorer.controls.items()}
    order = [*offered]
    reading = Reading(
        [[label for label, _ in stops] for stops in offered.values()],
        [_place_of(start[name], stops) for name, stops in offered.items()],
        [[None] * len(stops) for stops in offered.values()],
        [[None] * len(stops) for stops in offered.values()],
    )
    opening: list[Opening] = []
    for place, name in enumerate(order):
        if first is not None and _opens(first, place):
            continue  # the page takes the first reading's stops there
        for stop, (_, value) in enumerate(offered[name]):
            if stop == reading.start[place]:
                reading.at[place][stop] = here
                continue
            if first is None and _moves_others(explorer, name, value, start):
                opening.append((place, stop, {name: value}))
                continue
            _back(explorer, values)
            reading.at[place][stop] = found.take({**start, name: value})
    _back(explorer, values)
    return reading, opening


def _opens(reading: Reading, place: int) -> bool:
    return any(number is not None for number in reading.opens[place])


def _moves_others(
    explorer: Explorer, name: str, value: object, start: Mapping[str, object]
) -> bool:
    """Return whether a control decides what others offer; a text always does: it is read anew."""
    if isinstance(explorer.controls[name], widgets.Text):
        return True
    if explorer.set_controls is None:
        return False
    explorer.reset()
    before = _offers(explorer, name)
    explorer.move({name: value})
    return _offers(explorer, name) != before


def _offers(explorer: Explorer, but: str) -> list[object]:
    """Return what all controls but one say and offer."""
    return [
        (control.value, [label for label, _ in stops_of(control, None)])
        for name, control in explorer.controls.items()
        if name != but
    ]


def _back(explorer: Explorer, values: Mapping[str, object]) -> None:
    """Go back to a reading's start, whose controls may have been moved by what they offer."""
    if explorer.set_controls is not None or values:
        explorer.reset()
        explorer.move(values)


def _about(control: widgets.Widget) -> dict[str, object]:
    kinds = {widgets.Text: "text", widgets.Checkbox: "switch", widgets.Dropdown: "choice"}
    of_all = stops_of(control, None)
    return {
        "label": control.description,
        "kind": kinds.get(type(control), "slider"),
        "playable": "course-playable" in control._dom_classes,
        "hint": getattr(control, "placeholder", ""),
        "places": len(of_all),
        "ends": [of_all[0][0], of_all[-1][0]],
    }


def stops_of(control: widgets.Widget, most: int | None) -> Stops:
    """Return the places of a control that a tour visits: all of them, or so many of a slider."""
    if isinstance(control, widgets.Checkbox):
        return [("off", False), ("on", True)]
    if isinstance(control, widgets.Text):
        offered = dict.fromkeys((control.value, *getattr(control, "offered", ())))
        return [(text, text) for text in offered]
    if isinstance(control, widgets.Dropdown | widgets.SelectionSlider):
        return [(str(label), value) for label, value in control._options_full][:MOST_NAMED]
    values = _values_of(control)
    if most is not None and len(values) > most:
        kept = {round(n) for n in np.linspace(0, len(values) - 1, most)}
        kept.add(_nearest(control.value, values))
        values = [values[n] for n in sorted(kept)]
    return [(format(value, control.readout_format), value) for value in values]


def _values_of(control: widgets.Widget) -> list[object]:
    """Return every value of a slider of numbers."""
    low, high, step = control.min, control.max, control.step
    count = round((high - low) / step)
    if isinstance(control, widgets.FloatLogSlider):
        return [control.base ** (low + n * step) for n in range(count + 1)]
    if isinstance(control, widgets.IntSlider):
        return [low + n * step for n in range(count + 1)]
    return [round(low + n * step, 10) for n in range(count + 1)]


def _nearest(value: Any, values: Sequence[Any]) -> int:
    return min(range(len(values)), key=lambda n: abs(values[n] - value))


def _place_of(value: object, stops: Stops) -> int:
    """Return which stop a control stands at."""
    values = [one for _, one in stops]
    return values.index(value) if value in values else _nearest(value, values)
