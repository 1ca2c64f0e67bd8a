"""Know whether a picture may be drawn before it is asked for, and how long it stays right.

A page that shows pictures drawn ahead (`page/ahead.js`) trusts that nothing but controls has moved
since. Explorers only compute; a cell, or a widget of the reader's own, may change the very model
that they show. So whatever else the kernel does takes all those pictures away.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Protocol
from weakref import WeakSet

import ipywidgets as widgets
from IPython import get_ipython

from course_utils.explorers.machinery.reruns import addressed_widget

LONGEST = 0.04  # seconds of computing that a key or a cell may have to wait for


class Forgetful(Protocol):
    """What shows pictures that may be wrong from now on."""

    def forget(self) -> None: ...


_screens: WeakSet[Any] = WeakSet()  # whose pages keep pictures
_own: set[str] = set()  # the widgets of explorers
_elsewhere: set[int] = set()  # threads that do something else now
_hears = False


def belongs_to_an_explorer(family: Iterable[widgets.Widget]) -> None:
    """Note widgets whose messages change nothing but an explorer's picture."""
    global _hears
    _own.update(widget.model_id for widget in family if widget.comm is not None)
    shell = get_ipython()
    if shell is not None and not _hears:
        shell.events.register("pre_execute", _begin)
        shell.events.register("post_execute", _end)
        _hears = True


def is_closed(family: Iterable[widgets.Widget]) -> None:
    """Forget widgets that nobody can move any more."""
    _own.difference_update(widget.model_id for widget in family if widget.comm is not None)


def keeps_pictures(screen: Forgetful) -> None:
    """Note a screen whose page keeps what it is sent."""
    _screens.add(screen)


def may_look_ahead(seconds: float) -> bool:
    """Return whether a picture that takes so long may be drawn before it is asked for."""
    return seconds <= LONGEST and not _elsewhere


def _begin() -> None:
    thread = threading.get_ident()
    if addressed_widget() in _own:
        _elsewhere.discard(thread)  # whatever it did before has failed without an end
        return
    _elsewhere.add(thread)
    _forget()


def _end() -> None:
    thread = threading.get_ident()
    if thread in _elsewhere:
        _elsewhere.discard(thread)
        _forget()  # what another thread has drawn meanwhile, too


def _forget() -> None:
    while _screens:
        _screens.pop().forget()
