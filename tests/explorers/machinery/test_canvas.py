"""A canvas draws again only what changed, and shows what a figure drawn from nothing would."""

from __future__ import annotations

import pytest

from course_utils.explorers.machinery.canvas import MOST_KEPT, Canvas
from course_utils.plots.style import add_legend, new_figure, style_axes


class Two:
    """Two Axes, each with a line that moves; the right one has a legend and ticks set by hand."""

    def __init__(self):
        self.figure = new_figure(4, 2)
        self.left, self.right = (style_axes(ax) for ax in self.figure.subplots(1, 2))
        self.lines = [ax.plot([0, 1], [0, 1], label="x")[0] for ax in (self.left, self.right)]
        self.right.set_xticks([0, 1], ["a", "b"])
        self.note = self.left.annotate("here", (0.5, 0.5), (0.2, 0.8), arrowprops={})
        self.bar = self.right.bar([0.5], [0.5])[0]
        add_legend(self.right)
        self.moving = (*self.lines, self.note)


CHANGES = {
    "left limits": lambda two: two.left.set_ylim(-3, 3),
    "right limits": lambda two: two.right.set_xlim(-30, 30),
    "limits turned": lambda two: two.right.invert_yaxis(),
    "scale": lambda two: two.right.set_yscale("symlog"),
    "title": lambda two: two.left.set_title("a title"),
    "title at the left": lambda two: two.left.set_title("a title", loc="left"),
    "title of all": lambda two: two.figure.suptitle("a title"),
    "label": lambda two: two.right.set_ylabel("a label"),
    "ticks": lambda two: two.left.set_xticks([0.25]),
    "ticks with words": lambda two: two.right.set_xticks([0, 1], ["c", "b"]),
    "ticks with long words": lambda two: two.right.set_yticks([0, 1], ["c" * 9, "b"]),
    "legend's words": lambda two: two.right.get_legend().get_texts()[0].set_text("other words"),
    "legend's title": lambda two: two.right.get_legend().set_title("a title"),
    "legend's absence": lambda two: two.right.get_legend().remove(),
    "legend unseen": lambda two: two.right.get_legend().set_visible(False),
    "Axes unseen": lambda two: two.left.set_visible(False),
    "no frame": lambda two: two.left.set_axis_off(),
    "place of a note": lambda two: setattr(two.note, "xy", (0.1, 0.2)),
    "what was not said to move": lambda two: two.bar.set_height(0.7),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_is_drawn_anew(name):
    """Catches a title, a legend, an arrow or an Axes that stays as it was."""
    two = Two()
    canvas = Canvas(two.figure, two.moving)
    before = canvas.scene()
    assert canvas.scene() == before
    CHANGES[name](two)
    after = canvas.scene()
    fresh = Two()
    CHANGES[name](fresh)
    assert after.svg() == Canvas(fresh.figure, fresh.moving).scene().svg()
    assert after != before


def test_only_what_changed_is_drawn_again():
    """Catches a whole figure drawn for every step of a slider."""
    two = Two()
    canvas = Canvas(two.figure, two.lines)
    scenes = [canvas.scene()]
    for height in (0.2, 0.4, 0.6):
        two.lines[1].set_ydata([height, height])
        scenes.append(canvas.scene())
        assert canvas.drawn_again <= 2  # the line, and the note: it may follow something
        assert set(scenes[-1].since(scenes[-2])) == {"parts"}
        assert len(scenes[-1].since(scenes[-2])["parts"]) == 1
    assert len({scene.svg() for scene in scenes}) == 4


def test_the_way_back_finds_the_same_places():
    """Catches axes that jitter: a layout that starts from where the last one ended."""
    two = Two()
    canvas = Canvas(two.figure, two.moving)
    before = canvas.scene()
    two.left.set_ylim(-30000, 30000)  # its labels need more room
    wide = canvas.scene()
    assert two.left.get_position().x0 > 0.1
    two.left.set_ylim(-0.05, 1.05)
    assert canvas.scene() == before != wide


def test_an_axis_that_comes_back_is_remembered(monkeypatch):
    """Catches ticks and letters drawn anew, half of a picture's time, for limits already drawn."""
    two = Two()
    canvas = Canvas(two.figure, two.moving)
    scenes = [canvas.scene()]
    for top in (2, 3):
        two.left.set_ylim(0, top)
        scenes.append(canvas.scene())
    with monkeypatch.context() as patched:
        patched.setattr(type(two.left.yaxis), "draw", None)
        two.left.set_ylim(0, 2)
        assert canvas.scene() == scenes[1]
    for top in range(4, 4 + MOST_KEPT):  # and in the end forgotten
        two.left.set_ylim(0, top)
        canvas.scene()
    two.left.set_ylim(0, 3)
    assert canvas.scene() == scenes[2]
    assert max(map(len, canvas._axes.values())) == MOST_KEPT


def test_a_drawing_that_failed_leaves_no_trace():
    """Catches axes out of place after a title that could not be drawn, and parts left as before."""
    two = Two()
    canvas = Canvas(two.figure, two.moving)
    good = canvas.scene()
    two.lines[0].set_ydata([1, 0])
    two.left.set_title(r"$\nosuchsymbol$")
    with pytest.raises(ValueError, match="nosuchsymbol"):
        canvas.scene()
    two.left.set_title("")
    assert canvas.scene() != good
    two.lines[0].set_ydata([0, 1])
    assert canvas.scene() == good
