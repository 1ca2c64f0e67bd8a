"""The unrolled unit shows what has been computed, and computes what autograd does."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from matplotlib.colors import same_color

from course_utils.analysis.language.unrolled import INPUTS, unroll
from course_utils.explorers import explore_unrolled
from course_utils.explorers.language.unrolled import walked_unit
from course_utils.plots.language.unrolled import BACKWARD, FORWARD, UnrolledDrawing


@pytest.mark.parametrize("moment", range(9))
def test_the_graph_shows_what_has_been_computed(moment):
    """Catches a value shown before its time or at another step, an arrow that points wrongly."""
    T, run = len(INPUTS), unroll(0.8, 1.3)
    drawing = UnrolledDrawing(T)
    drawing.show(walked_unit(2 * T - moment, 0.8, 1.3))  # whatever was seen before leaves no trace
    drawing.show(walked_unit(moment, 0.8, 1.3))
    for t in range(1, T + 1):
        i, reached, returned = t - 1, t <= moment, t > 2 * T - moment
        column = slice(3 * i, 3 * i + 3)
        values = [f"{v[i]:.2f}" if reached else "" for v in (run.x, run.h, run.loss)]
        assert [text.get_text() for text in drawing.values[column]] == values
        assert drawing.gradients[i].get_text() == (f"{run.d_h[i]:+.2f}" if returned else "")
        assert drawing.targets[i].get_text() == f"$y_{t}$ = {run.y[i]:.2f}"
        assert drawing.terms[i].get_text() == (f"{run.d_u[i]:+.3f}" if returned else "")
        for node in drawing.nodes[column]:
            assert same_color(node.get_edgecolor(), FORWARD) == (reached and not returned)
            assert same_color(node.get_edgecolor(), BACKWARD) == returned
        starts, ends = np.array([a._posA_posB for a in drawing.arrows[column]]).transpose(1, 0, 2)
        turn = -1 if returned else 1
        assert np.all(turn * (ends - starts)[:2, 1] > 0)  # up with the values, down with gradients
        assert turn * (ends - starts)[2, 0] > 0  # and along the time


@pytest.mark.parametrize("moment", range(9))
def test_the_headline_names_the_step_that_the_walk_has_reached(moment):
    """Catches a headline one step late, or counted from the wrong end on the way back."""
    T, run, drawing = len(INPUTS), unroll(0.8, 1.3), UnrolledDrawing(len(INPUTS))
    drawing.show(walked_unit(moment, 0.8, 1.3))
    forward = [f"Forward: step {t} gives h = {run.h[t - 1]:.2f}" for t in range(1, T + 1)]
    back = [f"Backward: step {t} adds {run.d_u[t - 1]:+.3f} to dJ/du" for t in range(T, 0, -1)]
    expected = [f"One unit over {T} steps, with the same u and w at each", *forward, *back]
    assert drawing.headline.get_text() == expected[moment]


def test_the_words_follow_the_walk():
    """Catches a sum that counts a step twice or leaves one out."""
    T, run = len(INPUTS), unroll(-1.1, 0.7)
    told = []
    for moment in range(2 * T + 1):
        told.append(UnrolledDrawing(T).show(walked_unit(moment, -1.1, 0.7)))
    assert "Nothing has been computed" in told[0]
    assert all(
        f"step {t}:" in told[t] and f"{run.loss[t - 1]:.3f}" in told[t] for t in (1, 2, 3, 4)
    )
    for t in range(1, T + 1):
        assert f"step {t}:" in told[2 * T - t + 1]
        assert f"makes {run.d_u[t - 1 :].sum():+.3f} so far" in told[2 * T - t + 1]
    assert ("later ones" in told[T + 1], "later ones" in told[T + 2]) == (False, True)


def test_the_unrolled_unit_against_autograd():
    """Catches a term of dJ/du at the wrong step, and later losses left out of dJ/dh."""
    x, y = (0.4, -1.2, 0.7, 0.1, 2.0), (1.0, 0.5, -0.3, 0.2, 0.0)
    run = unroll(-1.3, 0.6, x, y, h_0=0.5)
    copies = [torch.tensor(-1.3, dtype=torch.float64, requires_grad=True) for _ in x]
    h, states, total = torch.tensor(0.5, dtype=torch.float64), [], 0
    for u_t, x_t, y_t in zip(copies, x, y, strict=True):
        h = torch.tanh(0.6 * x_t + u_t * h)
        h.retain_grad()
        states.append(h)
        total = total + (h - y_t) ** 2 / 2
    total.backward()
    np.testing.assert_allclose(run.d_u, [u_t.grad for u_t in copies], atol=1e-14)
    np.testing.assert_allclose(run.d_h, [h.grad for h in states], atol=1e-14)
    assert run.loss.sum() == pytest.approx(total.item(), abs=1e-14)


def test_the_table_holds_every_value():
    """Catches a column that repeats its neighbour."""
    explorer = explore_unrolled()
    run, rows = explorer.data, explorer.tabulate(explorer.data).rows
    expected = ((1, 2, 3, 4), run.x, run.y, run.h, run.loss, run.d_h, run.d_u)
    np.testing.assert_array_equal(list(zip(*rows, strict=True)), expected)
    explorer.close()
