"""Packed weights and cached words never outlive what they were made from, whatever happens."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable

import pytest
import torch
from torch.nn.utils import parametrize, prune

from course_utils.models.elmo import BiLM
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.fast import inference
from course_utils.models.elmo.fast.fingerprint import Fingerprint
from course_utils.models.elmo.fast.product import Product
from course_utils.models.elmo.fast.word_cache import WordCache
from tests.models.elmo.elmo_reference import ReferenceELMo, random_weights, small_options
from tests.models.elmo.test_elmo_exact import EXACT, SENTENCES, model_of, worst_difference


def small_model() -> BiLM:
    """Return the tests' model, frozen, in eval mode."""
    return model_of(small_options(), random_weights(small_options()))


def distance_from_readable(model: BiLM) -> float:
    """Return how far what the model answers lies from the readable way with its weights of now."""
    with torch.no_grad():
        found = model(SENTENCES)
        readable, _ = model.read(frame(SENTENCES), model._start(len(SENTENCES), None))
    readable = readable[:, 1:-1].transpose(1, 2) * found.mask.unsqueeze(-1)
    return (found.layers - readable).abs().max().item()


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


def together(*tasks: Callable[[], None]) -> None:
    """Do the tasks in threads that begin at one moment."""
    ready = threading.Barrier(len(tasks))
    threads = [threading.Thread(target=lambda t=task: (ready.wait(), t())) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


LSTM = "directions.0.1"


def _scale(model: BiLM) -> None:
    model.get_parameter("encoder.projection.bias").data.mul_(1.01)  # as old training loops do


def _one_number(model: BiLM) -> None:
    model.get_parameter(f"{LSTM}.weight_hh").data[0, 1] = 30.0


def _through_numpy(model: BiLM) -> None:
    model.get_parameter(f"{LSTM}.weight_ih").numpy()[10:20] = 1.0


def _pruned_again(model: BiLM) -> None:
    for _ in range(2):
        prune.random_unstructured(model.get_submodule(LSTM), "weight_hh", amount=0.4)


class _Scaled(torch.nn.Module):
    factor = 1.0

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return self.factor * weight


def _parametrised(model: BiLM) -> None:
    lstm = model.get_submodule(LSTM)
    parametrize.register_parametrization(lstm, "weight_hh", _Scaled())
    model(SENTENCES)
    lstm.parametrizations.weight_hh[0].factor = 0.5


def _exchanged(model: BiLM) -> None:
    class Loud(torch.nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return 2 * super().forward(x)

    old, model.encoder.projection = model.encoder.projection, Loud(13, 7).requires_grad_(False)
    model.encoder.projection.load_state_dict(old.state_dict())


def _overridden(model: BiLM) -> None:
    encode = model.encoder.forward
    model.encoder.forward = lambda ids: 2 * encode(ids)


def _hooked(model: BiLM) -> None:
    model.get_submodule(LSTM).register_forward_hook(lambda _, __, out: (0.5 * out[0], out[1]))


UNCOUNTED = [_scale, _one_number, _through_numpy]
ELSEWHERE = [_pruned_again, _parametrised, _exchanged, _overridden, _hooked]


@pytest.mark.parametrize("change", UNCOUNTED + ELSEWHERE)
def test_a_change_that_torch_does_not_count_is_noticed(change: Callable[[BiLM], None]):
    """Catches an ablated unit, a pruned matrix or a hook whose effect eval() would not show."""
    model = small_model()
    before = model(SENTENCES).layers
    change(model)
    assert (model(SENTENCES).layers - before).abs().max() > 1e-4
    assert distance_from_readable(model) < EXACT
    vectors = model.inference.vectors(model, ["May"])
    assert (vectors - model([["May"]]).layers[0, 0, 0, :7]).abs().max() < EXACT


def _negated(matrix: torch.Tensor) -> None:
    matrix[:, 3].neg_()


def _doubled(matrix: torch.Tensor) -> None:
    matrix[:, 4].mul_(2)


def _rows_exchanged(matrix: torch.Tensor) -> None:
    matrix[[5, 8]] = matrix[[8, 5]]


def _columns_exchanged(matrix: torch.Tensor) -> None:
    matrix[:, [2, 9]] = matrix[:, [9, 2]]


def _numbers_exchanged(matrix: torch.Tensor) -> None:
    matrix[7, [1, 6]] = matrix[7, [6, 1]]


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
@pytest.mark.parametrize("change", [_negated, _doubled, _rows_exchanged])
@pytest.mark.parametrize("shape", [(96, 64), (1100, 1024)])
def test_a_changed_column_or_row_counts(dtype, change, shape):
    """Catches sums in which a change of sign, of place or of scale cancels over the rows."""
    weight = torch.randn(shape).to(dtype)
    before = Fingerprint([weight])
    assert Fingerprint([weight]) == before
    change(weight.data)
    assert Fingerprint([weight]) != before


@pytest.mark.parametrize("change", [_columns_exchanged, _numbers_exchanged])
def test_numbers_that_change_places_count(change):
    """Catches sums along the rows alone."""
    weight = torch.randn(96, 64)
    before = Fingerprint([weight])
    change(weight.data)
    assert Fingerprint([weight]) != before


@pytest.mark.parametrize("shape", [(1305,), (9, 5, 29)])
def test_every_number_of_a_weight_counts(shape):
    """Catches a number that falls out of the sums."""
    weight = torch.randn(shape)
    before = Fingerprint([weight])
    for place in range(weight.numel()):
        flat = weight.view(-1)
        kept = flat[place].item()
        flat.data[place] = kept + 1
        assert Fingerprint([weight]) != before
        flat.data[place] = kept
    assert Fingerprint([weight]) == before


def test_weights_made_for_inference_may_change_too():
    """Catches weights without a count of their changes, which inference mode makes."""
    with torch.inference_mode():
        model = small_model()
        for p in model.parameters():
            p.data = p.clone()
        model(SENTENCES)
        model.get_parameter(f"{LSTM}.weight_hh")[5] = 3.0
        assert distance_from_readable(model) < EXACT


def test_a_changed_clip_is_noticed():
    """Catches packed layers that keep a clip which somebody has taken off."""
    options = small_options()
    model = model_of(options, random_weights(options))
    model(SENTENCES)
    for stack in model.directions:
        for lstm in stack:
            lstm.cell_clip = lstm.proj_clip = None
    options["lstm"].update(cell_clip=None, proj_clip=None)
    expected = ReferenceELMo(options, random_weights(options))(SENTENCES)
    assert worst_difference(model(SENTENCES), expected) < EXACT


def test_weights_are_packed_once(monkeypatch):
    """Catches weights laid out again for every batch, or left where the model was before."""
    packed = []
    pack = Product.__init__
    monkeypatch.setattr(
        Product, "__init__", lambda self, *weights: packed.append(self) or pack(self, *weights)
    )
    model = model_of(small_options(), random_weights(small_options()))
    for sentence in SENTENCES:
        model([sentence])
        model.eval()
    weights = 3 + 3 + 2 * 3 * 3  # filters; highways and projection; W, U and V of every layer
    assert len(packed) == weights
    model.double()
    model(SENTENCES)
    model(SENTENCES)
    assert len(packed) == 2 * weights
    assert all(product.weight.dtype == torch.float64 for product in packed[weights:])


@pytest.mark.parametrize("capacity", [1, 6, 1000])
def test_the_word_cache_changes_no_vector_and_stays_bounded(capacity):
    """Catches a row overwritten while it is still needed, and a cache that grows."""
    model = model_of(small_options(), random_weights(small_options()))
    expected = [model([s]).layers for s in SENTENCES * 2]
    model.cache_words(capacity)
    for sentence, layers in zip(SENTENCES * 2, expected, strict=True):
        torch.testing.assert_close(model([sentence]).layers, layers, atol=1e-6, rtol=0)
        assert len(model.inference.packed.words) <= capacity
    if capacity == 1000:
        assert model.inference.packed.words.hits > model.inference.packed.words.misses


def test_the_cache_forgets_the_word_whose_last_use_lies_furthest_back():
    """Catches a cache that forgets the newest word, or the oldest however often it is used."""
    cache = WordCache(3)
    asked = []

    def encode(words: list[str]) -> torch.Tensor:
        asked.append(words)
        return torch.tensor([[float(ord(word))] for word in words]).view(-1, 1)

    for word in "abcadbac":  # d drives b out, which drives c out, which drives d out
        assert cache.look_up([word], encode).item() == ord(word)
    assert [words for words in asked if words] == [["a"], ["b"], ["c"], ["d"], ["b"], ["c"]]
    assert set(cache.rows) == {"a", "b", "c"}


@pytest.mark.parametrize("capacity", [0, 5, 1000])
def test_threads_may_share_a_model(capacity):
    """Catches a row of the cache, or packed weights, that another thread is just replacing."""
    model = small_model()
    expected = [model([s]).layers for s in SENTENCES]
    shared = small_model()
    shared.cache_words(capacity)
    wrong = []

    def ask() -> None:
        for turn in range(40):
            n = turn % len(SENTENCES)
            found = shared([SENTENCES[n]]).layers
            if not torch.allclose(found, expected[n], atol=1e-6):
                wrong.append(n)

    together(*[ask] * 4)
    assert wrong == []
    assert len(shared.inference.packed.words or ()) <= capacity


def test_threads_that_start_together_pack_once(monkeypatch):
    """Catches weights packed by every thread that finds none packed, in memory of its own."""
    packs, pack = [], inference.pack
    monkeypatch.setattr(inference, "pack", lambda *given: packs.append(1) or pack(*given))
    model = small_model()

    def ask() -> None:
        model(SENTENCES[:1])

    together(*[ask] * 4)
    assert len(packs) == 1


def test_threads_may_work_in_different_modes():
    """Catches words that one thread stores in bfloat16 and another takes for its own."""
    model = small_model()
    expected = [model([s]).layers for s in SENTENCES]
    model.cache_words(5)
    wrong = []

    def ask(cast: bool, close: float) -> None:
        for turn in range(60):
            n = turn % len(SENTENCES)
            with torch.autocast("cpu", torch.bfloat16, enabled=cast):
                found = model([SENTENCES[n]]).layers
            if not torch.allclose(found, expected[n], atol=close):
                wrong.append((cast, n))

    together(lambda: ask(True, 0.1), lambda: ask(False, 1e-6))
    assert wrong == []


def test_a_cache_for_less_than_no_word_is_refused():
    """Catches a wrong number that shows only in the first call after it."""
    with pytest.raises(ValueError, match="0 keeps none"):
        small_model().cache_words(-1)


@pytest.mark.parametrize("onednn", [True, False])
def test_one_mode_leaves_nothing_behind_for_the_next(onednn):
    """Catches a cache filled with bfloat16 or with tensors of inference mode, used elsewhere."""
    model = small_model()
    expected = model(SENTENCES).layers
    model.cache_words(1000)
    torch.backends.mkldnn.set_flags(_enabled=onednn)
    try:
        with torch.autocast("cpu", torch.bfloat16):
            model(SENTENCES)
        with torch.inference_mode():
            assert (model(SENTENCES[:2]).layers - expected[:, :2]).abs().max() < EXACT
        with torch.no_grad():
            assert (model(SENTENCES).layers - expected).abs().max() < EXACT
        assert (model(SENTENCES).layers - expected).abs().max() < EXACT
    finally:
        torch.backends.mkldnn.set_flags(_enabled=True)


def test_copies_are_independent():
    """Catches packed weights shared between two models, or left out of a pickle."""
    model = model_of(small_options(), random_weights(small_options()))
    before = model(SENTENCES).layers
    twin = copy.deepcopy(model)
    model.cache_words(7)
    for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        copied(SENTENCES)
        assert copied.inference.packed.words.capacity == 7
    with torch.no_grad():
        twin.directions[1][2].bias.zero_()
    assert twin(SENTENCES).layers.ne(before).any()
    assert torch.equal(model(SENTENCES).layers, before)
    assert torch.equal(pickle.loads(pickle.dumps(model))(SENTENCES).layers, before)
