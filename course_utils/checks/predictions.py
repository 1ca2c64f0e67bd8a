"""A prediction: written down before the experiment, shown again beside its result.

    predict("01.a", "What share of the 5-grams of a new text has been seen in training?")
    ...
    predicted("01.a", f"{seen:.0%}")

Nothing is judged: a prediction that was wrong has taught more than one that was right.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

import ipywidgets as widgets
from IPython.display import display

from course_utils.checks.lecture_calls import Note
from course_utils.numbers import for_people

INVITATION = "your guess, then Enter"
COLOUR = "#0072b2"
_written: dict[str, str] = {}


def predict(name: str, question: str, options: Sequence[str] = (), mine: str = "") -> None:
    """Ask a question and keep what is written under its name; a re-run shows what was written.

    With `options` one is chosen. `mine` writes the answer in code, where no widget can be drawn.
    """
    if mine:
        _written[name] = str(mine).strip()
    before = _written.get(name, "")
    label: dict = {"description": "My guess", "style": {"description_width": "initial"}}
    if options:
        chosen = before if before in options else None
        box = widgets.RadioButtons(
            options=list(options), value=chosen, layout={"width": "auto"}, **label
        )
    else:
        layout = {"width": "min(36em, 100%)"}
        box = widgets.Text(value=before, placeholder=INVITATION, layout=layout, **label)
    box.tooltip = question

    def keep(change: dict) -> None:
        _written[name] = (change["new"] or "").strip()

    box.observe(keep, "value")
    asked = widgets.HTML(f"<b>Prediction {html.escape(name)}</b>&ensp;{html.escape(question)}")
    display(widgets.VBox([asked, box]))


def predicted(name: str, result: object) -> None:
    """Show what was written under this name beside what came out."""
    guess = _written.get(name, "")
    said = f"you wrote “{guess}”" if guess else "you wrote nothing down"
    text = f"{said}; the result is {for_people(str(result))}."
    display(Note("⚖", COLOUR, f"Prediction {name}", text))
