"""Encoders, pooling, taggers and classifiers: right in both directions, blind to padding."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_utils.models.elmo.options import Options
from course_utils.models.tagging import (
    DIRECTIONS,
    POOLINGS,
    Batch,
    Classifier,
    Encoder,
    Pooling,
    Tagger,
)
from course_utils.settings import IGNORED

LENGTHS = torch.tensor([4, 7, 1])
B, T, D, H = 3, 7, 5, 6
SPELLING = Options(3, 4, 1, ((1, 2), (2, 3)))
recurrent = pytest.mark.parametrize("direction", [d for d in DIRECTIONS if d != "window"])
every_direction = pytest.mark.parametrize("direction", DIRECTIONS)
every_pooling = pytest.mark.parametrize("pooling", POOLINGS)


@pytest.fixture(autouse=True)
def float64():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(8)
    yield
    torch.set_default_dtype(torch.float32)


def numbers(*shape):
    return torch.randn(*shape)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize(("cell", "kind"), [("lstm", nn.LSTM), ("gru", nn.GRU)])
def test_both_directions_are_torchs_bidirectional_layer_on_packed_input(layers, cell, kind):
    """Catches a backward direction that starts in the padding, and layers joined wrongly."""
    whole = kind(D, H // 2, layers, bidirectional=True, batch_first=True)
    encoder = Encoder(D, H, layers, cell, "both")
    encoder.load_halves(whole)
    x = numbers(B, T, D).requires_grad_()
    weight = numbers(B, T, H)
    packed = pack_padded_sequence(x, LENGTHS, batch_first=True, enforce_sorted=False)
    wanted, _ = pad_packed_sequence(whole(packed)[0], batch_first=True)
    found = encoder(x, LENGTHS)
    assert torch.allclose(found, wanted, atol=1e-12)
    (gradient,) = torch.autograd.grad((wanted * weight).sum(), x)
    (own,) = torch.autograd.grad((found * weight).sum(), x)
    assert torch.allclose(own, gradient, atol=1e-12)


def more_padding(batch, by=3):
    """Return the batch with more padding, filled with what must not be read."""

    def wider(part, value):
        if part is None:
            return None
        return torch.cat([part, part.new_full((B, by, *part.shape[2:]), value)], dim=1)

    labels = batch.labels
    if labels is not None and labels.dim() == 2:
        labels = wider(labels, IGNORED)
    return batch._replace(tokens=wider(batch.tokens, 2), vectors=wider(batch.vectors, 9.0),
                          late=wider(batch.late, 7.0), places=wider(batch.places, 1),
                          labels=labels)  # fmt: skip


def a_batch(tagging=True):
    labels = torch.randint(4, (B, T)) if tagging else torch.randint(4, (B,))
    batch = Batch(LENGTHS, torch.randint(11, (B, T)), numbers(B, T, 2), numbers(B, T, 3),
                  torch.randint(1, 255, (8, 5)), torch.randint(8, (B, T)), labels)  # fmt: skip
    return batch._replace(labels=labels.masked_fill(~batch.mask, IGNORED)) if tagging else batch


def sizes(direction, **more):
    return {"words": 11, "width": 5, "hidden": H, "layers": 2, "direction": direction,
            "spelling": SPELLING, "given": 2, "late": 3, "dropout": 0.4, **more}  # fmt: skip


def values_and_gradients(model, batch):
    model.zero_grad()
    torch.manual_seed(3)  # the same dropout: its masks may not depend on T
    loss = model.loss(batch)
    loss.backward()
    return loss.detach(), [p.grad.clone() for p in model.parameters()]


@every_direction
def test_padding_changes_no_word_and_no_gradient_of_a_tagger(direction):
    """Catches a state, a window, a dropout mask or a loss that knows how long the others are."""
    model, batch = Tagger(4, **sizes(direction)), a_batch()
    wide = more_padding(batch)
    short, long = model.eval()(batch)[batch.mask], model(wide)[wide.mask]
    assert torch.allclose(short, long, rtol=0, atol=1e-12)
    model.train()
    loss, gradients = values_and_gradients(model, batch)
    other, others = values_and_gradients(model, wide)
    assert torch.allclose(loss, other, atol=1e-12)
    for one, two in zip(gradients, others, strict=True):
        assert torch.allclose(one, two, atol=1e-12)


@every_pooling
@every_direction
def test_padding_changes_no_answer_and_no_gradient_of_a_classifier(direction, pooling):
    """Catches a mean over T, a maximum of padding, attention to it, a last step behind the end."""
    if pooling == "last" and direction == "window":
        pytest.skip("a window has no last state")
    late = 0 if pooling == "last" else 3
    model = Classifier(4, pooling=pooling, **sizes(direction, late=late))
    batch = a_batch(tagging=False)
    wide = more_padding(batch)
    loss, gradients = values_and_gradients(model, batch)
    other, others = values_and_gradients(model, wide)
    assert torch.allclose(loss, other, atol=1e-12)
    for one, two in zip(gradients, others, strict=True):
        assert torch.allclose(one, two, atol=1e-12)
    weights = model.eval().read(wide).weights
    assert torch.allclose(weights.sum(dim=1), torch.ones(B))
    assert not weights[~wide.mask].any()


@recurrent
def test_each_direction_sees_its_side_only(direction):
    """Catches directions that are swapped: by the gradient of one word with respect to all."""
    encoder = Encoder(D, H, 2, "lstm", direction)
    x = numbers(1, T, D).requires_grad_()
    h = encoder(x, torch.tensor([T]))
    (gradient,) = torch.autograd.grad(h[0, 3].sum(), x)
    seen = gradient[0].abs().sum(dim=-1) > 0
    before, after = seen[:3].all().item(), seen[4:].all().item()
    assert (before, after) == (direction != "backward", direction != "forward")
    assert seen[:3].any().item() == before
    assert seen[4:].any().item() == after


def test_a_window_sees_two_words_on_either_side():
    """Catches a baseline that sees more or less than the lecture says."""
    x = numbers(1, 9, D).requires_grad_()
    h = Encoder(D, H, direction="window")(x, torch.tensor([9]))
    (gradient,) = torch.autograd.grad(h[0, 4].sum(), x)
    seen = (gradient[0].abs().sum(dim=-1) > 0).nonzero()[:, 0].tolist()
    assert seen == [2, 3, 4, 5, 6]


@every_pooling
def test_pooling_is_what_a_loop_over_sentences_gives(pooling):
    """Catches a mask on the wrong side: every sentence is pooled alone, at its own length."""
    pool, h = Pooling(pooling, H), numbers(B, T, H)
    vectors = pool(h, LENGTHS).vectors
    for row, length in enumerate(LENGTHS.tolist()):
        words = h[row, :length]
        if pooling == "mean":
            wanted = words.sum(dim=0) / length
        elif pooling == "max":
            wanted = torch.stack([column.max() for column in words.T])
        elif pooling == "last":
            wanted = torch.cat([words[-1, : H // 2], words[0, H // 2 :]])
        else:
            score = torch.tanh(words @ pool.look.weight.T + pool.look.bias) @ pool.score.weight[0]
            a = score.exp() / score.exp().sum()
            wanted = sum(a_t * h_t for a_t, h_t in zip(a, words, strict=True))
        assert torch.allclose(vectors[row], wanted, atol=1e-12)


def test_variational_dropout_takes_a_feature_from_the_whole_sentence():
    """Catches dropout drawn anew at every step, and one that forgets to scale."""
    encoder = Encoder(D, H, dropout=0.5)
    x = encoder.dropout(torch.ones(40, T, D))
    assert torch.equal(x, x[:, :1].expand_as(x))
    assert set(x.unique().tolist()) == {0.0, 2.0}
    assert len({tuple(row.tolist()) for row in x[:, 0]}) > 5
    assert torch.equal(encoder.eval().dropout(x), x)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: Encoder(D, H, direction="sideways"), "direction"),
        (lambda: Encoder(D, 7), "odd"),
        (lambda: Pooling("median", H), "median"),
        (lambda: Tagger(4), "needs words"),
        (lambda: Tagger(4, words=3)(Batch(LENGTHS, vectors=numbers(B, T, 2))), "token numbers"),
        (lambda: Tagger(4, given=3)(Batch(LENGTHS, vectors=numbers(B, T, 2))), "2 wide"),
        (lambda: Tagger(4, words=3, late=2)(Batch(LENGTHS, torch.zeros(B, T).long())), "late"),
    ],
)
def test_what_does_not_fit_is_said(wrong, says):
    """Catches an error deep inside torch where a sentence could help."""
    with pytest.raises(ValueError, match=says):
        wrong()
