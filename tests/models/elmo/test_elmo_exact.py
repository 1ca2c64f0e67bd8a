"""The whole model against a float64 reference that was written from the format's text."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from course_utils.models.elmo import (
    OFFICIAL,
    BiLM,
    Options,
    PackedBiLM,
    ProjectedLSTM,
    batch_to_ids,
    count_parameters,
)
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.encoder import CharacterEncoder, Highway
from course_utils.models.elmo.state import zero_state
from course_utils.models.layers.products import onednn_takes
from course_utils.models.steps import LSTMState
from tests.models.elmo.elmo_reference import ReferenceELMo, random_weights, small_options

EXACT = 5e-6  # what the format promises for a correct float32 implementation

SENTENCES = [
    ["Let", "'s", "stick", "to", "improvisation", "in", "this", "skit", "."],
    [],
    ["ñandú", "漢字かな交じり文" * 4, "", "x" * 80, "a" * 48, "naïve" * 10],
    ["<S>", "</S>", "<UNK>", "At"],
    ["play", "\udc80play"],  # a lone surrogate cannot be encoded: it is dropped
]


def model_of(options: dict, weights: dict) -> BiLM:
    """Return the model, its weights moved through the state_dict by hand, in torch's layouts."""
    own = {}
    for name, w in weights.items():
        own[name] = torch.from_numpy(w)
    return BiLM.of(Options.from_json(options), _state_dict(options, own))


def _state_dict(options: dict, w: dict) -> dict:
    C, P = options["lstm"]["dim"], options["lstm"]["projection_dim"]
    found = {
        "encoder.embedding.weight": w["char_embed"],
        "encoder.projection.weight": w["CNN_proj/W_proj"].T,
        "encoder.projection.bias": w["CNN_proj/b_proj"],
    }
    for i, _ in enumerate(options["char_cnn"]["filters"]):
        found[f"encoder.convolutions.{i}.weight"] = w[f"CNN/W_cnn_{i}"][0].permute(2, 1, 0)
        found[f"encoder.convolutions.{i}.bias"] = w[f"CNN/b_cnn_{i}"]
    for k in range(options["char_cnn"]["n_highway"]):
        for theirs, ours in (("carry", "gate"), ("transform", "transform")):
            found[f"encoder.highways.{k}.{ours}.weight"] = w[f"CNN_high_{k}/W_{theirs}"].T
            found[f"encoder.highways.{k}.{ours}.bias"] = w[f"CNN_high_{k}/b_{theirs}"]
    order = torch.cat([torch.arange(C) + block * C for block in (0, 2, 1, 3)])  # i j f o -> i f g o
    for d in range(2):
        for level in range(options["lstm"]["n_layers"]):
            path = f"RNN_{d}/RNN/MultiRNNCell/Cell{level}/LSTMCell"
            ours = f"directions.{d}.{level}"
            found[f"{ours}.weight_ih"] = w[f"{path}/W_0"].T[order][:, :P]
            found[f"{ours}.weight_hh"] = w[f"{path}/W_0"].T[order][:, P:]
            found[f"{ours}.bias"] = w[f"{path}/B"][order]
            found[f"{ours}.weight_hr"] = w[f"{path}/W_P_0"].T
    return {name: tensor.contiguous() for name, tensor in found.items()}


def worst_difference(output, expected: list[np.ndarray]) -> float:
    """Return the largest absolute difference over all layers and tokens; padding must be zero."""
    lengths = [part.shape[1] for part in expected]
    assert output.mask.sum(dim=1).tolist() == lengths
    worst = 0.0
    for row, part in enumerate(expected):
        ours = output.layers[:, row].double().numpy()
        assert (ours[:, lengths[row] :] == 0).all()
        if lengths[row]:
            worst = max(worst, np.abs(ours[:, : lengths[row]] - part).max())
    return worst


def one_way(model: BiLM, fast: bool) -> BiLM | PackedBiLM:
    """Return the model itself, or its packed copy."""
    return model.packed() if fast else model


SETTINGS = {
    "as published": {},
    "no residual": {"use_skip_connections": False},
    "no clips": {"cell_clip": None, "proj_clip": None},
    "one layer": {"n_layers": 1},
}


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_both_implementations_agree_with_the_reference(setting, activation):
    """Catches gate order, a second forget bias, clips unused or after the feedback, a residual
    around layer 0, mixed directions, reversal across padding, a trimmed window, truncation."""
    options = small_options(**SETTINGS[setting])
    options["char_cnn"]["activation"] = activation
    weights = random_weights(options)
    expected = ReferenceELMo(options, weights)(SENTENCES)
    model = model_of(options, weights)
    for way in (model, model.packed()):
        assert worst_difference(way(SENTENCES), expected) < EXACT
    assert model.requires_grad_()(SENTENCES).layers.requires_grad
    assert not model.packed()(SENTENCES).layers.requires_grad


def test_the_reference_is_matched_far_more_closely_in_float64():
    """Catches a float32 constant or a cast hidden in either implementation."""
    options = small_options()
    weights = random_weights(options)
    expected = ReferenceELMo(options, weights)(SENTENCES)
    model = model_of(options, weights).double()
    for way in (model, model.packed()):
        assert worst_difference(way(SENTENCES), expected) < 1e-13


def test_clips_bite_in_these_tests():
    """Catches a test that would pass without any clip."""
    options = small_options()
    weights = random_weights(options)
    without = small_options(cell_clip=None, proj_clip=None)
    a, b = (ReferenceELMo(o, weights)(SENTENCES[:1])[0] for o in (options, without))
    assert np.abs(a - b).max() > 0.05


@pytest.mark.parametrize("fast", [True, False])
def test_state_continues_each_row_while_batches_grow_and_shrink(fast):
    """Catches state kept after the residual, reset rows, rows lost by a smaller batch, and the
    backward state taken from the wrong end."""
    options = small_options()
    weights = random_weights(options)
    reference = ReferenceELMo(options, weights)
    model = one_way(model_of(options, weights), fast)
    state = None
    s = SENTENCES
    for batch in ([s[0], s[2]], [s[3]], [s[1], s[0], s[2], s[4]], [], [s[2], s[3], s[0]]):
        output = model(batch, state)
        state = output.state
        assert worst_difference(output, reference(batch)) < EXACT
    assert state.h.shape == (2, 3, 4, 7)
    assert state.c.shape == (2, 3, 4, 11)
    for (row, d, level), (c, h) in reference.state.items():
        assert np.abs(state.c[d, level, row].numpy() - c).max() < EXACT
        assert np.abs(state.h[d, level, row].numpy() - h).max() < EXACT


def test_without_a_state_every_call_starts_from_zero():
    """Catches a model that remembers the call before by itself."""
    model = model_of(small_options(), random_weights(small_options()))
    assert torch.equal(model(SENTENCES).layers, model(SENTENCES).layers)
    assert model(SENTENCES, model(SENTENCES).state).layers.ne(model(SENTENCES).layers).any()


def test_a_sentence_has_the_same_vectors_in_every_company():
    """Catches padding that leaks, and rows put back in the wrong order after sorting."""
    model = model_of(small_options(), random_weights(small_options()))
    together = model(SENTENCES).layers
    for row, sentence in enumerate(SENTENCES):
        alone = model([sentence]).layers[:, 0]
        torch.testing.assert_close(together[:, row, : len(sentence)], alone, atol=1e-6, rtol=0)


@pytest.mark.parametrize("fast", [True, False])
def test_nothing_to_embed(fast):
    """Catches a crash on no sentence, and on sentences without a token."""
    model = one_way(model_of(small_options(), random_weights(small_options())), fast)
    assert model([]).layers.shape == (4, 0, 0, 14)
    empty = model([[], []])
    assert empty.layers.shape == (4, 2, 0, 14)
    assert empty.mask.shape == (2, 0)
    assert empty.state.h.abs().min() > 0  # the two boundaries were read all the same


def test_wrong_input_is_refused_with_advice():
    """Catches text that is silently read letter by letter, and states of another model."""
    model = model_of(small_options(), random_weights(small_options()))
    for wrong in (
        "Hello world",
        ["Hello", "world"],
        None,
        [["Hello"], None],
        [{"Hello"}],
        {"Hello": 1},
    ):
        with pytest.raises(TypeError, match="list of sentences"):
            model(wrong)
    for token in (3, ["world"], b"world", None):
        with pytest.raises(TypeError, match=f"token must be a string, not {type(token).__name__}"):
            model([["Hello", token]])
        with pytest.raises(TypeError, match="token must be a string"):
            batch_to_ids([["Hello", token]])
    with pytest.raises(TypeError, match="list of sentences"):
        batch_to_ids(["Hello", "world"])
    for way in (model, model.packed()):
        with pytest.raises(
            TypeError, match=r"not a tensor \(of character ids.*\['Hello', 'world'\]"
        ) as ids:
            way(batch_to_ids([["Hello", "world"]]))
        assert len(str(ids.value)) < 200  # no numbers
    for state in (torch.zeros(2, 3, 1, 7), (torch.zeros(2, 3, 1, 7),), "zero", (None, None)):
        with pytest.raises(TypeError, match=r"`bilm\(sentences\).state`"):
            model([["a"]], state)
    other = small_options(n_layers=2)
    state = model_of(other, random_weights(other))([["a"]]).state
    with pytest.raises(ValueError, match="another model"):
        model([["a"]], state)


def test_batches_and_states_may_come_as_other_kinds_of_lists():
    """Catches a generator that is read empty, and a detached state that lost its class."""
    model = model_of(small_options(), random_weights(small_options()))
    expected = model(SENTENCES)
    for batch in (tuple(map(tuple, SENTENCES)), (iter(s) for s in SENTENCES)):
        assert torch.equal(model(batch).layers, expected.layers)
    assert torch.equal(model([np.array(["play", "it"])]).layers, model([["play", "it"]]).layers)
    again = model(SENTENCES, tuple(expected.state))
    assert torch.equal(again.layers, model(SENTENCES, expected.state).layers)
    assert again.state.h.shape == (2, 3, 5, 7)


def test_training_goes_on_from_a_detached_state():
    """Catches a history that grows over all batches, and whose second backward fails."""
    model = model_of(small_options(), random_weights(small_options())).requires_grad_()
    state = None
    for batch in ([["play", "it"]], [["again"]]):
        output = model(batch, state)
        output.layers.sum().backward()
        state = output.state.detach()
        assert torch.equal(state.c, output.state.c)


@pytest.mark.parametrize("fast", [True, False])
def test_boundaries_can_be_kept(fast):
    """Catches places that are shifted, a mask without the ends, and ends taken from another row."""
    options = small_options()
    model = model_of(options, random_weights(options))
    way, batch = one_way(model, fast), frame(SENTENCES)
    plain, kept = way(SENTENCES), way(SENTENCES, boundaries=True)
    read, _ = model.read(batch, zero_state(model.options, len(SENTENCES), plain.state.h))
    expected = read.transpose(1, 2) * kept.mask.unsqueeze(-1)
    assert kept.mask.sum(dim=1).tolist() == [len(s) + 2 for s in SENTENCES]
    torch.testing.assert_close(kept.layers, expected, atol=EXACT, rtol=0)
    for row, sentence in enumerate(SENTENCES):
        inner = kept.layers[:, row, 1 : len(sentence) + 1]
        assert torch.equal(inner, plain.layers[:, row, : len(sentence)])
    assert torch.equal(kept.state.h, plain.state.h)


def test_ids_are_allennlps():
    """Catches boundaries among the ids (AllenNLP adds them later), and ids without their + 1."""
    ids = batch_to_ids([["At", "ñ"], [], ["</S>"]])
    assert ids.shape == (3, 2, 50)
    assert ids[0, 0].tolist() == [259, 66, 117, 260, *[261] * 46]
    assert ids[0, 1].tolist() == [259, 196, 178, 260, *[261] * 46]
    assert ids[2, 0, :4].tolist() == [259, 258, 260, 261]
    assert (ids[1] == 0).all()
    assert (ids[2, 1] == 0).all()
    assert batch_to_ids([]).shape == (0, 0, 50)


def test_directions_never_see_what_they_predict():
    """Catches a layer that reads both directions: its gradient reaches across."""
    model = model_of(small_options(), random_weights(small_options())).double().requires_grad_()
    batch = frame([["one", "two", "three", "four", "five"]])
    vectors = []
    encode = model.encoder.forward
    model.encoder.forward = lambda ids: vectors.append(encode(ids)) or vectors[-1]
    layers, _ = model.read(batch, model(SENTENCES[:1]).state.rows(1))
    k, P = 3, 7
    for level in (1, 2, 3):
        for half, hidden in ((slice(0, P), slice(k + 1, None)), (slice(P, None), slice(0, k))):
            target = layers[level, k, 0, half].sum()
            (by_word,) = torch.autograd.grad(target, vectors[-1], retain_graph=True)
            by_place = by_word[batch.index[:, 0]]
            assert (by_place[hidden] == 0).all()
            assert (by_place[k] != 0).any()


def test_gradients_of_the_readable_way_match_finite_differences():
    """Catches a detach, or an operation in place, anywhere in the trainable path."""
    options = Options(projection=3, cells=4, layers=2, filters=((1, 2), (3, 5)), char_dim=2,
                      cell_clip=0.5, proj_clip=0.5)  # fmt: skip
    model = BiLM(options).double()
    sentences = [["so", "be", "it"], ["no"]]
    probe = torch.randn(3, 2, 3, 6, dtype=torch.float64)

    def loss() -> torch.Tensor:
        return (model(sentences).layers * probe).sum()

    loss().backward()
    for name, p in model.named_parameters():
        flat, gradient = p.data.view(-1), p.grad.view(-1)
        for place in torch.randperm(len(flat))[:3].tolist():
            kept = flat[place].item()
            values = []
            for step in (1e-6, -1e-6):
                flat[place] = kept + step
                values.append(loss().item())
            flat[place] = kept
            slope = (values[0] - values[1]) / 2e-6
            assert slope == pytest.approx(gradient[place].item(), abs=1e-7), name


def test_it_runs_without_onednn():
    """Catches a fallback that nobody ever ran."""
    options = small_options()
    weights = random_weights(options)
    expected = ReferenceELMo(options, weights)(SENTENCES)
    model = model_of(options, weights)
    fast = model.packed()
    torch.backends.mkldnn.set_flags(_enabled=False)
    try:
        plain = model.packed()
        assert not plain.encoder.projection.packed
        assert worst_difference(plain(SENTENCES), expected) < EXACT
    finally:
        torch.backends.mkldnn.set_flags(_enabled=True)
    assert fast.encoder.projection.packed == onednn_takes(model.encoder.projection.weight)
    assert worst_difference(fast(SENTENCES), expected) < EXACT


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("autocast", [False, True])
def test_no_tensor_is_made_on_the_wrong_device(fast, autocast):
    """Catches a constant left on the CPU: the meta device refuses to meet it."""
    state = None
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        model = one_way(BiLM(Options.from_json(small_options()), device="meta"), fast)
        for batch in (SENTENCES, SENTENCES[:2], []):
            output = model(batch, state)
            state = output.state
            assert output.layers.device.type == output.mask.device.type == "meta"
    assert output.layers.shape == (4, 0, 0, 14)


def test_autocast_stays_close_and_leaves_packed_weights_alone():
    """Catches an operation between two number types, and a packed model made or used under autocast
    that loses oneDNN, or digits."""
    model = model_of(small_options(), random_weights(small_options()))
    exact, packed = model(SENTENCES).layers, model.packed()
    with torch.autocast("cpu", torch.bfloat16):
        rough = model(SENTENCES).layers
        made, used = model.packed(), packed(SENTENCES).layers
    assert 0 < (rough - exact).abs().max() < 0.1
    assert torch.equal(used, packed(SENTENCES).layers)
    assert torch.equal(made(SENTENCES).layers, packed(SENTENCES).layers)
    assert made.encoder.projection.packed == packed.encoder.projection.packed


def test_the_published_size_has_exactly_the_published_number_of_parameters():
    """Catches a bias too many, or a layer left out: 93,600,848 without the softmax."""
    assert count_parameters(OFFICIAL) == 93_600_848
    model = BiLM(OFFICIAL, device="meta")
    assert sum(p.numel() for p in model.parameters()) == 93_600_848


FILES = {
    **SETTINGS,
    # C == P: the original code builds no W_P_0, and clips no state
    "no projection": {"dim": 7, "proj_clip": 0.1},
    "no projection, no residual": {"dim": 7, "proj_clip": 0.1, "use_skip_connections": False},
    "no projection of characters": {"projection_dim": 13},  # F == P
    "neither projection, one layer": {"dim": 13, "projection_dim": 13, "n_layers": 1},
}


def official_file(path: Path, options: dict) -> dict[str, np.ndarray]:
    """Write random weights as the original code lays them out; return the datasets."""
    weights = random_weights(options)
    lstm, F = options["lstm"], sum(count for _, count in options["char_cnn"]["filters"])
    for name in list(weights):
        straight = name.startswith("CNN_proj/") and lstm["projection_dim"] == F
        if straight or (name.endswith("W_P_0") and lstm["dim"] == lstm["projection_dim"]):
            del weights[name]
    alone = lstm["n_layers"] == 1
    with h5py.File(path, "w") as file:
        for name, w in weights.items():
            file[name.replace("MultiRNNCell/Cell0/", "") if alone else name] = w
    return weights


@pytest.mark.parametrize("setting", FILES)
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_official_files_reproduce_the_reference(tmp_path, setting, activation):
    """Catches any layout read wrongly, and a clip where the original code has none: the reference
    reads the arrays as they lie in the file. Likewise for the file that we write of it."""
    options = small_options(**FILES[setting])
    options["char_cnn"]["activation"] = activation
    weights = official_file(tmp_path / "w.hdf5", options)
    expected = ReferenceELMo(options, weights)(SENTENCES)
    model = BiLM.from_official(options, tmp_path / "w.hdf5")
    assert worst_difference(model(SENTENCES), expected) < EXACT
    model.save_official(tmp_path / "made/o.json", tmp_path / "made/w.hdf5")
    again = BiLM.from_official(tmp_path / "made/o.json", tmp_path / "made/w.hdf5")
    assert json.loads((tmp_path / "made/o.json").read_text()) == options
    assert torch.equal(again(SENTENCES).layers, model(SENTENCES).layers)
    assert worst_difference(model.packed()(SENTENCES), expected) < EXACT


def test_the_clip_of_the_projection_would_bite_without_one(tmp_path):
    """Catches a test above that would pass with the clip left on."""
    options = small_options(**FILES["no projection"])
    without = official_file(tmp_path / "w.hdf5", options)
    straight = {name: np.eye(7) if name.endswith("W_P_0") else w
                for name, w in random_weights(options).items()}  # fmt: skip
    a, b = (ReferenceELMo(options, weights)(SENTENCES) for weights in (without, straight))
    assert np.abs(a[0] - b[0]).max() > 0.05
    model = BiLM.from_official(options, tmp_path / "w.hdf5")
    for stack in model.directions:
        for lstm in stack:
            lstm.proj_clip = 0.1  # of no projection
    assert worst_difference(model(SENTENCES), a) < EXACT
    assert worst_difference(model.packed()(SENTENCES), a) < EXACT


@pytest.mark.parametrize(("projected", "cells"), [(True, 11), (False, 5)])
def test_a_layer_without_clips_is_torchs_own(float64, projected, cells):
    """Catches a gate out of order, a forget bias missing, and a projection that loses gradients."""
    T, B, P = 7, 3, 5
    ours = ProjectedLSTM(P, cells, projected=projected)
    theirs = torch.nn.LSTM(P, cells, proj_size=P if projected else 0)
    with torch.no_grad():
        theirs.weight_ih_l0.copy_(ours.weight_ih)
        theirs.weight_hh_l0.copy_(ours.weight_hh)
        theirs.bias_ih_l0.copy_(ours.bias)
        theirs.bias_hh_l0.zero_()[cells : 2 * cells] = 1  # the forget gate's
        if projected:
            theirs.weight_hr_l0.copy_(ours.weight_hr)
    x, probe = torch.randn(T, B, P, requires_grad=True), torch.randn(T, B, P)
    h, c = torch.randn(B, P), torch.randn(B, cells)
    wanted, (last_h, last_c) = theirs(x, (h[None], c[None]))
    found, last = ours(x, LSTMState(h, c))
    torch.testing.assert_close(found, wanted, atol=1e-12, rtol=0)
    torch.testing.assert_close(last.h, last_h[0], atol=1e-12, rtol=0)
    torch.testing.assert_close(last.c, last_c[0], atol=1e-12, rtol=0)
    names = ["weight_ih", "weight_hh", "bias"] + ["weight_hr"] * projected
    twins = [getattr(theirs, f"{'bias_ih' if n == 'bias' else n}_l0") for n in names]
    gradients = torch.autograd.grad((wanted * probe).sum(), [x, *twins])
    own = torch.autograd.grad((found * probe).sum(), [x, *(getattr(ours, n) for n in names)])
    for a, b in zip(own, gradients, strict=True):
        torch.testing.assert_close(a, b, atol=1e-11, rtol=0)


def test_a_new_layer_leaves_its_sums_as_large_as_its_inputs():
    """Catches weights drawn twice too large: no number of a trained model shows how it began."""
    layer = ProjectedLSTM(40, 160)
    for weight in (layer.weight_ih, layer.weight_hh, layer.weight_hr):
        inputs = weight.shape[1]
        assert weight.std().item() * math.sqrt(inputs) == pytest.approx(1, abs=0.05)


def test_only_a_state_as_wide_as_the_cell_needs_no_projection():
    """Catches a layer whose first step fails with sizes that nobody can place."""
    with pytest.raises(ValueError, match="11 cells cannot be a state of width 7"):
        ProjectedLSTM(7, 11, projected=False)
    options = Options.from_json(small_options(dim=7))
    unprojected = dataclasses.replace(options, projected=False)
    for o in (options, unprojected):
        own = sum(p.numel() for p in BiLM(o, device="meta").parameters())
        assert own == count_parameters(o)


def test_the_published_size_is_as_exact(tmp_path):
    """Catches what shows in long sums only: packed weights that round, or half precision."""
    options = OFFICIAL.to_json()
    weights = official_file(tmp_path / "w.hdf5", options)
    model = BiLM.from_official(options, tmp_path / "w.hdf5")
    sentences = [SENTENCES[0], SENTENCES[2][:2]]
    expected = ReferenceELMo(options, weights)(sentences)
    for way in (model, model.packed()):
        assert worst_difference(way(sentences), expected) < EXACT


def test_a_new_highway_lets_nearly_everything_through():
    """Catches a start that transforms all, or half: 1 / (1 + e^2) of each feature is changed."""
    highway = Highway(11)
    for bias in highway.gate.bias.tolist():
        assert 1 / (1 + math.exp(-bias)) == pytest.approx(0.1192029)
    assert not torch.equal(highway.transform.bias, highway.gate.bias)
    assert Highway(11, device="meta").gate.bias.is_meta


def test_a_new_encoder_draws_its_letters():
    """Catches letters that hold whatever stood in memory: nothing else fills them."""
    letters = CharacterEncoder(Options.from_json(small_options(dim=7))).embedding.weight
    assert abs(letters.mean().item()) < 0.1
    assert letters.std().item() == pytest.approx(1, abs=0.1)
