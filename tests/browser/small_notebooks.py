"""Notebooks that show one thing each, for tests that need no whole lecture."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils import explorers
from tools.rules.files import METADATA

ECHO = """
from course_utils.explorers import explore_echo
explore_echo()
"""
HURRY = """
from course_utils.explorers import explore_echo
echo = explore_echo()
echo
"""
CLIFF = """
from course_utils.explorers import explore_cliff
explore_cliff()
"""
WORDS = """
from course_utils.explorers import explore_generation
explore_generation()
"""
KEPT = """
import gc
import ipywidgets
from matplotlib.figure import Figure
def kept():
    gc.collect()
    figures = sum(type(thing) is Figure for thing in gc.get_objects())
    return {"widgets": len(ipywidgets.widgets.widget._instances), "figures": figures}
"""
# Draws at once, or, where a pipe of that name stands, when somebody opens its other end.
GATE = "gate"
SLOW = f"""
from contextlib import suppress
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.start import echo_of_a_pulse, tabulate_echo
from course_utils.plots.start import EchoDrawing
def slow_echo(recurrent_weight):
    with suppress(FileNotFoundError):
        open("{GATE}").close()
    return echo_of_a_pulse(recurrent_weight)
weight = slider("recurrent weight u", -1.5, 1.5, 0.0, 0.05)
slow = Explorer("Slow", {{"recurrent_weight": weight}}, slow_echo, EchoDrawing(), tabulate_echo)
slow
"""
BROKEN = """
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.start import echo_of_a_pulse, tabulate_echo
from course_utils.plots.start import EchoDrawing
def refuse(recurrent_weight):
    if recurrent_weight > 1:
        raise ValueError("<b>too large</b>")
    return echo_of_a_pulse(recurrent_weight)
weight = slider("recurrent weight u", -1.5, 1.5, 0.0, 0.5)
Explorer("Sometimes broken", {"recurrent_weight": weight}, refuse, EchoDrawing(), tabulate_echo)
"""
# Its model is changed by the cell below, or by a moved slider, as `later` says.
AHEAD = """
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.start import echo_of_a_pulse, tabulate_echo
from course_utils.plots.start import EchoDrawing
model, later = {"sign": 1}, []
def echo_of_a_model(weight):
    if "sign" not in model:
        raise ValueError("no model")
    return echo_of_a_pulse(model["sign"] * weight)
def change_model(change):
    while later:
        model.clear()
        model.update(later.pop())
weight = slider("recurrent weight u", -1.5, 1.5, 0.5, 0.05)
weight.observe(change_model, "value")
shown = Explorer("Ahead", {"weight": weight}, echo_of_a_model, EchoDrawing(), tabulate_echo)
shown
"""
TURNED = "model['sign'] = -1"
GATES = """
from course_utils.explorers import explore_lstm_walk
explore_lstm_walk()
"""
CELLS = """
from course_utils.explorers import explore_gru_walk
walk = explore_gru_walk()
walk
"""
STUB = """
from course_utils.checks import check, hint, show_solution
def one_step(u, h_before, x):
    ...
"""
LONG = """
# Print more lines than a slide holds.
for line in range(60):
    print(line)
"""
VERDICTS = """
from course_utils.checks import (
    check, claim, hint, holds, progress, show_solution, task
)
from course_utils.checks.predictions import predict, predicted
def one_step(u, h_before, x):
    return u * h_before + x
task("0.1")
check("0.1", one_step)
hint("0.1")
check("0.1", lambda u, h_before, x: (u * h_before + x).tanh())
check("0.1", lambda u, h_before, x: ...)
check("0.1", lambda u, h_before, x: 1 / 0)
show_solution("0.1")
progress()
"""
SAID = """
claim("00.1", 0.5, low=0.2, high=0.9, says="a number")
holds("one is one", 1 == 1)
predict("00.a", "How much is left?")
predict("00.b", "Which one?", ["left", "right"])
predicted("00.a", 3)
"""
DRAWN = """
from course_utils.plots.gru.race import plot_learning
from course_utils.plots.picture import show
show(plot_learning([10, 20], {"gru": [0.5, 0.9]}, 0.5, "accuracy"))
"""
EVERY_EXPLORER = [
    f"from course_utils.explorers import {name}\nshown = {name}()\n"
    "shown.numbers_switch.value = True\nshown"
    for name in explorers.__all__
]
SMALL = {
    "outputs": [*EVERY_EXPLORER, VERDICTS, SAID, DRAWN],
    "gates": [GATES],
    "cells": [CELLS],
    "echo": [ECHO, "# a cell below"],
    "hurry": [HURRY],
    "cliff": [CLIFF],
    "words": [WORDS],
    "kept": [KEPT, ECHO],
    "slow": [SLOW],
    "broken": [BROKEN],
    "ahead": [AHEAD, TURNED, f"open('{GATE}').close()"],
}
DECK = (
    ("skip", "Before the first slide.\n\n**Ask** nothing yet."),
    ("slide", "# First"),
    ("notes", "> What the speaker says. 40 minutes.\n\n**Minutes:** 4"),
    ("slide", "## Second"),
    (None, "It goes on."),
    (None, ECHO),
    ("subslide", "Below, without a heading."),
    ("fragment", "It appears later."),
    ("-", "A dash belongs to what stands before it."),
    ("notes", "**Ask:** what comes out?\n\n**See:** a verdict.\n\n**Minutes:** 6"),
    ("skip", "Not for the wall."),
    ("slide", "## Exercise"),
    ("fragment", STUB),
    ("fragment", 'check("0.1", one_step)'),
    ("slide", "## Too tall\n\n" + "\n".join(f"- line {i}" for i in range(40))),
    ("slide", "## Long output"),
    ("-", LONG),
)


PREDICTIONS = """
from course_utils.checks.predictions import predict, predicted
"""
GUESS = 'predict("00.a", "How much is left?")'
GUESSED = 'predicted("00.a", "6e-13 at lag 50")'
CHOOSE = 'predict("00.b", "Which lets least through?", ["linear", "ReLU", "tanh", "sigmoid"])'
CHOSEN = 'predicted("00.b", "the sigmoid, whose slope never exceeds 1/4")'
ASKING = (
    ("skip", PREDICTIONS),
    ("slide", "## How much is left?"),
    ("fragment", GUESS),
    ("subslide", GUESSED),
    ("slide", "## Which of the four?"),
    ("-", CHOOSE),
    ("fragment", CHOSEN),
    ("slide", "## The end"),
)
SHOWN = {"deck": DECK, "asking": ASKING}


# which cells of DECK are seen, step by step, and the one that holds the explorer
SCREENS = [[1], [3, 4, 5], [6], [6, 7, 8], [11], [11, 12], [11, 12, 13], [14], [15, 16]]
EXPLORER = 5
EXERCISE = SCREENS.index([11]) + 1  # steps from the first slide


def write_small_notebooks(folder: Path) -> None:
    """Write every small notebook into a folder."""
    for name in (*SMALL, *SHOWN):
        write_small_notebook(folder / f"{name}.ipynb")


def write_small_notebook(file: Path) -> None:
    """Write the small notebook of that name; leave a lecture as it is."""
    if file.stem in SHOWN:
        _write(file, [_slide(*cell) for cell in SHOWN[file.stem]])
    elif file.stem in SMALL:
        write_notebook(file, SMALL[file.stem])


def write_deck(file: Path) -> None:
    """Write the small deck."""
    _write(file, [_slide(*cell) for cell in DECK])


def write_first_lecture(folder: Path) -> None:
    """Write a stand-in for lecture 00 where it is missing: `course lab` looks for that file."""
    first = folder / "00_start_here.ipynb"
    if not first.exists():
        write_notebook(first, [ECHO])


def write_notebook(file: Path, sources: list[str]) -> None:
    """Write a notebook of code cells."""
    _write(file, [new_code_cell(text.strip()) for text in sources])


def _slide(kind: str | None, text: str):
    is_code = text in (ECHO, STUB, LONG, PREDICTIONS) or text.startswith(("check(", "predict"))
    metadata = {"slideshow": {"slide_type": kind}, "tags": ["exercise"] if text is STUB else []}
    if text is LONG:
        metadata["jupyter"] = {"source_hidden": True}
    return (new_code_cell if is_code else new_markdown_cell)(text.strip(), metadata=metadata)


def _write(file: Path, cells: list) -> None:
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), file)
