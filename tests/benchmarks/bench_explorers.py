"""How long the kernel takes from a moved control to a new picture, for every explorer."""

from __future__ import annotations

import gc
import io
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from course_utils import explorers
from course_utils.explorers.machinery.controls import positions
from course_utils.plots.lettering import LetteringCanvas
from course_utils.plots.picture import encode_png
from tests.benchmarks.measure import Row

ALLOWED_MS = 50.0
ROUNDS = 2


def rows() -> list[Row]:
    """Return one row an explorer: the median over every control, as a share of what is allowed.

    One thread, as in nearly all lectures: processor time would count a second one's waiting.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return [*map(redraw, explorers.__all__), png_against_pillow(), remembered_letters()]
    finally:
        torch.set_num_threads(threads)


def redraw(name: str) -> Row:
    """Move every control to its ends and back; CPU time, which other programs do not lengthen."""
    explorer = getattr(explorers, name)()
    taken = []
    gc.collect()
    for _ in range(ROUNDS):
        for control in explorer.controls.values():
            for value in (*positions(control), control.value):
                start = time.process_time()
                control.value = value
                taken.append(1000 * (time.process_time() - start))
        explorer.reset()
    taken = [ms for ms in taken if ms > 0.5]  # a value that was there already draws nothing
    explorer.close()
    median, worst = statistics.median(taken), max(taken)
    detail = f"{median:.1f} ms of {ALLOWED_MS:.0f}, at most {worst:.1f}"
    return Row(f"{name}, a change of a control", median / ALLOWED_MS, "<= 1", detail)


def png_against_pillow() -> Row:
    """Encode one explorer's picture with our writer and with Pillow's, both at level 1, in turn."""
    explorer = explorers.explore_highway()
    pixels = np.asarray(explorer.drawing.figure.canvas.buffer_rgba()).copy()
    explorer.close()
    image = Image.fromarray(pixels)
    ways = (
        lambda: encode_png(pixels),
        lambda: image.save(io.BytesIO(), "png", compress_level=1),
    )
    ours, theirs = map(min, zip(*([_cpu_ms(way) for way in ways] for _ in range(15)), strict=True))
    detail = f"{ours:.1f} ms against {theirs:.1f}"
    return Row("Pillow against our PNG writer", theirs / ours, ">= 2", detail)


def remembered_letters() -> Row:
    """Draw an explorer's words with the letters remembered, and as matplotlib draws them."""
    explorer = explorers.explore_sentence()
    figure, moving = explorer.drawing.figure, explorer.drawing.moving
    explorer.close()
    taken = []
    for canvas in (LetteringCanvas, FigureCanvasAgg):
        canvas(figure).draw()  # sets the renderer that the words are drawn with
        taken.append(min(_cpu_ms(lambda: [art.axes.draw_artist(art) for art in moving])
                         for _ in range(15)))  # fmt: skip
    ours, plain = taken
    detail = f"{ours:.1f} ms against {plain:.1f}"
    return Row("matplotlib's letters against remembered ones", plain / ours, ">= 2", detail)


def _cpu_ms(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return 1000 * (time.process_time() - start)
