"""A latch set by hand: how tightly its gates must close."""

from __future__ import annotations

import numpy as np
import torch

from course_utils.analysis.gates.highway import direct_path
from course_utils.analysis.gates.latch import distracted_bit, latch
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import packed, twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gates.latch import MOST_STEPS, LatchDrawing, LatchedBit

RUNS = 8  # each with distractors of its own


def explore_latch() -> Explorer:
    """Let the reader close the gates of a latch as tightly as the distractors demand."""
    controls = {
        "bit": choice("the bit to keep", [0, 1], 1),
        "strength": slider("weights of the gates", 1.0, 20.0, 12.0, 0.5),
        "noise": slider("size of the distractors", 0.0, 3.0, 1.0, 0.1),
        "steps": slider("steps to keep it", 100, MOST_STEPS, MOST_STEPS, 100),
    }
    return Explorer(
        "How tightly must the gates close to keep one bit?",
        controls,
        story_of_a_latch,
        LatchDrawing(),
        tabulate_latch,
        twin=twin_of_chart(
            "latch",
            LatchDrawing,
            lambda: (story_of_a_latch(bit, 12.0, 1.0, 500 + 500 * bit) for bit in (0, 1)),
            controls,
            lambda: {
                "gap": LatchDrawing().names.gap,
                "noise": packed(_distractors(1, 1.0)[..., 0]),
            },
        ),
    )


def story_of_a_latch(bit: int, strength: float, noise: float, steps: int) -> LatchedBit:
    """Run one latch on several streams of distractors."""
    (step,) = latch(strength).trace(_distractors(bit, noise)[: 1 + steps])
    cells = step.c[..., 0].numpy()
    kept = cells[0, 0] * direct_path(step.f[1:, 0, 0]).numpy()  # the bit decays from step 1 on
    right = int((np.sign(cells[-1]) == 2 * bit - 1).sum())
    held = step.f[-1, 0, 0].item(), step.i[-1, 0, 0].item()
    return LatchedBit(np.arange(steps + 1), cells, kept, right, *held)


def _distractors(bit: int, noise: float) -> torch.Tensor:
    """Return the same distractors however long they are watched."""
    return distracted_bit(bit, MOST_STEPS, noise, RUNS)


def tabulate_latch(story: LatchedBit) -> Table:
    """Return the cells at some twenty steps."""
    some = slice(None, None, max(1, len(story.steps) // 20))
    columns = (story.steps, story.kept, *story.cells.T[:3])
    headers = ("step", "kept by f alone", "cell 1", "cell 2", "cell 3")
    return Table(headers, list(zip(*(column[some] for column in columns), strict=True)))
