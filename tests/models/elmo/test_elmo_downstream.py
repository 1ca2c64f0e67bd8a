"""Mixing layers, and ELMo as a task uses it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.models.elmo import BiLM, Elmo, Options, ScalarMix
from course_utils.models.elmo.scalar_mix import normalise

OPTIONS = Options(projection=5, cells=11, layers=2, filters=((1, 3), (3, 4)), char_dim=4)
SENTENCES = [["the", "sea", "is", "calm"], ["calm", "seas"]]


@pytest.fixture
def bilm():
    """Return a small model."""
    return BiLM(OPTIONS)


def test_the_mix_is_the_papers_formula(float64):
    """Catches weights without the softmax, gamma inside it, layers in another order, and a start
    that is penalised."""
    mix = ScalarMix(3)
    layers = torch.randn(3, 2, 7, 5)
    torch.testing.assert_close(mix(layers), layers.mean(dim=0))  # s = 0, gamma = 1
    assert mix.penalty() == 0
    with torch.no_grad():
        mix.scalars.copy_(torch.tensor([0.3, -1.2, 2.0]))
        mix.gamma.fill_(1.7)
    s = np.exp([0.3, -1.2, 2.0])
    expected = 1.7 * np.einsum("k,kbtd->btd", s / s.sum(), layers.numpy())
    np.testing.assert_allclose(mix(layers).detach().numpy(), expected, atol=1e-12)
    assert mix.penalty().item() == pytest.approx(0.09 + 1.44 + 4.0)
    torch.autograd.gradcheck(lambda s, g, x: _mixed(mix, s, g, x), (
        mix.scalars, mix.gamma, layers.requires_grad_()))  # fmt: skip


def _mixed(mix: ScalarMix, s: torch.Tensor, g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return torch.func.functional_call(mix, {"scalars": s, "gamma": g}, (x,))


def normalised(layer: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Return a layer (B, T, 2P) with mean 0 and variance 1 over the places that count."""
    real = layer[counted]  # (places, 2P)
    return (layer - real.mean()) / np.sqrt(real.var() + 1e-12)


@pytest.mark.parametrize("freeze", [True, False])
@pytest.mark.parametrize("kind", ["tokens", "boundaries"])
def test_layer_norm_counts_what_the_original_code_counts(float64, bilm, kind, freeze):
    """Catches statistics over padding, one mean per token, padding that becomes non-zero, and one
    original code taken for the other: bilm-tf leaves the boundaries out, AllenNLP does not."""
    bilm = bilm.double()
    elmo = Elmo(bilm, layer_norm=kind, freeze=freeze).eval()
    output = elmo(SENTENCES)
    assert output.mask.tolist() == [[True] * 4, [True, True, False, False]]
    around = kind == "boundaries"
    layers, mask = (part.numpy() for part in bilm.packed()(SENTENCES, boundaries=True)[:2])
    if not around:
        layers = np.stack([layers[:, 0, 1:5], layers[:, 1, 1:5]], axis=1)
        mask = np.array([[1, 1, 1, 1], [1, 1, 0, 0]], dtype=bool)
    expected = np.mean([normalised(layer, mask) for layer in layers], axis=0)  # (B, T, 2P)
    found = output.vectors[0].detach().numpy()
    shift = int(around)
    np.testing.assert_allclose(found[0], expected[0, shift : shift + 4], atol=1e-12)
    np.testing.assert_allclose(found[1, :2], expected[1, shift : shift + 2], atol=1e-12)
    assert (found[1, 2:] == 0).all()


def test_the_two_layer_norms_differ(bilm):
    """Catches a test above that either statistics would pass, and True, which says neither."""
    one, other = (Elmo(bilm, layer_norm=k).eval()(SENTENCES) for k in ("tokens", "boundaries"))
    assert (one.vectors[0] - other.vectors[0]).abs().max() > 1e-2
    with pytest.raises(ValueError, match=r'"tokens" .*bilm-tf.*"boundaries" .*AllenNLP'):
        Elmo(bilm, layer_norm=True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_layer_norm_survives_half_precision(dtype):
    """Catches a count above 65,504, and an epsilon that half precision rounds to 0."""
    layers = torch.randn(3, 4, 100, 320)
    layers[1] = 0  # nothing but epsilon
    mask = torch.ones(4, 100, dtype=torch.bool)
    expected = normalise(layers, mask)
    found = normalise(layers.to(dtype), mask)
    assert found.dtype == dtype
    torch.testing.assert_close(found.float(), expected, atol=0.03, rtol=0)


def test_the_number_of_layers_must_fit(bilm):
    """Catches a mix that silently takes the first layers."""
    with pytest.raises(ValueError, match="for 3 layers, not 4"):
        ScalarMix(3)(torch.zeros(4, 1, 1, 2))
    with pytest.raises(ValueError, match="3 layers need 3 initial weights, not 2"):
        ScalarMix(3, initial=[1.0, 2.0])
    assert ScalarMix(2, initial=[9.0, -9.0]).weights()[0] > 0.999


def test_a_frozen_bilm_is_packed_and_quiet(bilm):
    """Catches train() that switches the biLM's slow way on, gradients kept for nothing, weights
    among the task's own, and a frozen biLM that changes with the one it was made from."""
    elmo = Elmo(bilm, mixes=2).train()
    assert elmo.frozen
    before = elmo.bilm(SENTENCES).layers
    assert sum(p.numel() for p in elmo.parameters()) == 2 * (3 + 1)  # L + 1 and a gamma, twice
    assert sum(value.numel() for value in elmo.state_dict().values()) == 2 * (3 + 1)
    output = elmo(SENTENCES)
    assert [v.shape for v in output.vectors] == [(2, 4, 10)] * 2
    loss = sum(v.sum() for v in output.vectors) + 0.1 * elmo.penalty()
    loss.backward()
    assert all(p.grad is not None for p in elmo.parameters())
    assert all(p.grad is None for p in bilm.parameters())
    with torch.no_grad():
        bilm.encoder.projection.bias.add_(1)
    assert torch.equal(elmo.bilm(SENTENCES).layers, before)
    assert torch.equal(Elmo(elmo.bilm).bilm(SENTENCES).layers, before)


def test_dropout_falls_on_the_mixed_vectors_in_training_only(bilm):
    """Catches dropout of 0.5 left on: the classic surprise of the original module."""
    elmo = Elmo(bilm, dropout=0.5).train()
    dropped = (elmo(SENTENCES * 50).vectors[0] == 0)[elmo(SENTENCES * 50).mask]
    assert 0.4 < dropped.float().mean() < 0.6
    elmo.eval()
    assert torch.equal(elmo(SENTENCES).vectors[0], elmo(SENTENCES).vectors[0])
    layers = bilm(SENTENCES).layers
    torch.testing.assert_close(elmo(SENTENCES).vectors[0], layers.mean(dim=0), atol=1e-6, rtol=0)
    assert (elmo(SENTENCES).vectors[0][1, 2:] == 0).all()


def test_several_mixes_share_one_pass(bilm):
    """Catches a biLM that runs once for every mix."""
    passes = []
    bilm.register_forward_hook(lambda *_: passes.append(1))
    elmo = Elmo(bilm, mixes=3, freeze=False)
    assert len(elmo(SENTENCES).vectors) == 3
    assert len(passes) == 1


def test_an_unfrozen_bilm_learns(bilm):
    """Catches a fine-tuned biLM that gets no gradient, or another one than by the layers."""
    bilm.requires_grad_(False).eval()  # as it is loaded
    elmo = Elmo(bilm, dropout=0.0, freeze=False).train()
    assert bilm.training
    assert not elmo.frozen
    elmo(SENTENCES).vectors[0].square().sum().backward()
    found = [p.grad.clone() for p in bilm.parameters()]
    bilm.zero_grad()
    bilm(SENTENCES).layers.mean(dim=0).square().sum().backward()
    for a, p in zip(found, bilm.parameters(), strict=True):
        torch.testing.assert_close(a, p.grad)
        assert p.grad.abs().sum() > 0


def test_a_task_that_fine_tunes_leaves_the_others_frozen(bilm):
    """Catches one biLM whose weights begin to move under every task that shares it."""
    one = Elmo(bilm, dropout=0.0)
    before = one(SENTENCES).vectors[0]
    other = Elmo(bilm, freeze=False)
    other(SENTENCES).vectors[0].sum().backward()
    torch.optim.SGD(other.parameters(), lr=1.0).step()
    assert one.frozen
    assert torch.equal(one(SENTENCES).vectors[0], before)
    assert sum(p.requires_grad for p in one.parameters()) == 2  # scalars and gamma
    with pytest.raises(ValueError, match="a packed biLM cannot learn"):
        Elmo(one.bilm, freeze=False)


def test_a_task_needs_a_mix(bilm):
    """Catches a module that returns no vectors and fails in `penalty` only."""
    with pytest.raises(ValueError, match="at least one mix"):
        Elmo(bilm, mixes=0)


def test_state_passes_through(bilm):
    """Catches a downstream module that forgets the stream."""
    elmo = Elmo(bilm).eval()
    first = elmo(SENTENCES)
    second = elmo(SENTENCES, first.state)
    expected = bilm(SENTENCES, bilm(SENTENCES).state)
    wanted = expected.layers.mean(dim=0)
    torch.testing.assert_close(second.vectors[0], wanted, atol=1e-6, rtol=0)


def test_it_follows_its_bilm_to_another_device_and_the_bilm_follows_it():
    """Catches mixes left on the CPU, and a packed biLM left where `.to` found it."""
    elmo = Elmo(BiLM(OPTIONS, device="meta"), layer_norm="boundaries").eval()
    assert elmo(SENTENCES).vectors[0].device.type == "meta"
    task = torch.nn.Sequential(Elmo(BiLM(OPTIONS), layer_norm="tokens"))
    assert task.double()[0].bilm.dtype == torch.float64
    assert task.to("meta")[0].bilm.device.type == "meta"
    assert task.eval()(SENTENCES).vectors[0].device.type == "meta"
    packed = task[0].bilm
    assert task.to("meta")[0].bilm is packed
