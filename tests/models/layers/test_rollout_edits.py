"""Intervening in a rollout: a change has the effect that the equations give it, no other."""

from __future__ import annotations

import pytest
import torch

from course_utils.models import GRU, LSTM, Elman

T, B, D, H = 7, 3, 5, 11
LAYERS = (Elman, LSTM, GRU)

layers = pytest.mark.parametrize("cls", LAYERS)


def pair(cls, **options):
    """Return a layer and an input in float64."""
    return cls(D, H, **options).double(), torch.randn(T, B, D, dtype=torch.float64)


@layers
def test_an_edit_that_changes_nothing_changes_nothing(cls):
    """Catches a recomputation that is not the step's own: every field set to itself."""
    layer, x = pair(cls)
    expected = layer.rollout(x)[0]
    gates = set(expected._fields) - {"h", "c", "n"}
    for edit in (
        lambda t, step: step,
        lambda t, step: None,
        lambda t, step: step._replace(**{name: getattr(step, name).clone() for name in gates}),
    ):
        for found, field in zip(layer.rollout(x, edit=edit)[0], expected, strict=True):
            torch.testing.assert_close(found, field, atol=1e-14, rtol=1e-14)


@layers
def test_a_batch_of_one_stays_a_batch(cls):
    """Catches an axis that is taken off because it has the length 1."""
    layer, x = pair(cls)
    for found in (layer.trace(x[:, :1]), layer.rollout(x[:, :1])):
        assert {field.shape for field in found[0]} == {(T, 1, H)}


def test_a_clamped_gate_reaches_the_cell():
    """Catches an edit that only changes the record: a closed input gate leaves the cell empty."""
    layer, x = pair(LSTM)
    (step,) = layer.rollout(x, edit=lambda t, step: step._replace(i=torch.zeros_like(step.i)))
    assert (step.i == 0).all()
    assert (step.c == 0).all()
    assert (step.h == 0).all()


def test_an_edit_in_place_counts():
    """Catches a change by assignment that is silently ignored."""
    layer, x = pair(LSTM)

    def keep_all(t, step):
        step.f[:, 4] = 1
        step.i[:, 4] = 0

    state = tuple(torch.randn(1, B, H, dtype=torch.float64) for _ in range(2))
    (step,) = layer.rollout(x, state, edit=keep_all)
    torch.testing.assert_close(step.c[:, :, 4], state[1][:, :, 4].expand(T, B))
    assert not torch.allclose(step.c[-1, :, 5], state[1][0, :, 5])


def test_the_reset_gate_reaches_the_candidate():
    """Catches a clamped r that leaves n as it was; r = 0 hides the old state from n."""
    layer, x = pair(GRU)
    (step,) = layer.rollout(x, edit=lambda t, step: step._replace(r=torch.zeros_like(step.r)))
    W, _, b, _ = (part.chunk(3)[2] for part in layer.weights())
    torch.testing.assert_close(step.n, torch.tanh(x @ W.T + b))


def test_a_candidate_that_is_set_stays_whatever_else_is():
    """Catches an edit of n that is lost once r is edited beside it."""
    layer, x = pair(GRU)
    (step,) = layer.rollout(
        x, edit=lambda t, s: s._replace(r=torch.zeros_like(s.r), n=torch.full_like(s.n, 0.3))
    )
    assert (step.n == 0.3).all()
    assert (step.r == 0).all()


@layers
def test_a_patched_state_carries_on(cls):
    """Catches a patch that the next step does not see: x2 patched with x1's state goes on as x1."""
    layer, x = pair(cls)
    other = torch.cat([torch.randn(4, B, D, dtype=torch.float64), x[4:]])
    (source,) = layer.rollout(x)
    names = {"h", "c"} & set(source._fields)

    def patch(t, step):
        return step._replace(**{n: getattr(source, n)[3] for n in names}) if t == 3 else None

    (patched,) = layer.rollout(other, edit=patch)
    torch.testing.assert_close(patched.h[3:], source.h[3:])
    assert not torch.allclose(layer.rollout(other)[0].h[4:], source.h[4:])


@layers
def test_an_ablated_unit_stays_silent_and_nothing_before_it_changes(cls):
    """Catches an edit that leaks backwards in time, or into another layer than the one named."""
    layer, x = pair(cls, num_layers=2)

    def silence(t, step):
        if t >= 3:
            step.h[:, 2] = 0

    plain, edited = layer.rollout(x), layer.rollout(x, edit={1: silence})
    assert torch.equal(plain[0].h, edited[0].h)
    assert torch.equal(plain[1].h[:3], edited[1].h[:3])
    assert (edited[1].h[3:, :, 2] == 0).all()
    assert not torch.allclose(plain[1].h[4:], edited[1].h[4:])


def test_t_is_the_place_in_the_sequence_in_both_directions():
    """Catches a backward layer that counts t from its own start."""
    layer, x = pair(LSTM, bidirectional=True)

    def silence(t, step):
        return step._replace(h=torch.zeros_like(step.h)) if t == 2 else None

    for step in layer.rollout(x, edit=silence):
        zero = (step.h == 0).flatten(1).all(1)
        assert zero.tolist() == [t == 2 for t in range(T)]


def test_gradients_flow_through_an_edit():
    """Catches a copy that cuts the graph."""
    layer, x = pair(LSTM)
    gain = torch.ones((), dtype=torch.float64, requires_grad=True)
    (step,) = layer.rollout(x, edit=lambda t, s: s._replace(f=s.f * gain))
    (slope,) = torch.autograd.grad(step.h.sum(), gain)
    up, down = (
        layer.rollout(x, edit=lambda t, s, k=k: s._replace(f=s.f * k))[0].h.sum()
        for k in (1 + 1e-6, 1 - 1e-6)
    )
    torch.testing.assert_close(slope, (up - down).detach() / 2e-6, atol=1e-7, rtol=1e-7)


def test_mistakes_get_an_answer():
    """Catches silence where the reader needs to know what to do."""
    layer, x = pair(LSTM)
    with pytest.raises(TypeError, match="_replace"):
        layer.rollout(x, edit=lambda t, step: step.h)
    with pytest.raises(TypeError, match=r"zeros_like\(step\.i\)"):
        layer.rollout(x, edit=lambda t, step: step._replace(i=0.0))
    for nowhere in (1, -1, "l0"):  # an ablation that touches nothing must not pass for one
        with pytest.raises(ValueError, match="no layer and direction"):
            layer.rollout(x, edit={nowhere: lambda t, step: None})
    with pytest.raises(ValueError, match="must stay"):
        layer.rollout(x, edit=lambda t, step: step._replace(i=step.i[:1]))
    with pytest.raises(ValueError, match=r"built for 5"):
        layer.trace(x[..., :3])
    with pytest.raises(ValueError, match=r"give \(h, c\)"):
        layer.trace(x, torch.zeros(1, B, H, dtype=torch.float64))
    with pytest.raises(ValueError, match="dimensions"):
        layer.trace(x[None])
    projected = LSTM(D, H, proj_size=2)
    for run in (projected.trace, projected.rollout):
        with pytest.raises(ValueError, match=r"Linear\(11, 2\)"):
            run(torch.randn(T, B, D))


@layers
def test_what_the_layer_refuses_trace_and_rollout_refuse_as_clearly(cls):
    """Catches an error from deep inside for an empty sequence or another dtype."""
    layer, x = pair(cls)
    state = torch.zeros(1, B, H)
    state = (state, state) if cls is LSTM else state
    for run in (layer.trace, layer.rollout):
        for call, message in (
            (lambda run=run: run(x[:0]), "no steps"),
            (lambda run=run: run(x.float()), r"x\.to\(torch\.float64\)"),
            (lambda run=run: run(x, state), r"state\.to\(torch\.float64\)"),
        ):
            with pytest.raises(ValueError, match=message):
                call()
            with torch.no_grad(), pytest.raises(ValueError, match=message):
                call()
