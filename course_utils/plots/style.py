"""One look for every picture: palette, line styles, sizes readable from the back of a room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from course_utils.plots.scene.surface import Surface

# After Okabe and Ito's colour-blind safe set (2008), the light ones darkened until they read as
# thin lines on white. Text and axes use INK.
INK = "#333333"
FAINT = "#9a9a9a"
PAPER = "#ffffff"
BLUE, ORANGE, GREEN, RED = "#0072b2", "#d27e00", "#00875f", "#c04f00"
PURPLE, SKY, YELLOW = "#a8557f", "#3a93c8", "#a08c00"
CRIMSON, TEAL, VIOLET = "#b3123f", "#008b95", "#6a3fb5"  # told apart by their line styles too
BROWN, NAVY = "#74451c", "#27346b"

# Magnitudes: small ones near the paper, large ones far from it. That stays true on a dark page,
# which inverts pictures.
SEQUENCE = "viridis_r"
DIVERGING = "PuOr_r"  # signed values, white at zero

FONT_SIZE = 13
WIDTH, HEIGHT = 8.0, 3.4  # inches
PAGE_PIXELS = 100  # an inch
LEAST_CONTRAST = 4.5  # of letters on paper: WCAG 2, level AA


def contrast(colour: str, paper: str = PAPER) -> float:
    """Return how far a colour stands out, 1 to 21, as the WCAG define it."""
    low, high = sorted(_luminance(np.array(to_rgb(each))) for each in (colour, paper))
    return (high + 0.05) / (low + 0.05)


def _luminance(rgb: np.ndarray) -> float:
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


@dataclass(frozen=True)
class Look:
    """A colour that never comes alone: the line style and hatch tell the same in grey."""

    colour: str
    line: str | tuple[object, ...]
    hatch: str

    def line_style(self) -> dict[str, Any]:
        """Return the keywords for `Axes.plot`."""
        return {"color": self.colour, "linestyle": self.line, "linewidth": 2.2}

    @property
    def ink(self) -> str:
        """Return the colour for letters, which need more contrast than lines do."""
        ink = self.colour
        while contrast(ink) < LEAST_CONTRAST:
            r, g, b = to_rgb(ink)
            ink = to_hex((0.95 * r, 0.95 * g, 0.95 * b))
        return ink


LOOKS = {
    # gates and states, the same in every lecture
    "i": Look(GREEN, "-", "//"),
    "f": Look(RED, "--", "\\\\"),
    "o": Look(PURPLE, "-.", "xx"),
    "g": Look(YELLOW, ":", ".."),
    "c": Look(BLUE, "-", ""),
    "h": Look(SKY, (0, (5, 1)), "--"),
    "z": Look(RED, "--", "\\\\"),
    "r": Look(GREEN, "-", "//"),
    "n": Look(YELLOW, ":", ".."),
    # networks, in colours that no gate has
    "elman": Look(ORANGE, "-", "//"),
    "gru": Look(BROWN, "--", "\\\\"),
    "lstm": Look(NAVY, "-.", "xx"),
    # activations, in colours that no gate and no network has
    "tanh": Look(INK, "-", ""),
    "sigmoid": Look(CRIMSON, "--", "//"),
    "relu": Look(TEAL, "-.", "\\\\"),
    "linear": Look(VIOLET, ":", ".."),
    # roles: what was measured, what theory allows, what to compare with
    "measured": Look(BLUE, "-", ""),
    "bound": Look(RED, "--", "//"),
    "reference": Look(FAINT, ":", ""),
}

NETWORKS = {"elman": "Elman", "gru": "GRU", "lstm": "LSTM"}  # their names in pictures


def look(name: str) -> Look:
    """Return the look of a gate, a network or a role; for an unknown name, list the known ones."""
    if name not in LOOKS:
        raise ValueError(f"nothing is drawn as {name!r}: choose one of {', '.join(LOOKS)}")
    return LOOKS[name]


def new_figure(width: float = WIDTH, height: float = HEIGHT) -> Figure:
    """Return a figure of its own, outside pyplot's list: it is freed when nobody holds it."""
    figure = Figure(figsize=(width, height), dpi=PAGE_PIXELS, layout="constrained", facecolor=PAPER)
    Surface(figure)
    return figure


def keep_places(
    figure: Figure, left: float, bottom: float, right: float, top: float, **between: float
) -> None:
    """Give a figure's Axes places that stay: no data move them, nothing is laid out anew."""
    figure.set_layout_engine(None)
    figure.subplots_adjust(left, bottom, right, top, **between)


def new_axes(width: float = WIDTH, height: float = HEIGHT) -> Axes:
    """Return one styled Axes in a figure of its own."""
    return style_axes(new_figure(width, height).add_subplot())


def style_axes(ax: Axes) -> Axes:
    """Give an Axes the course's look."""
    ax.set_facecolor(PAPER)
    ax.grid(True, color=FAINT, alpha=0.3, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(INK)
    ax.tick_params(labelsize=FONT_SIZE - 1, colors=INK)
    for label in (ax.xaxis.label, ax.yaxis.label, ax.title):
        label.set_fontsize(FONT_SIZE)
        label.set_color(INK)
    return ax


def add_headline(ax: Axes) -> Text:
    """Add the line above an Axes that says what is seen; it moves with the data."""
    ax.set_title("A", alpha=0, fontsize=FONT_SIZE + 5)  # keeps the room
    return ax.text(
        0, 1.03, "", transform=ax.transAxes, size=FONT_SIZE + 1, weight="bold", color=INK,
        va="bottom", in_layout=False,
    )  # fmt: skip


def head_figure(figure: Figure, headline: str) -> None:
    """Write above all of a figure what is seen."""
    figure.suptitle(headline, x=0.01, ha="left", size=FONT_SIZE + 1, weight="bold", color=INK)


def add_level(ax: Axes, height: float, label: str) -> None:
    """Mark a height that curves are compared with, and say at the right end what it is."""
    ax.axhline(height, color=INK, linewidth=1)
    ax.annotate(
        label, (1, height), (-4, 3), xycoords=ax.get_yaxis_transform(),
        textcoords="offset points", ha="right", va="bottom", size=FONT_SIZE - 1, color=INK,
    )  # fmt: skip


def add_legend(ax: Axes, **options: Any) -> None:
    """Add a legend that needs no frame and hides little of what lies behind it."""
    options = {"frameon": True, "framealpha": 0.85, "edgecolor": "none", **options}
    ax.legend(fontsize=FONT_SIZE - 1, labelcolor=INK, **options)


def add_colour_bar(image: ScalarMappable, ax: Axes, label: str, place: Axes | None = None) -> None:
    """Add the scale of an image's colours beside its Axes, or in Axes of its own."""
    bar = ax.figure.colorbar(image, ax=None if place else ax, cax=place)
    bar.set_label(label, size=FONT_SIZE, color=INK)
    bar.ax.tick_params(labelsize=FONT_SIZE - 1, colors=INK)
