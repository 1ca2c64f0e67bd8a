"""Changes that arrive in several threads: none is lost, none is drawn over by an older one."""

from __future__ import annotations

import random
import threading
import time

import pytest

from course_utils.explorers.machinery import explorer as explorer_module
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.style import new_figure, style_axes

ROUNDS, CHANGES, LONGEST_WAIT = 250, 2, 0.03  # of two controls: 1,000 changes


class PointDrawing:
    """One point, whose picture nobody else's values give."""

    def __init__(self):
        self.figure = new_figure(3, 2)
        ax = style_axes(self.figure.add_subplot())
        ax.set(xlim=(-1, 101), ylim=(-1, 101))
        (self.point,) = ax.plot([], [], "o")
        self.moving = (self.point,)

    def show(self, data):
        """Draw the point."""
        self.point.set_data([data[0]], [data[1]])
        return f"a point at {data}"


def point_explorer(compute=lambda x, y: (x, y)) -> Explorer:
    """Return an explorer of a point."""
    return Explorer(
        "a point",
        {"x": slider("x", 0, 100, 0, 1), "y": slider("y", 0, 100, 0, 1)},
        compute,
        PointDrawing(),
        lambda data: Table(("x", "y"), [data]),
    )


def test_two_threads_always_end_on_the_last_values():
    """Catches a change lost because it came while the other thread was drawing.

    A lost change heals with the next one, so each round is short and every end is looked at.
    """
    explorer, fresh = point_explorer(), point_explorer()
    chance = random.Random(3)
    for hurry in range(ROUNDS):  # the first in no time, the last as slowly as keys are pressed
        longest = LONGEST_WAIT * (hurry / (ROUNDS - 1)) ** 2
        plans = {
            name: [(chance.uniform(0, longest), chance.randint(0, 100)) for _ in range(CHANGES)]
            for name in explorer.controls
        }
        threads = [threading.Thread(target=change, args=(explorer, *p)) for p in plans.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        last = tuple(plan[-1][1] for plan in plans.values())
        assert explorer.data == last
        assert explorer.words.value == f"a point at {last}"
        if hurry % 10 == 0:
            for name, value in zip(fresh.controls, last, strict=True):
                fresh.controls[name].value = value
            assert explorer.image.value == fresh.image.value
    explorer.close()
    fresh.close()


def change(explorer: Explorer, name: str, plan: list[tuple[float, int]]) -> None:
    """Move one control as planned."""
    for wait, value in plan:
        time.sleep(wait)
        explorer.controls[name].value = value


def test_a_failure_is_told_only_while_it_holds(monkeypatch):
    """Catches the error of an older value shown beside the picture of a newer one."""
    monkeypatch.setattr(explorer_module, "answering_the_page", lambda: True)
    failing, may_fail = threading.Event(), threading.Event()

    def compute(x, y):
        if x == 1 and y == 0:
            failing.set()
            may_fail.wait(10)
            raise ValueError("there is nothing at 1")
        return x, y

    explorer = point_explorer(compute)
    first = threading.Thread(target=setattr, args=(explorer.controls["x"], "value", 1))
    first.start()
    assert failing.wait(10)
    second = threading.Thread(target=setattr, args=(explorer.controls["y"], "value", 7))
    second.start()
    may_fail.set()
    first.join()
    second.join()
    assert explorer.data == (1, 7)
    assert explorer.error.value == ""
    explorer.close()


@pytest.mark.parametrize("name", ["x", "y"])
def test_what_is_drawn_already_is_not_drawn_again(name):
    """Catches a second picture for the thread that had to wait, with the same values."""
    explorer = point_explorer()
    draws = explorer.draws
    explorer.controls[name].value = 5
    explorer._on_change(None)
    assert explorer.draws == draws + 1
    explorer.close()
