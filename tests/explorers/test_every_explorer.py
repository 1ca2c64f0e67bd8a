"""Every control of every explorer, moved through all its positions, and what must hold then."""

from __future__ import annotations

import contextlib
import gc
import random
from collections.abc import Mapping

import ipywidgets as widgets
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from course_utils import explorers
from course_utils.explorers.machinery import explorer as explorer_module
from course_utils.explorers.machinery.controls import value_at
from course_utils.explorers.machinery.explorer import Explorer
from tests.explorers.tour import positions, tour

EVERY = pytest.mark.parametrize("name", explorers.__all__)
ODD_TEXTS = ("", " ", "a", "<b>bold</b> & $x$", "ü 語 🙂", "word " * 200)
# (explorer, control): why moving it through its positions need not change the picture
SAME_PICTURE: dict[tuple[str, str], str] = {}


@EVERY
def test_every_control_changes_the_picture(name):
    """Catches a control wired to nothing, a position that fails, words and numbers left behind."""
    explorer = getattr(explorers, name)()
    assert isinstance(explorer, Explorer)
    reasons = tuple(control for where, control in SAME_PICTURE if where == name)
    found = list(tour(explorer, reasons))
    explorer.close()
    assert not found, "\n".join(found)


@EVERY
def test_odd_values_are_drawn_or_refused_in_words(name):
    """Catches combinations that nobody tried: an error of NumPy's where advice should stand."""
    chance, explorer = random.Random(name), getattr(explorers, name)()
    for _ in range(8):
        control = chance.choice(list(explorer.controls.values()))
        with contextlib.suppress(ValueError):  # anything else is not meant for a reader
            control.value = _odd_value(control, chance)
            assert not explorer.error.value
            assert explorer.words.value
            continue
        assert len(explorer.error.value) > 50
        explorer.reset()
    explorer.close()


def _odd_value(control: widgets.Widget, chance: random.Random):
    if isinstance(control, widgets.Text):
        return chance.choice(ODD_TEXTS)
    if isinstance(control, widgets.FloatLogSlider):
        return control.base ** chance.uniform(control.min, control.max)
    if isinstance(control, widgets.FloatSlider):
        return chance.uniform(control.min, control.max)
    if isinstance(control, widgets.IntSlider):
        return chance.randint(control.min, control.max)
    return chance.choice(positions(control))


@EVERY
def test_reset_brings_the_start_back(name):
    """Catches a control that the button forgets, and a picture drawn for each on the way."""
    explorer = getattr(explorers, name)()
    start = explorer.values
    picture, draws = explorer.image.value, 0
    for control in explorer.controls.values():
        with contextlib.suppress(ValueError):  # refused in words: the reset must undo that too
            control.value = positions(control)[0]
        draws = explorer.draws
    explorer.reset_button.click()
    assert explorer.values == start
    assert explorer.image.value == picture
    assert not explorer.error.value
    assert explorer.draws == draws + 1
    explorer.close()


@EVERY
def test_the_same_values_give_the_same_picture(name):
    """Catches axes that jitter: a layout that starts from where the last one ended."""
    explorer = getattr(explorers, name)()
    at_start = explorer.image.value
    for control in explorer.controls.values():
        for value in positions(control):
            control.value = value
        explorer.reset()
        assert explorer.image.value == at_start, f"after moving {control.description}"
    explorer.close()


@EVERY
def test_what_is_drawn_ahead_is_what_is_drawn_there(name, monkeypatch):
    """Catches a picture ahead of other values, and one that spoils the picture after it."""
    monkeypatch.setattr(explorer_module, "may_look_ahead", lambda _seconds: True)
    explorer = getattr(explorers, name)()
    for control in explorer.image.controls:
        at = explorer.image.at
        place = _places(explorer.controls[control])[-1]
        if place == at[control]:
            place = _places(explorer.controls[control])[0]
        ahead = explorer._look_ahead({**at, control: place})
        assert explorer.image.at == at
        if ahead is None:  # refused in words
            continue
        explorer.controls[control].value = value_at(explorer.controls[control], place)
        assert explorer.image.now == ahead, control
        assert explorer.image.at == {**at, control: place}
        explorer.reset()
        assert explorer.image.at == at
    explorer.close()


def _places(control: widgets.Widget) -> list[object]:
    """Return places of a control as a page knows them."""
    if hasattr(control, "_options_full"):
        return [*range(len(control._options_full))]
    return positions(control)


@pytest.mark.parametrize("name", [name for name in explorers.__all__ if name.endswith("_walk")])
def test_compute_only_reads(name):
    """Catches a compute that moves a control, or remembers what it was asked before."""
    explorer = getattr(explorers, name)()
    start, state, first = explorer.values, _states(explorer), _plain(explorer.data)
    for moved, control in explorer.controls.items():
        explorer.compute(**{**start, moved: positions(control)[-1]})
        assert _states(explorer) == state, moved  # before the start's values put it back
        assert _plain(explorer.compute(**start)) == first, moved
    explorer.close()


def _states(explorer: Explorer) -> list[dict]:
    """Return all that the page knows of the controls: values, ends and options."""
    return [control.get_state() for control in explorer.controls.values()]


def _plain(data):
    """Return data as what can be compared: numbers, words and None, in lists."""
    if isinstance(data, np.ndarray | torch.Tensor):
        return repr(data.tolist())  # nan is nan
    if isinstance(data, str | int | float | None):
        return repr(data)
    if isinstance(data, Mapping):
        return [[_plain(key), _plain(value)] for key, value in data.items()]
    if isinstance(data, list | tuple | set | frozenset):
        return [_plain(part) for part in data]
    return [type(data).__name__, _plain(getattr(data, "__dict__", None))]


@EVERY
def test_closing_leaves_nothing(name):
    """Catches widgets, their layouts, styles, observers and figures that outlive their cell."""
    getattr(explorers, name)().close()  # what is made once, such as a cached surface
    before = set(widgets.widget._instances)
    gc.freeze()  # what there is: only what comes now is looked through, in a tenth of the time
    try:
        explorer = getattr(explorers, name)()
        controls = list(explorer.controls.values())
        assert _figures() == int(hasattr(explorer.drawing, "figure"))  # a drawing of shapes: none
        explorer.close()
        assert set(widgets.widget._instances) == before
        heard = (c._trait_notifiers.get("value", {}).get("change") for c in controls)
        assert not any(heard)
        del explorer, controls
        assert _figures() == 0
    finally:
        gc.unfreeze()


def _figures() -> int:
    gc.collect()
    return sum(type(thing) is Figure for thing in gc.get_objects())


def test_an_unknown_explorer_is_an_attribute_error():
    """Catches a lazy package that hides a typing error in a name."""
    with pytest.raises(AttributeError, match="explore_atlantis"):
        explorers.explore_atlantis  # noqa: B018
