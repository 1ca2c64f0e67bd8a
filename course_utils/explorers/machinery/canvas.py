"""Turn a persistent figure into a scene, drawing again only what changed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Annotation
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter

from course_utils.plots.scene.recorder import Part
from course_utils.plots.scene.scene import Scene
from course_utils.plots.scene.surface import recorder_of, scene_of

STEP = 4  # pixels: labels that need as much room, to this, share one layout
MOST_KEPT = 16  # drawings of one axis: limits that move in steps come back to where they were


class Drawn(NamedTuple):
    """What an artist drew, and what that depends on beside the artist itself."""

    depends: tuple[object, ...]
    part: Part


class Canvas:
    """One persistent figure, its moving artists and what every artist has drawn.

    An artist draws again when it was changed, or when its Axes was: limits, scales, ticks, labels,
    titles, legends, whether it is visible. Nobody has to remember to ask. Moving artists are drawn
    above all others.
    """

    def __init__(self, figure: Figure, moving: Iterable[Artist]):
        self.figure = figure
        self.moving = dict.fromkeys(moving)  # in their order
        for artist in self.moving:
            artist.set_animated(True)
        self.recorder = recorder_of(figure)
        self._places = [ax.get_position(original=True).frozen() for ax in figure.axes]
        self._layouts: dict[tuple[Any, ...], list[Any]] = {}
        # that have found their place without a layout
        self._titles: dict[Axes, tuple[object, ...]] = {}
        self._rooms: dict[Axis, deque[tuple[object, ...]]] = {}  # what each axis needed lately
        self._frames: tuple[object, ...] | None = None
        self._drawn: dict[str, Drawn] = {}
        self._axes: dict[Axis, deque[Drawn]] = {}  # what each axis drew lately
        self.drawn_again = 0  # artists, by the last picture

    def scene(self) -> Scene:
        """Return the picture as it is now."""
        frames = {ax: _frame(ax) for ax in self.figure.axes}
        if self._frames != (self.figure.get_suptitle(), frames):
            self._frames = None  # if the layout fails, the next picture must try again
            self._lay_out()
            self._frames = self.figure.get_suptitle(), frames
        self._around = {ax: (ax.bbox.bounds, frame) for ax, frame in frames.items()}
        self.drawn_again = 0
        last, self._drawn = self._drawn, {}  # if drawing fails, everything is drawn anew
        self._drawn = {
            name: self._draw(artist, ax, last.get(name)) for name, artist, ax in self._artists()
        }
        return scene_of(self.figure, {name: one.part for name, one in self._drawn.items()})

    def _draw(self, artist: Artist, ax: Axes | None, last: Drawn | None) -> Drawn:
        """Return what an artist draws, from memory where nothing has changed."""
        depends = self._surroundings(artist, ax)
        known: Iterable[Drawn] = () if last is None else (last,)
        if isinstance(artist, Axis):  # which is called stale when only its old limits are
            known = self._axes.setdefault(artist, deque(maxlen=MOST_KEPT))
        elif artist.stale or isinstance(artist, Annotation):  # whose place may move unnoticed
            known = ()
        for drawn in known:
            if drawn.depends == depends:
                return drawn
        part = self.recorder.part(artist.draw, order_matters=not isinstance(artist, Axis))
        self.drawn_again += bool(part.svg)  # a text without letters draws nothing, again and again
        drawn = Drawn(depends, part)
        if isinstance(artist, Axis):
            self._axes[artist].append(drawn)
        return drawn

    def _surroundings(self, artist: Artist, ax: Axes | None) -> tuple[object, ...]:
        """Return what a drawing depends on beside its artist: its Axes, or one axis of it."""
        if ax is None:
            return ()
        place, frame = self._around[ax]
        return place, (frame[isinstance(artist, XAxis)] if isinstance(artist, Axis) else frame)

    def _artists(self) -> Iterator[tuple[str, Artist, Axes | None]]:
        """Yield every artist in the order of drawing, by a name that it keeps, and its Axes."""
        yield "figure", self.figure.patch, None
        others = [child for child in self.figure.get_children() if child is not self.figure.patch]
        for place, child in sorted(enumerate(others), key=lambda item: item[1].get_zorder()):
            if isinstance(child, Axes):
                yield from ((f"{place}.{name}", part, child) for name, part in _parts_of(child))
            elif not child.get_animated():
                yield f"{place}", child, None
        for place, artist in enumerate(self.moving):
            if artist.axes is None or artist.axes.get_visible():
                yield f"moving{place}", artist, cast("Axes | None", artist.axes)

    def _lay_out(self) -> None:
        """Put every Axes where its labels have room; the same labels find the same places."""
        self._put(self._places)
        engine = self.figure.get_layout_engine()
        if engine is None:
            for ax in self.figure.axes:
                if self._titles.get(ax) != _titles(ax):
                    ax.get_tightbbox(self.recorder)  # puts them above what is at the top
                    self._titles[ax] = _titles(ax)
        else:
            needs = (self.figure.get_suptitle(), *(self._room(ax) for ax in self.figure.axes))
            if needs in self._layouts:
                self._put(self._layouts[needs])
            else:
                engine.execute(self.figure)
                places = [ax.get_position(original=True).frozen() for ax in self.figure.axes]
                self._layouts[needs] = places
        for ax in self.figure.axes:
            locate: Any = ax.get_axes_locator()
            ax.apply_aspect(locate(ax, self.recorder) if locate else None)

    def _put(self, places: list[Any]) -> None:
        # The layout engine starts from where it left off, and ends a hair elsewhere: without this
        # the axes would jitter, and the same values would not always give the same picture.
        for ax, place in zip(self.figure.axes, places, strict=True):
            ax.set_position(place)
            ax.set_in_layout(True)  # set_position takes it out

    def _room(self, ax: Axes) -> tuple[object, ...]:
        """Return all that decides how much room an Axes needs around it."""
        if not ax.get_visible():
            return ()
        inner, room = np.array(ax.bbox.extents), []
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            known, state = self._rooms.setdefault(axis, deque(maxlen=MOST_KEPT)), _axis(axis)
            if state not in (there for there, _ in known):
                box = axis.get_tightbbox(self.recorder, for_layout_only=True)
                around = () if box is None else tuple(((box.extents - inner) // STEP).tolist())
                known.append((state, around))
            room.append(next(around for there, around in known if there == state))
        return *room, *_titles(ax), _legend(ax.get_legend())


def _parts_of(ax: Axes) -> Iterator[tuple[str, Artist]]:
    """Yield what an Axes draws, lowest first, but for what moves."""
    if not ax.get_visible():
        return
    framed = ax.axison and ax.get_frame_on()
    if framed:
        yield "paper", ax.patch
    left_out: set[Artist] = {ax.patch}
    if not framed:
        left_out.update(ax.spines.values())
    if not ax.axison:
        left_out |= {ax.xaxis, ax.yaxis}
    children = [*enumerate(ax.get_children())]
    for place, child in sorted(children, key=lambda item: item[1].get_zorder()):
        if child not in left_out and not child.get_animated():
            yield f"{place}", child


def _frame(ax: Axes) -> tuple[object, ...]:
    """Return all of an Axes that an explorer may change and its artists depend on."""
    shown = ax.get_visible(), ax.axison, ax.get_frame_on()
    return _axis(ax.yaxis), _axis(ax.xaxis), *shown, *_titles(ax), _legend(ax.get_legend())


def _titles(ax: Axes) -> tuple[object, ...]:
    titles = (ax.get_title(place) for place in ("left", "center", "right"))
    return *titles, ax.get_xlabel(), ax.get_ylabel()


def _axis(axis: Axis) -> tuple[object, ...]:
    """Return limits, scale and label, and ticks set by hand, such as the tokens of a sentence."""
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    ticks = list(locator()) if isinstance(locator, FixedLocator) else []
    words: list[Any] = []
    if isinstance(formatter, FixedFormatter):
        words = list(formatter.seq)
    elif isinstance(formatter, FuncFormatter):  # what set_xticks(ticks, labels) makes
        words = formatter.format_ticks(ticks)
    limits = tuple(axis.get_view_interval())
    return limits, axis.get_inverted(), axis.get_scale(), axis.get_label_text(), ticks, words


def _legend(legend: Legend | None) -> tuple[object, ...] | None:
    if legend is None:
        return None
    texts = [text.get_text() for text in (legend.get_title(), *legend.get_texts())]
    return legend.get_visible(), tuple(texts)
