"""How long the kernel takes from a moved control to a new picture, for every explorer."""

from __future__ import annotations

import gc
import io
import json
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from course_utils import explorers
from course_utils.explorers.machinery.canvas import Canvas
from tests.benchmarks.measure import Row
from tests.explorers.tour import positions

ALLOWED_MS = 16.0  # a frame of a screen that shows sixty a second
ALLOWED_KB = 6.0
ROUNDS = 2


def rows() -> list[Row]:
    """Return one row an explorer: the median over every control, as a share of what is allowed.

    One thread, as in nearly all lectures: processor time would count a second one's waiting.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        moved = [*map(redraw, explorers.__all__)]
        return [*(row for row, _ in moved), messages([sent for _, sent in moved]), pixels()]
    finally:
        torch.set_num_threads(threads)


def redraw(name: str) -> tuple[Row, list[int]]:
    """Move every control to its ends and back; return CPU time, which other programs do not
    lengthen, and how many bytes each change would send.
    """
    explorer = getattr(explorers, name)()
    taken, sent = [], []
    gc.collect()
    for _ in range(ROUNDS):
        for control in explorer.controls.values():
            for value in (*positions(control), control.value):
                before, draws, start = explorer.image.now, explorer.draws, time.process_time()
                control.value = value
                if explorer.draws > draws:  # a value that was there already draws nothing
                    taken.append(1000 * (time.process_time() - start))
                    sent.append(len(json.dumps(explorer.image.now.since(before)).encode()))
        explorer.reset()
    explorer.close()
    median, worst = statistics.median(taken), max(taken)
    detail = f"{median:.1f} ms of {ALLOWED_MS:.0f}, at most {worst:.1f}; "
    detail += f"{statistics.median(sent) / 1000:.1f} kB"
    return Row(f"{name}, a change of a control", median / ALLOWED_MS, "<= 1", detail), sent


def messages(sent: list[list[int]]) -> Row:
    """Return how much a change sends, in the median of all explorers, as a share."""
    each = [statistics.median(one) / 1000 for one in sent]
    detail = f"{statistics.median(each):.1f} kB of {ALLOWED_KB:.0f}, at most {max(each):.1f}"
    return Row("what a change sends", statistics.median(each) / ALLOWED_KB, "<= 1", detail)


def pixels() -> Row:
    """Draw an explorer's change with Agg as a PNG, and as a scene, in turn."""
    explorer = explorers.explore_gradient_norms()
    canvas, control = explorer.image.canvas, explorer.controls["radius"]
    scene, png, sizes = [], [], []
    for radius in (0.5, 1.2, 0.7, 1.4, 0.6, 1.1):
        before = explorer.image.now
        scene.append(_cpu_ms(lambda radius=radius: setattr(control, "value", radius)))
        png.append(_cpu_ms(lambda: sizes.append(len(as_png(canvas)))))
        sizes[-1] /= len(json.dumps(explorer.image.now.since(before)).encode())
    explorer.close()
    ours, theirs = statistics.median(scene), statistics.median(png)
    detail = f"{ours:.1f} ms against {theirs:.1f}, {statistics.median(sizes):.0f} times the bytes"
    return Row("a picture as Agg's pixels against all of a change", theirs / ours, ">= 1.5", detail)


def as_png(canvas: Canvas) -> bytes:
    """Return a whole picture as matplotlib's pixels."""
    figure, own, file = canvas.figure, canvas.figure.canvas, io.BytesIO()
    pixels = FigureCanvasAgg(figure)
    pixels.draw()
    for artist in canvas.moving:
        artist.draw(pixels.get_renderer())
    Image.fromarray(np.asarray(pixels.buffer_rgba())).save(file, "png", compress_level=1)
    figure.set_canvas(own)
    return file.getvalue()


def _cpu_ms(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return 1000 * (time.process_time() - start)
