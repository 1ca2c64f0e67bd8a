"""Steps, layers, traces and rollouts of the recurrent networks, against torch.nn."""

from __future__ import annotations

import copy
import shutil
import weakref

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.functional import linear
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from course_utils.models import (
    GRU,
    LSTM,
    Elman,
    GRUStep,
    LSTMState,
    LSTMStep,
    State,
    elman_step,
    gru_step,
    lstm_step,
)
from course_utils.models.layers import gate_products_fast
from course_utils.models.layers.gate_products_fast import cells_over_time
from course_utils.models.layers.kinds import KINDS as CELLS

T, B, D, H = 7, 3, 5, 11
KINDS = {"elman": (Elman, nn.RNN), "lstm": (LSTM, nn.LSTM), "gru": (GRU, nn.GRU)}
STEPS = {"elman": elman_step, "lstm": lstm_step, "gru": gru_step}
SHAPES = {
    "plain": {},
    "relu": {"nonlinearity": "relu"},
    "no bias": {"bias": False},
    "stacked": {"num_layers": 2},
    "bidirectional": {"bidirectional": True},
    "stacked bidirectional": {"num_layers": 3, "bidirectional": True},
}
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-6}

kinds = pytest.mark.parametrize("kind", KINDS)
dtypes = pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
CASES = [(kind, s) for kind in KINDS for s in SHAPES if kind == "elman" or s != "relu"]
cases = pytest.mark.parametrize(("kind", "shape"), CASES)
grads = pytest.mark.parametrize("with_grad", [True, False], ids=["grad", "no grad"])


def built(kind, shape="plain", dtype=torch.float64, **more):
    """Return our layer and torch.nn's with the same parameters."""
    options = SHAPES[shape] | more
    ours, theirs = (cls(D, H, **options).to(dtype) for cls in KINDS[kind])
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def state_of(layer, dtype=torch.float64, batch=B):
    """Return a random, non-zero starting state."""
    directions = layer.num_layers * (1 + layer.bidirectional)
    parts = [torch.randn(directions, batch, H, dtype=dtype) for _ in range(2)]
    return tuple(parts) if layer.mode == "LSTM" else parts[0]


def output_of(layer, steps):
    """Return what the layer's forward returns, from its traced steps."""
    return torch.cat([step.h for step in steps[-(1 + layer.bidirectional) :]], dim=-1)


def assert_same_steps(found, expected, tolerance):
    """Compare every field of every layer and direction."""
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        assert type(ours) is type(theirs)
        for name, a, b in zip(ours._fields, ours, theirs, strict=True):
            torch.testing.assert_close(
                a, b, atol=tolerance, rtol=tolerance, msg=lambda m, n=name: f"{n}: {m}"
            )


@kinds
@dtypes
def test_loop_of_steps_is_the_layer(kind, dtype):
    """Catches any error in a step: gate order, a missing bias, h_t for h_{t-1}."""
    ours, theirs = built(kind, dtype=dtype)
    x, state = torch.randn(T, B, D, dtype=dtype), state_of(ours, dtype)
    step = LSTMState(*(s[0] for s in state)) if kind == "lstm" else State(state[0])
    states = []
    for x_t in x:
        step = STEPS[kind](x_t, step, ours.weights())
        states.append(step.h)
    expected, _ = theirs(x, state)
    assert (torch.stack(states) - expected).abs().max() < TOLERANCE[dtype]


@cases
@dtypes
def test_rollout_has_the_layers_values_and_gradients(kind, shape, dtype):
    """Catches a state or a gradient that takes another path than torch.nn's."""
    ours, theirs = built(kind, shape, dtype)
    inputs = [torch.randn(T, B, D, dtype=dtype), state_of(ours, dtype)]
    weight = torch.randn(T, B, H * (1 + ours.bidirectional), dtype=dtype)
    results = []
    for layer, run in (
        (ours, lambda x, s: output_of(ours, ours.rollout(x, s))),
        (ours, lambda x, s: output_of(ours, ours.trace(x, s))),
        (ours, lambda x, s: ours(x, s)[0]),
        (theirs, lambda x, s: theirs(x, s)[0]),
    ):
        x, state = inputs
        leaves = [x, *state] if isinstance(state, tuple) else [x, state]
        leaves = [leaf.clone().requires_grad_() for leaf in leaves]
        output = run(leaves[0], tuple(leaves[1:]) if kind == "lstm" else leaves[1])
        wanted = leaves + list(layer.parameters())
        results.append([output, *torch.autograd.grad((output * weight).sum(), wanted)])
    for result in results[:-1]:
        for found, expected in zip(result, results[-1], strict=True):
            scale = expected.abs().max().clamp(min=1)
            assert (found - expected).abs().max() <= TOLERANCE[dtype] * scale


@cases
@dtypes
@grads
def test_trace_is_rollout(kind, shape, dtype, with_grad):
    """Catches a gate of the fast reading that is not the readable loop's."""
    ours, _ = built(kind, shape, dtype)
    x, state = torch.randn(T, B, D, dtype=dtype), state_of(ours, dtype)
    with torch.set_grad_enabled(with_grad):
        assert_same_steps(ours.trace(x, state), ours.rollout(x, state), TOLERANCE[dtype])
        assert_same_steps(ours.trace(x), ours.rollout(x), TOLERANCE[dtype])


@kinds
@pytest.mark.parametrize("sizes", [(1, 1, 5, 11), (2, 3, 40, 11), (50, 2, 40, 7), (23, 700, 3, 7)])
def test_fast_trace_at_every_size(kind, sizes):
    """Catches a chunk, a block or its remainder that loses a step (wide, long, large batch)."""
    steps, batch, width, hidden = sizes
    layer = KINDS[kind][0](width, hidden).double()
    x = torch.randn(steps, batch, width, dtype=torch.float64)
    with torch.no_grad():
        assert_same_steps(layer.trace(x), layer.rollout(x), 1e-12)


@kinds
def test_fast_trace_without_onednn(kind, monkeypatch):
    """Catches a fallback that nobody ran."""
    layer, x = KINDS[kind][0](D, H), torch.randn(T, B, D)
    with torch.no_grad():
        expected = layer.trace(x)
        monkeypatch.setattr(
            "course_utils.models.layers.gate_products_fast.onednn_takes", lambda x: False
        )
        assert_same_steps(layer.trace(x), expected, 1e-6)


@kinds
@pytest.mark.parametrize(
    ("fast", "frozen", "with_grad", "more"),
    [
        (True, False, False, {}),
        (True, True, True, {}),
        (True, True, True, {"bias": False}),
        (False, False, True, {}),
        (False, False, True, {"bias": False}),
        (False, False, False, {"dtype": torch.bfloat16}),
    ],
    ids=["no grad", "frozen", "frozen, no bias", "grad", "grad, no bias", "bfloat16"],
)
def test_a_trace_is_fast_exactly_where_it_may_be(kind, fast, frozen, with_grad, more, monkeypatch):
    """Catches gradients kept for a frozen layer, the fast path never taken, and 8 bits in place."""
    layer = built(kind, dtype=more.get("dtype", torch.float32), bias=more.get("bias", True))[0]
    layer.requires_grad_(not frozen)
    taken, cell = [], CELLS[layer.mode]
    noted = {
        name: lambda *given, name=name: taken.append(name) or getattr(cell, name)(*given)
        for name in ("gates", "gates_fast")
    }
    monkeypatch.setitem(CELLS, layer.mode, cell._replace(**noted))
    x = torch.randn(T, B, D, dtype=layer.weight_ih_l0.dtype)
    with torch.set_grad_enabled(with_grad):
        layer.trace(x)
        assert taken == ["gates_fast" if fast else "gates"]
        layer.trace(x.requires_grad_())
    assert taken[1:] == ["gates_fast" if fast and not with_grad else "gates"]


class MostAtOnce(TorchDispatchMode):
    """Count the float64 numbers of all tensors that live at once and were not there before."""

    def __init__(self, *before):
        super().__init__()
        self.before = {tensor.untyped_storage().data_ptr() for tensor in before}
        self.made, self.most = [], 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        found = function(*args, **(kwargs or {}))
        self.made += [weakref.ref(t) for t in tree_leaves(found) if isinstance(t, torch.Tensor)]
        alive = [t for made in self.made if (t := made()) is not None]
        rooms = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in alive}
        numbers = sum(size for place, size in rooms.items() if place not in self.before) // 8
        self.most = max(self.most, numbers)
        return found


@kinds
def test_gates_are_made_in_pieces_that_need_little_room(kind):
    """Catches a long text whose gates take twice the memory that they are stored in: besides the
    result there are at most (T, B, H) numbers, and the weights once more."""
    steps, D, H = 90, 13, 7
    layer = KINDS[kind][0](D, H).double().requires_grad_(False)
    x, h = torch.randn(steps, B, D).double(), torch.randn(steps, B, H).double()
    h_0 = torch.randn(B, H).double()
    joined = {"elman": 1, "lstm": 4, "gru": 4}[kind] * H * (D + H + 2)
    result = {"elman": 1, "lstm": 4, "gru": 3}[kind] * steps * B * H
    gates = {"lstm": gate_products_fast._lstm_gates_joined}.get(
        kind, getattr(gate_products_fast, f"{kind}_gates")
    )
    with MostAtOnce(x, h, h_0) as counted:
        gates(x, h, h_0 if kind == "lstm" else State(h_0), layer.weights())
    spare = steps * B * H
    assert result + spare // 2 < counted.most <= result + spare + joined


@kinds
def test_trace_gradients_of_every_field_are_rollouts(kind):
    """Catches a traced gate or cell that is cut from the graph."""
    layer, _ = built(kind, "stacked bidirectional")
    x, state = torch.randn(T, B, D, dtype=torch.float64), state_of(layer)
    for index in range(len(layer.trace(x)[3])):
        weight = torch.randn(T, B, H, dtype=torch.float64)
        found, expected = (
            torch.autograd.grad((run(x, state)[3][index] * weight).sum(), layer.weight_hh_l0)[0]
            for run in (layer.trace, layer.rollout)
        )
        torch.testing.assert_close(found, expected, atol=1e-12, rtol=1e-12)


@kinds
@grads
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("enforce_sorted", [False, True])
def test_packed_ragged_batch(kind, with_grad, bidirectional, enforce_sorted):
    """Catches padding that leaks into a state, and a backward pass that starts on padding."""
    ours, theirs = built(kind, num_layers=2, bidirectional=bidirectional)
    lengths = [7, 5, 2] if enforce_sorted else [2, 7, 5]
    sequences = [torch.randn(length, D, dtype=torch.float64) for length in lengths]
    packed = pack_sequence(sequences, enforce_sorted=enforce_sorted)
    state = state_of(ours)
    expected, _ = pad_packed_sequence(theirs(packed, state)[0])
    with torch.set_grad_enabled(with_grad):
        traced, rolled = ours.trace(packed, state), ours.rollout(packed, state)
    assert_same_steps(traced, rolled, 1e-12)
    torch.testing.assert_close(output_of(ours, traced), expected, atol=1e-12, rtol=1e-12)
    if with_grad:
        weight = torch.randn_like(expected)
        grads = [
            torch.autograd.grad((output * weight).sum(), list(layer.parameters()))
            for output, layer in (
                (output_of(ours, traced), ours),
                (output_of(ours, rolled), ours),
                (expected, theirs),
            )
        ]
        for traced_grad, rolled_grad, true_grad in zip(*grads, strict=True):
            torch.testing.assert_close(traced_grad, true_grad, atol=1e-12, rtol=1e-12)
            torch.testing.assert_close(rolled_grad, true_grad, atol=1e-12, rtol=1e-12)
    short = lengths.index(2)
    assert all((field[2:, short] == 0).all() for step in traced for field in step)


@kinds
def test_carried_state(kind):
    """Catches a trace that starts over: two halves with the state carried are the whole."""
    ours, theirs = built(kind, "stacked")
    x = torch.randn(T, B, D, dtype=torch.float64)
    whole = ours.trace(x)
    _, state = theirs(x[:4])
    for part, run in ((x[4:], ours.trace), (x[4:], ours.rollout)):
        halves = [type(s)(*(field[4:] for field in s)) for s in whole]
        assert_same_steps(run(part, state), halves, 1e-12)


@kinds
def test_batch_first_and_unbatched(kind):
    """Catches time and batch in each other's place: fields are (T, B, H), (T, H) unbatched."""
    ours, theirs = built(kind, "stacked bidirectional", batch_first=True)
    x, state = torch.randn(B, T, D, dtype=torch.float64), state_of(ours)
    expected, _ = theirs(x, state)
    for run in (ours.trace, ours.rollout):
        steps = run(x, state)
        assert steps[0].h.shape == (T, B, H)
        torch.testing.assert_close(output_of(ours, steps).transpose(0, 1), expected)
        alone = run(x[1], tuple(s[:, 1] for s in state) if kind == "lstm" else state[:, 1])
        assert alone[0].h.shape == (T, H)
        torch.testing.assert_close(output_of(ours, alone), expected[1])


@kinds
def test_dropout_between_layers_as_in_torch(kind):
    """Catches dropout on the wrong tensor: rollout draws as trace does, none in eval mode."""
    ours, theirs = built(kind, "stacked", dropout=0.5)
    x = torch.randn(T, B, D, dtype=torch.float64)
    runs = []
    for run in (ours.trace, ours.rollout):
        torch.manual_seed(3)
        runs.append(run(x))
    assert_same_steps(*runs, 1e-12)
    assert not torch.equal(runs[0][1].h, ours.eval().trace(x)[1].h)
    torch.testing.assert_close(ours.trace(x)[1].h, theirs.eval()(x)[0])


@kinds
def test_state_dicts_load_both_ways(kind, tmp_path):
    """Catches a parameter or buffer of our own; saved and loaded without pickling."""
    ours, theirs = built(kind, "stacked bidirectional")
    assert list(ours.state_dict()) == list(theirs.state_dict())
    save_file(theirs.state_dict(), tmp_path / "layer.safetensors")
    fresh, _ = built(kind, "stacked bidirectional")
    fresh.load_state_dict(load_file(tmp_path / "layer.safetensors"))
    x = torch.randn(T, B, D, dtype=torch.float64)
    assert torch.equal(fresh(x)[0], theirs(x)[0])
    theirs.load_state_dict(fresh.state_dict())


@kinds
@pytest.mark.filterwarnings("ignore:The .grad attribute:UserWarning")  # Dynamo looks at .grad
def test_deepcopy_and_compile(kind):
    """Catches state that a copy shares, and code that torch.compile cannot follow."""
    ours, _ = built(kind, "stacked")
    x = torch.randn(T, B, D, dtype=torch.float64)
    twin = copy.deepcopy(ours)
    with torch.no_grad():
        twin.weight_hh_l0.zero_()
    assert not torch.equal(twin(x)[0], ours(x)[0])
    torch.compiler.reset()
    compiled = torch.compile(ours, backend="eager")
    assert torch.equal(compiled(x)[0], ours(x)[0])
    traced = torch.compile(ours.trace, backend="eager")
    assert_same_steps(traced(x), ours.trace(x), 1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning")  # inductor's own imports
@pytest.mark.skipif(shutil.which("g++") is None, reason="torch.compile needs a C++ compiler")
def test_trace_compiles_to_machine_code(tmp_path, monkeypatch):
    """Catches an operation that torch.compile's default backend refuses, as it does oneDNN's."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    layer, x = LSTM(D, H), torch.randn(3, B, D)
    torch.compiler.reset()
    with torch.no_grad():
        assert_same_steps(torch.compile(layer.trace)(x), layer.trace(x), 1e-6)


@kinds
@grads
def test_meta_device(kind, with_grad):
    """Catches a tensor made on the CPU by accident: on `meta`, mixing devices is an error."""
    with torch.device("meta"):
        layer = KINDS[kind][0](D, H, num_layers=2, bidirectional=True)
        x = torch.randn(T, B, D)
        lengths = [7, 5, 2]
    packed = pack_sequence([x[:length, 0] for length in lengths])
    with torch.set_grad_enabled(with_grad), torch.autocast("cpu", dtype=torch.bfloat16):
        for data in (x, packed):
            for run in (
                layer.trace,
                layer.rollout,
                lambda x: layer.rollout(x, edit=lambda t, s: s),
            ):
                fields = [field for step in run(data) for field in step]
                assert {(f.device.type, f.shape) for f in fields} == {("meta", (T, B, H))}


@kinds
@grads
def test_bfloat16_autocast(kind, with_grad):
    """Catches a product in float32 or a type clash under autocast."""
    layer, x = KINDS[kind][0](D, H, num_layers=2), torch.randn(T, B, D)
    expected = layer.rollout(x)
    with torch.set_grad_enabled(with_grad), torch.autocast("cpu", dtype=torch.bfloat16):
        for run in (layer.trace, layer.rollout):
            steps = run(x)
            for ours, exact in zip(steps, expected, strict=True):
                for a, b in zip(ours, exact, strict=True):
                    assert a.device == x.device
                    torch.testing.assert_close(a.float(), b, atol=0.05, rtol=0.05)
            assert steps[0][-1].dtype == torch.bfloat16


def test_block_recursion_is_the_plain_one():
    """Catches a block that forgets what it inherits, or the steps after the last whole block."""
    for steps in (1, 2, 3, 10, 23, 100):
        f, written = torch.rand(2, steps, B, H, dtype=torch.float64)
        c_0, expected = torch.randn(B, H, dtype=torch.float64), []
        c = c_0
        for f_t, w_t in zip(f, written, strict=True):
            c = f_t * c + w_t
            expected.append(c)
        torch.testing.assert_close(cells_over_time(f, written, c_0), torch.stack(expected))


# The classic mistakes: each must be far outside the tolerance of the tests above, or those tests
# could not have seen it.


def swapped_gates(x_t, prev, weights):
    """Take PyTorch's i f g o for i f o g."""
    W, U, b, b_U = weights
    a = linear(x_t, W, b) + linear(prev.h, U, b_U)
    i, f, o, g = a.chunk(4, -1)
    i, f, o, g = i.sigmoid(), f.sigmoid(), o.sigmoid(), g.tanh()
    c = f * prev.c + i * g
    return LSTMStep(o * c.tanh(), c, i, f, g, o)


def forget_and_input_swapped(x_t, prev, weights):
    """Erase with the input gate and write with the forget gate."""
    step = lstm_step(x_t, prev, weights)
    c = step.i * prev.c + step.f * step.g
    return step._replace(c=c, h=step.o * c.tanh())


def second_bias_missing(step):
    """Return a step that forgets PyTorch's bias_hh."""
    return lambda x_t, prev, weights: step(x_t, prev, weights._replace(b_U=None))


def reset_before_product(x_t, prev, weights):
    """Reset the state before U, as Cho et al. write, where PyTorch resets after it."""
    right = gru_step(x_t, prev, weights)
    W, U, b, b_U = (part.chunk(3)[2] for part in weights)
    n = torch.tanh(linear(x_t, W, b) + linear(right.r * prev.h, U, b_U))
    return GRUStep((1 - right.z) * n + right.z * prev.h, right.r, right.z, n)


def update_gate_inverted(x_t, prev, weights):
    """Let z take the new state, as Cho et al. write, where PyTorch keeps the old one."""
    right = gru_step(x_t, prev, weights)
    return right._replace(h=right.z * right.n + (1 - right.z) * prev.h)


def new_state_for_old(step):
    """Return a step that uses h_t where h_{t-1} belongs."""

    def wrong(x_t, prev, weights):
        return step(x_t, prev._replace(h=step(x_t, prev, weights).h), weights)

    return wrong


MISTAKES = {
    "gate order": ("lstm", swapped_gates),
    "input and forget gate": ("lstm", forget_and_input_swapped),
    "second bias, lstm": ("lstm", second_bias_missing(lstm_step)),
    "second bias, gru": ("gru", second_bias_missing(gru_step)),
    "second bias, elman": ("elman", second_bias_missing(elman_step)),
    "reset before the product": ("gru", reset_before_product),
    "update gate inverted": ("gru", update_gate_inverted),
    "h_t for h_{t-1}, lstm": ("lstm", new_state_for_old(lstm_step)),
    "h_t for h_{t-1}, gru": ("gru", new_state_for_old(gru_step)),
    "h_t for h_{t-1}, elman": ("elman", new_state_for_old(elman_step)),
}


@pytest.mark.parametrize("way", ["forward", "trace", "rollout"])
def test_what_is_no_sequence_or_no_state_is_named(way):
    """Catches: AttributeError, IndexError and oneDNN's own words for a learner's slip."""
    layer, x, h = LSTM(3, 5), torch.randn(7, 2, 3), torch.zeros(1, 2, 5)
    run = getattr(layer, way)
    with pytest.raises(TypeError, match=r"x is a list: give a tensor"):
        run(x.tolist())
    with pytest.raises(ValueError, match=r"an LSTM carries two: give \(h, c\)"):
        run(x, h)
    with pytest.raises(ValueError, match=r"state is torch.float64, but the layer's weights are"):
        run(x, (h, h.double()))
    with pytest.raises(ValueError, match=r"state is torch.float64"):
        getattr(GRU(3, 5), way)(x, h.double())
    run(x, (h, h))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_classic_mistakes_are_visible(mistake):
    """Catches sizes or numbers at which a classic mistake would pass for the truth."""
    kind, wrong = MISTAKES[mistake]
    ours, theirs = built(kind)
    x, state = torch.randn(T, B, D, dtype=torch.float64), state_of(ours)
    step = LSTMState(*(s[0] for s in state)) if kind == "lstm" else State(state[0])
    for x_t in x:
        step = wrong(x_t, step, ours.weights())
    assert (step.h - theirs(x, state)[0][-1]).abs().max() > 1e-3
