"""The gradients of a walk back are those of the network: autograd, differences, the chain rule."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.analysis.gates.walk import walk_through
from course_utils.analysis.gates.way_back import gradients_on_the_way_back
from tests.analysis.gates.test_walk import SENTENCE, H, small_model

UNIT, NUDGE = 4, 1e-6
MEMORY = {"lstm": "c", "gru": "h"}
PARTS = {"lstm": "ifgoch", "gru": "rznh"}


def memory_at_the_end(model, walk, t: int, name: str, nudge: float) -> float:
    """Return J after one gate or state of one unit was moved by a hair, by the readable loop."""

    def edit(at, step):
        if at != t:
            return None
        moved = getattr(step, name).clone()
        moved[..., UNIT] += nudge
        return step._replace(**{name: moved})

    x = model.embedding(model.vocabulary.encode(walk.words))
    with torch.no_grad():
        steps = model.recurrent.rollout(x, edit=edit)[0]
    return getattr(steps, MEMORY[walk.kind])[-1, UNIT].item()


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_finite_differences_agree(kind):
    """Catches a gate of another unit or word, and the direct path alone sold as the gradient."""
    model = small_model(kind)
    walk = walk_through(model, SENTENCE)
    found = gradients_on_the_way_back(model, walk, UNIT)
    assert set(found) == set(PARTS[kind])
    for name, gradients in found.items():
        assert gradients.shape == (len(walk.words),)
        for t, gradient in enumerate(gradients):
            up, down = (memory_at_the_end(model, walk, t, name, s * NUDGE) for s in (1, -1))
            assert gradient == pytest.approx((up - down) / (2 * NUDGE), abs=1e-8), (name, t)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_the_last_word_answers_to_itself(kind):
    """Catches J taken at another word: its own memory has the gradient 1, its neighbours less."""
    model = small_model(kind)
    walk = walk_through(model, SENTENCE)
    found = gradients_on_the_way_back(model, walk, UNIT)
    assert found[MEMORY[kind]][-1] == 1
    others = gradients_on_the_way_back(model, walk, (UNIT + 1) % H)
    assert not np.allclose(found[MEMORY[kind]][:-1], others[MEMORY[kind]][:-1])


def test_a_model_is_left_as_it_was():
    """Catches gradients, or a flag that asks for them, left on a shipped model's weights."""
    model = small_model("lstm").requires_grad_(requires_grad=False)
    gradients_on_the_way_back(model, walk_through(model, SENTENCE), UNIT)
    assert not any(p.requires_grad or p.grad is not None for p in model.parameters())
