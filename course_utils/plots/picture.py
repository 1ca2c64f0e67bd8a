"""Show a figure in a notebook, never without words for those who cannot see it."""

from __future__ import annotations

import base64
import html
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.surface import scene_of
from course_utils.plots.svg import Sketch

# Pictures are drawn dark on white. In a dark theme (Lab, VS Code, Colab) the page inverts them;
# the hue rotation brings every colour back to itself, only lighter.
DARK_THEMES = '[data-jp-theme-light="false"], .vscode-dark, html[theme="dark"]'
STYLE = (
    f":is({DARK_THEMES}) .course-picture{{filter:invert(0.93) hue-rotate(180deg)}}"
    ".course-picture{max-width:100%;height:auto}"
)


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that an Axes stands in."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("these Axes were taken out of their figure")
    return figure


class Plot(NamedTuple):
    """What every `plot_*` returns: a figure, and what it shows in words made from its data."""

    figure: Figure
    words: str

    @property
    def ax(self) -> Axes:
        """Return the figure's first Axes."""
        return self.figure.axes[0]


def picture_html(scene: Scene, words: str) -> str:
    """Return an image that needs no file, with its alt text."""
    data = base64.b64encode(scene.svg(words).encode()).decode()
    return (
        f'<img class="course-picture" alt="{html.escape(words)}" width="{scene.width}" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


class Picture:
    """A finished drawing as a notebook shows it: shapes, alt text, right in light and dark."""

    def __init__(self, scene: Scene, words: str):
        self.scene, self.words = scene, with_words(words)

    def __repr__(self) -> str:
        return f"[picture: {self.words}]"

    def _repr_html_(self) -> str:
        return f"<style>{STYLE}</style>{picture_html(self.scene, self.words)}"

    def _repr_svg_(self) -> str:
        return self.scene.svg(self.words)  # for pages that show no HTML


def show(plot: Plot | Sketch) -> Picture:
    """Return what a notebook displays for a plot."""
    scene = plot.scene if isinstance(plot, Sketch) else scene_of(plot.figure)
    return Picture(scene, plot.words)


def with_words(words: str) -> str:
    """Return the words of a picture; refuse one that says nothing."""
    if not isinstance(words, str) or not words.strip():
        raise ValueError("this picture has no words: return what it shows, made from its data")
    return words
