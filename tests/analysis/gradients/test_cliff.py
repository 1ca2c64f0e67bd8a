"""Clipping, the cliff of the one-unit network and the iterated map."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from course_utils.analysis.gradients.activations import ACTIVATIONS
from course_utils.analysis.gradients.cliff import cliff_lipschitz, descend, loss_cliff, step_changes
from course_utils.analysis.gradients.clipping import clip_by_norm
from course_utils.analysis.gradients.iterated_map import iterate_map


def flat(tensors) -> torch.Tensor:
    return torch.cat([t.flatten() for t in tensors])


@pytest.mark.parametrize("threshold", [1e-3, 0.5, 4.0])
def test_clipping_keeps_the_direction_and_bounds_the_length(threshold):
    """Catches each tensor clipped by itself, and values clipped instead of the norm."""
    gradients = [torch.randn(7, 3).double(), 40 * torch.randn(5).double()]
    before = [g.clone() for g in gradients]
    clipped = clip_by_norm(gradients, threshold)
    assert flat(clipped).norm().item() == pytest.approx(threshold, rel=1e-12)
    cosine = torch.cosine_similarity(flat(clipped), flat(gradients), dim=0)
    assert cosine.item() == pytest.approx(1, abs=1e-12)
    assert all(torch.equal(a, b) for a, b in zip(before, gradients, strict=True))


def test_a_short_gradient_is_left_alone():
    """Catches every gradient scaled to the threshold, the short ones up."""
    gradients = [torch.tensor([0.3, -0.4])]
    assert torch.equal(clip_by_norm(gradients, 0.5)[0], gradients[0])
    assert torch.equal(clip_by_norm(gradients, 2.0)[0], gradients[0])
    assert torch.equal(clip_by_norm([torch.zeros(3)], 1.0)[0], torch.zeros(3))


def test_parameters_give_their_gradients_as_torch_clips_them():
    """Catches the weights clipped in place of their gradients."""
    layer = nn.Linear(5, 3).double()
    (100 * layer(torch.randn(7, 5).double())).square().sum().backward()
    clipped = clip_by_norm(layer.parameters(), 0.7)
    assert flat(p.grad for p in layer.parameters()).norm() > 0.7
    nn.utils.clip_grad_norm_(layer.parameters(), 0.7)
    for p, c in zip(layer.parameters(), clipped, strict=True):
        torch.testing.assert_close(c, p.grad, rtol=1e-5, atol=0)  # torch divides by norm + 1e-6


@pytest.mark.parametrize(("dtype", "size"), [(torch.float32, 3e30), (torch.float64, 3e200)])
def test_an_exploded_gradient_can_still_be_clipped(dtype, size):
    """Catches a norm whose squares overflow, so that the step becomes 0 or NaN."""
    gradient = size * torch.tensor([1.0, -2.0, 2.0], dtype=dtype)
    expected = torch.tensor([1.0, -2.0, 2.0], dtype=dtype) / 3
    torch.testing.assert_close(clip_by_norm([gradient], 1.0)[0], expected)


def test_what_cannot_be_clipped_is_told_what_to_pass():
    """Catches NaN spread over the weights, and rows of one tensor taken for a list."""
    good = torch.ones(3)
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="skip this step"):
            clip_by_norm([good, torch.tensor([bad])], 1.0)
    with pytest.raises(TypeError, match=r"\[gradient\]"):
        clip_by_norm(good, 1.0)
    for threshold in (0, -1.0, math.nan):
        with pytest.raises(ValueError, match="above 0"):
            clip_by_norm([good], threshold)
    with pytest.raises(ValueError, match="nothing to clip"):
        clip_by_norm([], 1.0)
    with pytest.raises(ValueError, match="backward"):
        clip_by_norm([nn.Parameter(good)], 1.0)
    with pytest.raises(TypeError, match=r"not torch\.int64"):
        clip_by_norm([torch.arange(3)], 1.0)
    with pytest.raises(ValueError, match="meta"):
        clip_by_norm([torch.ones(3, device="meta")], 1.0)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("steps", [1, 6])
def test_the_cliff_and_its_gradient_are_a_one_unit_layers(activation, steps):
    """Catches the new state used where dh/dw needs the old one, and one step too many."""
    w = torch.tensor([0.8, -1.1, 1.4], dtype=torch.float64).requires_grad_()
    b = torch.tensor([0.3, -0.2], dtype=torch.float64).requires_grad_()
    found = loss_cliff(w[:, None], b, steps=steps, start=0.55, target=0.35, activation=activation)
    assert found.loss.shape == found.d_w.shape == found.d_b.shape == (3, 2)
    for i in range(3):
        for j in range(2):
            h = torch.tensor(0.55, dtype=torch.float64)
            for _ in range(steps):
                h = ACTIVATIONS[activation].function(w[i] * h + b[j])
            loss = (h - 0.35) ** 2
            d_w, d_b = torch.autograd.grad(loss, (w, b))
            torch.testing.assert_close(found.loss[i, j], loss.detach(), rtol=1e-12, atol=1e-12)
            torch.testing.assert_close(found.d_w[i, j], d_w[i], rtol=1e-10, atol=1e-12)
            torch.testing.assert_close(found.d_b[i, j], d_b[j], rtol=1e-10, atol=1e-12)


def test_there_is_a_cliff():
    """Catches a surface without its wall: the gradient must differ by many powers of ten."""
    w, b = torch.linspace(3, 7, 321)[:, None], torch.linspace(-4, -1, 321)
    norms = loss_cliff(w, b).gradient_norm
    assert norms.max() > 1e4 * norms.median()


def test_clipped_and_unclipped_descent_part_at_the_wall():
    """Catches a threshold that is not used, and a path of another length than asked."""
    free = descend(4.5, -2.0, 0.5, 30)
    clipped = descend(4.5, -2.0, 0.5, 30, threshold=0.2)
    assert all(len(column) == 31 for column in (*free, *clipped))
    assert torch.hypot(free.w.diff(), free.b.diff()).max() > 1
    assert torch.hypot(clipped.w.diff(), clipped.b.diff()).max().item() == pytest.approx(0.1)
    assert clipped.gradient_norm.max() > 1
    gradient = loss_cliff(free.w[0], free.b[0])
    torch.testing.assert_close(free.w[1], free.w[0] - 0.5 * gradient.d_w)
    torch.testing.assert_close(free.b[1], free.b[0] - 0.5 * gradient.d_b)


def test_many_walks_at_once_are_the_single_ones():
    """Catches starts and thresholds paired wrongly, and one ended path that ends the others."""
    w, b = torch.tensor([[4.5], [4.9], [4.7]]), torch.tensor([[-2.0], [-2.1], [-2.4]])
    many = descend(w, b, 0.5, 4, threshold=torch.tensor([0.2, math.inf]))
    assert many.loss.shape == (5, 3, 2)
    for i in range(3):
        for j, threshold in enumerate((0.2, None)):
            alone = descend(w[i, 0].item(), b[i, 0].item(), 0.5, 4, threshold)
            for column, expected in zip(many, alone, strict=True):
                torch.testing.assert_close(column[:, i, j], expected, rtol=1e-5, atol=1e-9)
    clipped = descend(3.0, 1.0, 10.0, 12, torch.tensor([0.01, math.inf]), activation="linear")
    assert clipped.loss[-1].isnan().tolist() == [False, True]
    with pytest.raises(ValueError, match="above 0"):
        descend(3.0, 1.0, 0.1, 5, threshold=0.0)


def test_a_path_that_explodes_ends_as_nan():
    """Catches an exception, or numbers after the end, when a linear unit leaves the numbers."""
    path = descend(3.0, 1.0, 10.0, 12, activation="linear")
    assert path.loss[0].isfinite()
    assert path.w[-1].isnan()


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_iterated_map_and_its_slope_are_autograds(activation):
    """Catches the slope of the last step alone, and the points missing as depth 0."""
    points = torch.tensor([-1.3, 0.2, 0.9], dtype=torch.float64).requires_grad_()
    found = iterate_map(points, -1.7, 0.4, 5, activation)
    assert found.values.shape == found.slopes.shape == (6, 3)
    value = points
    for depth in range(6):
        expected = torch.autograd.grad(value.sum(), points, retain_graph=True)[0]
        torch.testing.assert_close(found.values[depth], value.detach())
        torch.testing.assert_close(found.slopes[depth], expected)
        value = ACTIVATIONS[activation].function(-1.7 * value + 0.4)


def test_bad_depth_and_weights_are_told_what_to_pass():
    """Catches an empty result that a plot would draw as nothing."""
    with pytest.raises(ValueError, match="at least once"):
        iterate_map(torch.zeros(2), 1.0, 0.0, 0)
    with pytest.raises(TypeError, match=r"points\.double\(\)"):
        iterate_map(torch.arange(2), 1.0, 0.0, 3)
    with pytest.raises(ValueError, match="at least one"):
        loss_cliff(1.0, 1.0, steps=0)
    with pytest.raises(ValueError, match="finite numbers"):
        loss_cliff(math.nan, 1.0)


@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
def test_lipschitz_bound_holds_even_on_the_wall(activation):
    """Catches a series one term short, the bias forgotten beside the weight, a too small target."""
    for steps, w in [(1, 0.3), (6, 2.0), (50, 5.0)]:
        h = torch.linspace(-0.9, 0.9, 4001, dtype=torch.float64)
        b = torch.atanh(h) - w * h if activation == "tanh" else torch.logit(h.abs()) - w * h.abs()
        b = b[b.isfinite()]
        for start in (0.0, 0.62, 1.0):  # at start = 1 and target = 0 the series is nearly reached
            for target in (0.0, 0.7):
                unit = {"steps": steps, "target": target, "activation": activation}
                found = loss_cliff(w, b, start=start, **unit).gradient_norm.max()
                assert found <= cliff_lipschitz(w, **unit)


def test_lipschitz_bound_is_near_where_it_can_be():
    """Catches a bound that is far too large, or a state of 1 forgotten: one step, a far target."""
    unit = {"steps": 1, "target": -100.0, "activation": "tanh"}
    b = torch.linspace(-2, 1, 3001)
    found = loss_cliff(0.5, b, start=1.0, **unit).gradient_norm.max()
    assert 0.98 < found / cliff_lipschitz(0.5, **unit) < 1
    with pytest.raises(ValueError, match="sigmoid or tanh"):
        cliff_lipschitz(1.0, activation="relu")


@pytest.mark.parametrize("threshold", [None, 0.01])
def test_step_changes_are_those_of_descent(threshold):
    """Catches the bound made with the unclipped length, and the loss taken at one end twice."""
    w, b = 3 + 3 * torch.rand(7).double(), -4 + 3 * torch.rand(7).double()
    found = step_changes(w, b, 0.5, threshold)
    for i in range(7):
        path = descend(w[i].item(), b[i].item(), 0.5, 1, threshold)
        assert found.change[i].item() == pytest.approx(abs(path.loss.diff().item()))
        length = path.gradient_norm[0].item()
        assert found.length[i].item() == pytest.approx(min(length, threshold or math.inf))
    assert (found.change <= found.bound).all()
    torch.testing.assert_close(found.bound, found.lipschitz * 0.5 * found.length)
    assert (found.lipschitz >= cliff_lipschitz(w)).all()
