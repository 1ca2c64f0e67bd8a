"""Whatever matplotlib draws becomes shapes: none is lost, and none becomes more than it is."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.patches import Circle
from matplotlib.patheffects import withStroke

from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.shapes import Shape, markup
from course_utils.plots.scene.surface import scene_of
from course_utils.plots.scene.tags import elements, tag
from course_utils.plots.style import new_figure

SVG = "{http://www.w3.org/2000/svg}"


def drawn(draw) -> ElementTree.Element:
    """Return what an Axes of 200 x 100 pixels, in the place of data 0 to 2 and 0 to 1, draws."""
    figure = new_figure(2, 1)
    figure.set_layout_engine("none")
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 2), ylim=(0, 1))
    ax.set_axis_off()
    draw(ax)
    return ElementTree.fromstring(scene_of(figure).svg())


def only(root: ElementTree.Element, name: str) -> ElementTree.Element:
    """Return the one element of that name, but for the paper."""
    (found,) = (one for one in root.iter(SVG + name) if one.get("fill") != "#ffffff")
    return found


def test_a_line_lies_where_its_data_are():
    """Catches y upside down, a gap in the data that is bridged, a width in points."""
    root = drawn(lambda ax: ax.plot([0, 1, 1.5, 2], [0, 0.5, np.nan, 1], "C1", linewidth=7.2))
    line = only(root, "path")
    assert line.get("d") == "M0 100L100 50M200 0"
    assert line.get("stroke-width") == "10"
    assert line.get("stroke") == "#ff7f0e"


def test_words_stay_words_and_formulas_become_outlines():
    """Catches letters that cannot be searched, markup from data, and a length that is not told."""
    root = drawn(lambda ax: ax.text(1, 0.5, "a <b> & \u202ec", size=18))
    text = only(root, "text")
    assert text.text == "a <b> & c"
    assert (text.get("x"), text.get("y"), text.get("font-size")) == ("100", "50", "25")
    assert float(text.get("textLength")) == pytest.approx(130, abs=1)
    root = drawn(lambda ax: ax.text(1, 0.5, "$x_1 + x_2$"))
    names = [use.get("href") for use in root.iter(SVG + "use")]
    assert len(names) == 5
    assert len(set(names)) == 4  # x is drawn once
    assert {f"#{path.get('id')}" for path in root.iter(SVG + "path")} >= set(names)


def test_what_only_keeps_room_is_not_written():
    """Catches a letter that nobody sees, read out or found by a search."""
    root = drawn(lambda ax: ax.text(1, 0.5, "A", alpha=0))
    assert not [*root.iter(SVG + "text")]


def test_a_mark_is_drawn_once_and_named_at_every_point():
    """Catches a mark left out at a point, or its outline sent for every point."""
    root = drawn(lambda ax: ax.plot([0, 1, 2], [0, 0.5, 1], "D", color="C0"))
    assert only(root, "marker").find(f"{SVG}path").get("fill") == "#1f77b4"
    (marks,) = (one for one in root.iter(SVG + "path") if one.get("marker-mid"))
    assert marks.get("d") == "M0 100l100 -50 100 -50"


def test_an_image_is_one_pixel_a_cell():
    """Catches cells enlarged in the kernel: bytes that say nothing."""
    root = drawn(lambda ax: ax.imshow(np.eye(3), interpolation="none", extent=(0, 2, 0, 1)))
    image = only(root, "image")
    assert (image.get("width"), image.get("height")) == ("3", "3")
    assert "pixelated" in image.get("style")


def test_a_round_cut_cuts():
    """Catches what a shape that is no rectangle should hide."""
    root = drawn(
        lambda ax: ax.plot([0, 2], [0, 1])[0].set_clip_path(
            Circle((1, 0.5), 0.2, transform=ax.transData)
        )
    )
    cuts = [cut for cut in root.iter(SVG + "clipPath") if cut.find(SVG + "path") is not None]
    assert len(cuts) == 1


@pytest.mark.parametrize("hatch", ["//", "xx", ".."])
def test_a_hatch_lies_on_its_colour(hatch):
    """Catches bars told apart by colour alone."""
    root = drawn(lambda ax: ax.bar([1], [0.5], hatch=hatch, color="C2"))
    paper, lines = only(root, "pattern")
    assert paper.get("fill") == "#2ca02c"
    assert lines.get("d")


def test_a_halo_is_drawn_below_its_letters():
    """Catches a path effect that is lost."""
    halo = [withStroke(linewidth=3, foreground="w")]
    root = drawn(lambda ax: ax.text(1, 0.5, "word", path_effects=halo))
    assert [one.get("stroke") for one in root.iter(SVG + "path")][-2:] == ["#ffffff", None]


def test_shapes_that_look_alike_come_together_only_where_they_follow_each_other():
    """Catches a line drawn over what should hide it."""
    red, blue = (Shape((), f' fill="{name}"', "path", ' d="M0 0"') for name in ("red", "blue"))
    assert markup([red, red, blue]) == (
        '<g fill="red"><path d="M0 0"></path><path d="M0 0"></path></g>'
        '<path fill="blue" d="M0 0"></path>'
    )
    assert markup([red, blue, red]).count("<g") == 0
    assert markup([red, blue, red], order_matters=False).count("<g") == 1


def test_a_row_of_elements_comes_apart():
    """Catches an element cut in two by one inside it, or by a sign in its words."""
    row = [tag("g", tag("g", "a &lt;/g&gt;"), data_key="1"), tag("path", d="M0 0")]
    assert [*elements("".join(row))] == row


def test_only_what_changed_is_sent():
    """Catches the whole picture sent for one part, and an order that is not told."""
    one = Scene(2, 1, {"a": "<g></g>", "b": "<path></path>"}, {})
    assert one.since(one) == {}
    other = one._replace(parts={"a": "<g></g>", "b": "<text></text>"})
    assert other.since(one) == {"parts": {"b": "<text></text>"}}
    fewer = one._replace(parts={"a": "<g></g>"})
    assert fewer.since(one) == {"order": ["a"], "parts": {}}
