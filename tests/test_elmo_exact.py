"""The whole model against a float64 reference that was written from the format's text."""

from __future__ import annotations

import copy
import pickle

import h5py
import numpy as np
import pytest
import torch

from course_utils.models.elmo import OFFICIAL, BiLM, Options, count_parameters
from course_utils.models.elmo.batch import frame
from tests.elmo_reference import ReferenceELMo, random_weights, small_options

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
    assert worst_difference(model(SENTENCES), expected) < EXACT
    model.requires_grad_()  # now forward takes the readable way
    readable = model(SENTENCES)
    assert readable.layers.requires_grad
    assert worst_difference(readable._replace(layers=readable.layers.detach()), expected) < EXACT


def test_the_reference_is_matched_far_more_closely_in_float64():
    """Catches a float32 constant or a cast hidden in either implementation."""
    options = small_options()
    weights = random_weights(options)
    expected = ReferenceELMo(options, weights)(SENTENCES)
    model = model_of(options, weights).double()
    assert worst_difference(model(SENTENCES), expected) < 1e-13
    model.requires_grad_()
    readable = model(SENTENCES)
    assert worst_difference(readable._replace(layers=readable.layers.detach()), expected) < 1e-13


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
    model = model_of(options, weights).requires_grad_(not fast)
    state = None
    s = SENTENCES
    for batch in ([s[0], s[2]], [s[3]], [s[1], s[0], s[2], s[4]], [], [s[2], s[3], s[0]]):
        output = model(batch, state)
        state = output.state
        output = output._replace(layers=output.layers.detach())
        assert worst_difference(output, reference(batch)) < EXACT
    assert state.h.shape == (2, 3, 4, 7)
    assert state.c.shape == (2, 3, 4, 11)
    for (row, d, level), (c, h) in reference.state.items():
        assert np.abs(state.c[d, level, row].detach().numpy() - c).max() < EXACT
        assert np.abs(state.h[d, level, row].detach().numpy() - h).max() < EXACT


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
    model = model_of(small_options(), random_weights(small_options())).requires_grad_(not fast)
    assert model([]).layers.shape == (4, 0, 0, 14)
    empty = model([[], []])
    assert empty.layers.shape == (4, 2, 0, 14)
    assert empty.mask.shape == (2, 0)
    assert empty.state.h.abs().min() > 0  # the two boundaries were read all the same


def test_wrong_input_is_refused_with_advice():
    """Catches text that is silently read letter by letter, and states of another model."""
    model = model_of(small_options(), random_weights(small_options()))
    for wrong in ("Hello world", ["Hello", "world"]):
        with pytest.raises(TypeError, match="list of sentences"):
            model(wrong)
    with pytest.raises(TypeError, match="token must be a string, not int"):
        model([["Hello", 3]])
    other = small_options(n_layers=2)
    state = model_of(other, random_weights(other))([["a"]]).state
    with pytest.raises(ValueError, match="another model"):
        model([["a"]], state)


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


def test_changed_weights_are_noticed():
    """Catches packed weights that outlive the ones they were made from."""
    model = model_of(small_options(), random_weights(small_options()))
    model.cache_words(100)
    before = model(SENTENCES).layers
    weights = random_weights(small_options(), seed=3)
    expected = ReferenceELMo(small_options(), weights)(SENTENCES)
    other = model_of(small_options(), weights)
    model.load_state_dict(other.state_dict())
    assert worst_difference(model(SENTENCES), expected) < EXACT
    with torch.no_grad():
        model.encoder.projection.bias.add_(1)
    assert model(SENTENCES).layers[0].sub(before[0]).abs().max() > 0.5
    half = model.to(torch.bfloat16)(SENTENCES)
    assert half.layers.dtype == torch.bfloat16


@pytest.mark.parametrize("capacity", [1, 6, 1000])
def test_the_word_cache_changes_no_vector_and_stays_bounded(capacity):
    """Catches a row overwritten while it is still needed, and a cache that grows."""
    model = model_of(small_options(), random_weights(small_options()))
    expected = [model([s]).layers for s in SENTENCES * 2]
    model.cache_words(capacity)
    for sentence, layers in zip(SENTENCES * 2, expected, strict=True):
        torch.testing.assert_close(model([sentence]).layers, layers, atol=1e-6, rtol=0)
        assert len(model.inference.words) <= capacity
    if capacity == 1000:
        assert model.inference.words.hits > model.inference.words.misses


def test_it_runs_without_onednn():
    """Catches a fallback that nobody ever ran."""
    options = small_options()
    weights = random_weights(options)
    expected = ReferenceELMo(options, weights)(SENTENCES)
    model = model_of(options, weights)
    fast = model(SENTENCES)
    torch.backends.mkldnn.set_flags(_enabled=False)
    try:
        assert worst_difference(model(SENTENCES), expected) < EXACT
        assert not model.inference.encoder.projection.packed
    finally:
        torch.backends.mkldnn.set_flags(_enabled=True)
    assert worst_difference(fast, expected) < EXACT


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("autocast", [False, True])
def test_no_tensor_is_made_on_the_wrong_device(fast, autocast):
    """Catches a constant left on the CPU: the meta device refuses to meet it."""
    model = BiLM(Options.from_json(small_options()), device="meta").eval().requires_grad_(not fast)
    state = None
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        for batch in (SENTENCES, SENTENCES[:2], []):
            output = model(batch, state)
            state = output.state
            assert output.layers.device.type == output.mask.device.type == "meta"
    assert output.layers.shape == (4, 0, 0, 14)


@pytest.mark.parametrize("fast", [True, False])
def test_autocast_stays_close(fast):
    """Catches an in-place operation between two number types."""
    model = model_of(small_options(), random_weights(small_options())).requires_grad_(not fast)
    exact = model(SENTENCES).layers
    with torch.autocast("cpu", torch.bfloat16):
        rough = model(SENTENCES).layers
    assert 0 < (rough - exact).abs().max() < 0.1


def test_copies_are_independent():
    """Catches packed weights shared between two models, or left out of a pickle."""
    model = model_of(small_options(), random_weights(small_options()))
    before = model(SENTENCES).layers
    twin = copy.deepcopy(model)
    with torch.no_grad():
        twin.directions[1][2].bias.zero_()
    assert twin(SENTENCES).layers.ne(before).any()
    assert torch.equal(model(SENTENCES).layers, before)
    assert torch.equal(pickle.loads(pickle.dumps(model))(SENTENCES).layers, before)


def test_the_published_size_has_exactly_the_published_number_of_parameters():
    """Catches a bias too many, or a layer left out: 93,600,848 without the softmax."""
    assert count_parameters(OFFICIAL) == 93_600_848
    model = BiLM(OFFICIAL, device="meta")
    assert sum(p.numel() for p in model.parameters()) == 93_600_848


def test_official_files_reproduce_the_reference(tmp_path):
    """Catches any layout read wrongly: the reference reads the file's arrays as they lie there."""
    options = small_options()
    weights = random_weights(options)
    with h5py.File(tmp_path / "w.hdf5", "w") as file:
        for name, w in weights.items():
            file[name] = w
    model = BiLM.from_official(options, tmp_path / "w.hdf5")
    assert worst_difference(model(SENTENCES), ReferenceELMo(options, weights)(SENTENCES)) < EXACT
