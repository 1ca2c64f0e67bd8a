"""A layer of torch.nn that somebody has already, opened: `LSTM.of(layer)`."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

from course_utils.models import GRU, LSTM, Elman

T, B, D, H = 7, 3, 5, 11
KINDS = [(Elman, nn.RNN), (LSTM, nn.LSTM), (GRU, nn.GRU)]
OPTIONS = [
    {},
    {"num_layers": 3, "bidirectional": True, "dropout": 0.4},
    {"bias": False, "batch_first": True},
]


@pytest.mark.parametrize(("ours", "theirs"), KINDS)
@pytest.mark.parametrize("options", OPTIONS)
def test_an_opened_layer_reads_and_shows_what_the_layer_does(ours, theirs, options):
    """Catches an option left behind: layers, directions, biases, the order of the axes."""
    layer = theirs(D, H, **options).double().eval()
    opened = ours.of(layer)
    assert type(opened) is ours
    assert not opened.training
    assert opened.extra_repr() == layer.extra_repr()
    x = torch.randn((B, T, D) if layer.batch_first else (T, B, D), dtype=torch.float64)
    expected, _ = layer(x)
    torch.testing.assert_close(opened(x)[0], expected)
    steps = opened.trace(x)
    assert len(steps) == layer.num_layers * (2 if layer.bidirectional else 1)
    top = torch.cat([step.h for step in steps[-2 if layer.bidirectional else -1 :]], dim=-1)
    torch.testing.assert_close(top.transpose(0, 1) if layer.batch_first else top, expected)


def test_a_relu_stays_a_relu():
    """Catches an Elman network opened with PyTorch's default, tanh."""
    layer = nn.RNN(D, H, nonlinearity="relu")
    assert Elman.of(layer).mode == "RNN_RELU"


@pytest.mark.parametrize(("ours", "theirs"), KINDS)
def test_the_parameters_are_shared(ours, theirs):
    """Catches a copy: a gradient that never reaches the layer, a training that is not seen."""
    layer = theirs(D, H)
    opened = ours.of(layer)
    x = torch.randn(T, B, D)
    opened.trace(x)[0].h.sum().backward()
    assert all(p.grad is not None for p in layer.parameters())
    with torch.no_grad():
        layer.weight_ih_l0.add_(1)
    torch.testing.assert_close(opened(x)[0], layer(x)[0])
    assert ours.of(opened) is not opened, "our own layers can be opened too"


def test_what_cannot_be_opened_is_named():
    """Catches another kind of layer read as if it were this one, and weights that are computed."""
    with pytest.raises(TypeError, match=r"LSTM\.of opens a torch\.nn\.LSTM, not GRU\(5, 11\)"):
        LSTM.of(nn.GRU(D, H))
    with pytest.raises(TypeError, match="another form"):
        LSTM.of(nn.LSTM(D, H, proj_size=4))
    with pytest.raises(TypeError, match="another form"):
        GRU.of(weight_norm(nn.GRU(D, H), "weight_hh_l0"))
