"""A prediction: written down before the experiment, shown again beside its result.

    predict("01.a", "What share of the 5-grams of a new text has been seen in training?")
    ...
    predicted("01.a", f"{seen:.0%}")

Nothing is judged: a wrong prediction teaches more than a right one. The result answers the
guess whichever of them came first, even after a restart of the kernel.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import ipywidgets as widgets
from IPython.display import display

from course_utils.checks.box import BLUE, box
from course_utils.checks.guesses import Guesses
from course_utils.checks.lecture_calls import Note
from course_utils.numbers import first_number, for_people
from course_utils.room.voter import vote_in_room

INVITATION = "your guess, then Enter"
VIEW = "application/vnd.jupyter.widget-view+json"
ASKED = "application/vnd.course.prediction+json"  # what the deck reads of both, to ask a room
CAME_OUT = "application/vnd.course.result+json"
# The box lives in the page, what was written stands below it for pages without a kernel: where one
# of them is shown the other is not, nor Lab's error in place of a box whose kernel is gone.
STYLE = (
    ".jp-OutputArea-child:has(.course-prediction)+.jp-OutputArea-child:has(.course-guess),"
    ".jp-OutputArea-child:not(:has(.course-prediction)):has(+.jp-OutputArea-child .course-guess)"
    "{display:none}"
    ".course-prediction.jupyter-widgets-disconnected>:nth-child(n+2){display:none}"
    ".course-prediction.jupyter-widgets-disconnected::after"
    '{content:"The kernel was restarted: run this cell again (Shift+Enter), then write."}'
)


class Asked(NamedTuple):
    """A prediction as it was asked."""

    name: str
    question: str
    options: list[str]
    kind: str  # of answer: choice, number or words
    unit: str = ""

    def still(self) -> dict[str, str]:
        """Return the question and what was written, for a page without a kernel."""
        head, question = html.escape(f"Prediction {self.name}"), html.escape(self.question)
        said = _said(self.name)
        inside = f"<b>{head}</b>&ensp;{question}<br>{html.escape(said)}"
        page = f'<style>{STYLE}</style><div class="course-guess">{box(BLUE, inside)}</div>'
        return {"text/html": page, "text/plain": f"Prediction {self.name}: {self.question} {said}"}


class CameOut(NamedTuple):
    """What an experiment has shown, and where that stands among the answers of a room."""

    name: str
    result: str
    value: float | None
    option: str | None

    def beside_guess(self) -> dict[str, object]:
        """Return what was written and what came out, as a page shows it."""
        text = f"{_said(self.name)}; the result is {self.result}."
        note = Note("⚖", BLUE, f"Prediction {self.name}", text, _not_kept.get(self.name, ""))
        shown = {"text/html": note._repr_html_(), "text/plain": repr(note)}
        return {**shown, CAME_OUT: self._asdict()}


guesses = Guesses()
_asked: dict[str, Asked] = {}
_results: dict[str, CameOut] = {}
_not_kept: dict[str, str] = {}


def predict(
    name: str,
    question: str,
    options: Sequence[str] = (),
    mine: str = "",
    *,
    unit: str = "",
    words: bool = False,
) -> None:
    """Ask a question and keep what is written under its name; a re-run shows what was written.

    With `options` one is chosen. `mine` writes the answer in code, where no widget can be drawn.
    A room that is asked gives a number, in `unit`, or `words`.
    """
    kind = "choice" if options else "words" if words else "number"
    asked = _asked[name] = Asked(name, question, [*options], kind, unit)
    if mine:
        _keep(asked, str(mine))
    field = _field(asked)
    head = widgets.HTML(f"<b>Prediction {html.escape(name)}</b>&ensp;{html.escape(question)}")
    told = widgets.HTML()  # by the room, where one is named
    asks = widgets.VBox([head, field, told] if os.environ.get("COURSE_ROOM") else [head, field])
    asks.add_class("course-prediction")
    view = asks._repr_mimebundle_()[VIEW]
    display({VIEW: view, ASKED: asked._asdict(), "text/html": ""}, raw=True)
    display(asked.still(), raw=True, display_id=_place("asked", name))

    def tell(says: str) -> None:
        told.value = html.escape(says)

    def keep(change: dict[str, Any]) -> None:
        _keep(asked, change["new"] or "", is_shown=True)
        vote_in_room(name, guesses.of(name), tell)

    field.observe(keep, "value")
    vote_in_room(name, guesses.of(name), tell)


def _field(asked: Asked) -> widgets.Widget:
    """Return the box to write in, or the choices, with what was written before."""
    before = guesses.of(asked.name)
    label: dict[str, Any] = {"description": "My guess", "style": {"description_width": "initial"}}
    if asked.options:
        label |= {"options": asked.options, "layout": {"width": "auto"}}
        field = widgets.RadioButtons(value=before if before in asked.options else None, **label)
    else:
        label |= {"placeholder": INVITATION, "layout": {"width": "min(36em, 100%)"}}
        field = widgets.Text(value=before, **label)
    field.tooltip = asked.question
    return field


def predicted(name: str, result: object, value: float | None = None) -> None:
    """Show what was written under this name beside what came out, now and when it changes.

    Beside a room's numbers stands `value`, or the first number of the result.
    """
    said = for_people(str(result))
    options = _asked[name].options if name in _asked else []
    is_number = name not in _asked or _asked[name].kind == "number"
    measured = first_number(said) if value is None else float(value)
    found = CameOut(name, said, measured if is_number else None, option_in(said, options))
    _results[name] = found
    display(found.beside_guess(), raw=True, display_id=_place("result", name))


def _keep(asked: Asked, guess: str, is_shown: bool = False) -> None:
    _not_kept[asked.name] = guesses.keep(asked.name, guess)
    again = {"raw": True, "update": True}
    if is_shown:
        display(asked.still(), display_id=_place("asked", asked.name), **again)
    if result := _results.get(asked.name):
        display(result.beside_guess(), display_id=_place("result", asked.name), **again)


def _place(what: str, name: str) -> str:
    return f"course-prediction-{name}-{what}"


def _said(name: str) -> str:
    guess = guesses.of(name)
    return f"you wrote “{guess}”" if guess else "you wrote nothing down"


def option_in(result: str, options: Sequence[str]) -> str | None:
    """Return the choice that the result names, the longest where one is part of another."""
    words = [rf"(?<!\w){re.escape(option)}(?!\w)" for option in options]
    found = [re.search(word, result, re.IGNORECASE) for word in words]
    named = [option for option, place in zip(options, found, strict=True) if place]
    return max(named, key=len, default=None)
