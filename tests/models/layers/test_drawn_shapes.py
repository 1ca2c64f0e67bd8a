"""Steps, layers, traces and rollouts of any shape that Hypothesis draws, against torch.nn."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pack_sequence

from course_utils.models import GRU, LSTM, Elman, LSTMState, State, elman_step, gru_step, lstm_step

KINDS = {
    "elman": (Elman, nn.RNN, elman_step),
    "lstm": (LSTM, nn.LSTM, lstm_step),
    "gru": (GRU, nn.GRU, gru_step),
}
EXACT = {"rtol": 0, "atol": 1e-12}


def built(kind, D, H, **options):
    """Return our layer and torch.nn's with the same parameters."""
    ours, theirs = (cls(D, H, **options).double() for cls in KINDS[kind][:2])
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def random_state(layer, B):
    """Return a state to start from, as torch.nn wants it."""
    rows = layer.num_layers * (1 + layer.bidirectional)
    parts = torch.randn(2, rows, B, layer.hidden_size, dtype=torch.float64)
    return (parts[0], parts[1]) if layer.mode == "LSTM" else parts[0]


sizes = st.integers(1, 7)
kinds = st.sampled_from([*KINDS])


def test_a_loop_of_steps_is_the_layer_at_any_size(drawing):
    """Catches: a size of 1 that is broadcast, a batch taken for time, a bias that must be there."""

    @drawing(kinds, sizes, sizes, sizes, sizes, st.booleans(), cases=40)
    def _(kind, T, B, D, H, bias):
        ours, theirs = built(kind, D, H, bias=bias)
        x, start = torch.randn(T, B, D, dtype=torch.float64), random_state(ours, B)
        expected, last = theirs(x, start)
        is_lstm = kind == "lstm"
        prev = LSTMState(start[0][0], start[1][0]) if is_lstm else State(start[0])
        for t in range(T):
            prev = KINDS[kind][2](x[t], prev, ours.weights())
            torch.testing.assert_close(prev.h, expected[t], **EXACT)
        if is_lstm:
            torch.testing.assert_close(prev.c, last[1][0], **EXACT)


def test_traces_and_rollouts_are_the_layer_at_any_size(drawing):
    """Catches: sizes at which chunks, blocks, layers or directions are cut or joined wrongly."""
    shapes = st.fixed_dictionaries(
        {
            "num_layers": st.integers(1, 3),
            "bidirectional": st.booleans(),
            "batch_first": st.booleans(),
            "bias": st.booleans(),
        }
    )

    @drawing(kinds, st.integers(1, 20), sizes, sizes, sizes, shapes, st.booleans(), cases=40)
    def _(kind, T, B, D, H, shape, with_grad):
        ours, theirs = built(kind, D, H, **shape)
        x, start = torch.randn(T, B, D, dtype=torch.float64), random_state(ours, B)
        given = x.transpose(0, 1) if shape["batch_first"] else x
        with torch.set_grad_enabled(with_grad):
            expected = theirs(given, start)[0]
            expected = expected.transpose(0, 1) if shape["batch_first"] else expected
            for found in (ours.trace(given, start), ours.rollout(given, start)):
                assert len(found) == shape["num_layers"] * (1 + shape["bidirectional"])
                assert {field.shape for step in found for field in step} == {(T, B, H)}
                top = [step.h for step in found[-(1 + shape["bidirectional"]) :]]
                torch.testing.assert_close(torch.cat(top, dim=-1), expected, **EXACT)


def test_packed_sequences_of_any_lengths(drawing):
    """Catches: a state read on padding, and rows that come back in the order of their lengths."""
    lengths = st.lists(st.integers(1, 9), min_size=1, max_size=6)

    @drawing(kinds, lengths, sizes, sizes, st.booleans(), cases=40)
    def _(kind, lengths, D, H, bidirectional):
        ours, theirs = built(kind, D, H, bidirectional=bidirectional)
        rows = [torch.randn(length, D, dtype=torch.float64) for length in lengths]
        packed = pack_sequence(rows, enforce_sorted=False)
        for found in (ours.trace(packed), ours.rollout(packed)):
            h = torch.cat([step.h for step in found], dim=-1)
            for number, row in enumerate(rows):
                alone = theirs(row)[0]
                torch.testing.assert_close(h[: len(row), number], alone, **EXACT)
                assert not h[len(row) :, number].any(), "padding is not zero"
