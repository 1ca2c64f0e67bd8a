"""The one-unit networks of lectures 00 and 01 against finite differences and plain iteration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_utils.analysis.language.unrolled import unroll
from course_utils.analysis.start import heard_until, states_after_a_pulse


def test_the_terms_of_the_walk_back_add_up_to_the_slope_of_the_loss():
    """Catches a slope taken at the wrong step, or h_t where h_{t-1} belongs."""
    u, w, h_0, step = 0.7, -1.3, 0.4, 1e-6
    up, down = (unroll(u + side, w, h_0=h_0).loss.sum() for side in (step, -step))
    assert unroll(u, w, h_0=h_0).d_u.sum() == pytest.approx((up - down) / (2 * step), abs=1e-9)


def test_the_gradient_of_a_state_counts_its_own_loss_and_every_later_one():
    """Catches a walk back that forgets the loss of the step itself, or the way through u."""
    u, w, step = 1.4, 0.9, 1e-6
    inputs, targets = (0.3, -0.2, 0.5), (0.1, 0.4, -0.3)
    run = unroll(u, w, inputs, targets)

    def loss_from(h_1: float) -> float:
        h, total = h_1, (h_1 - targets[0]) ** 2 / 2
        for x, y in zip(inputs[1:], targets[1:], strict=True):
            h = math.tanh(w * x + u * h)
            total += (h - y) ** 2 / 2
        return total

    slope = (loss_from(run.h[0] + step) - loss_from(run.h[0] - step)) / (2 * step)
    assert run.d_h[0] == pytest.approx(slope, abs=1e-9)


def test_an_echo_is_the_iterated_tanh_and_its_end_is_the_last_loud_step():
    """Catches the pulse at the wrong step, and an end counted one step off."""
    states = states_after_a_pulse(0.5, pulse=1.0, steps=20)
    assert states[0] == 0
    assert states[1] == pytest.approx(math.tanh(1.0))
    assert states[2] == pytest.approx(math.tanh(0.5 * math.tanh(1.0)))
    loud, last = np.abs(states) > 0.1 * states[1], heard_until(states)
    assert loud[last]
    assert not loud[last + 1 :].any()


@pytest.mark.parametrize(("weight", "pulse", "expected"), [(1.5, 1.0, None), (0.9, 0.0, 0)])
def test_an_echo_that_never_fades_or_never_was(weight, pulse, expected):
    """Catches an end invented for a pulse that stays, or a crash without a pulse."""
    assert heard_until(states_after_a_pulse(weight, pulse, steps=30)) == expected
