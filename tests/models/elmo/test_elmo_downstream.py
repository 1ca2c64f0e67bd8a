"""Mixing layers, and ELMo as a task uses it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.models.elmo import BiLM, Elmo, Options, ScalarMix

OPTIONS = Options(projection=5, cells=11, layers=2, filters=((1, 3), (3, 4)), char_dim=4)
SENTENCES = [["the", "sea", "is", "calm"], ["calm", "seas"]]


@pytest.fixture
def bilm():
    """Return a small model."""
    return BiLM(OPTIONS)


def test_the_mix_is_the_papers_formula(float64):
    """Catches weights without the softmax, gamma inside it, and layers in another order."""
    mix = ScalarMix(3)
    layers = torch.randn(3, 2, 7, 5)
    torch.testing.assert_close(mix(layers), layers.mean(dim=0))  # s = 0, gamma = 1
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


def test_layer_norm_counts_real_positions_only(float64):
    """Catches statistics over padding, one mean per token, and padding that becomes non-zero."""
    mix = ScalarMix(3, layer_norm=True)
    layers = 3 + 2 * torch.randn(3, 2, 4, 5)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    layers = layers * mask[..., None]
    expected = np.zeros((2, 4, 5))
    for layer in layers.numpy():
        real = layer[mask.numpy()]  # (6, 5)
        normal = (layer - real.mean()) / np.sqrt(real.var() + 1e-12)
        expected += normal * mask.numpy()[..., None] / 3
    np.testing.assert_allclose(mix(layers, mask).detach().numpy(), expected, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_layer_norm_survives_half_precision(dtype):
    """Catches a count above 65,504, and an epsilon that half precision rounds to 0."""
    layers = torch.randn(3, 4, 100, 320)
    layers[1] = 0  # nothing but epsilon
    mix = ScalarMix(3, layer_norm=True)
    expected = mix(layers)
    found = mix(layers.to(dtype))
    assert found.dtype == dtype
    torch.testing.assert_close(found.float(), expected, atol=0.03, rtol=0)


def test_the_number_of_layers_must_fit(bilm):
    """Catches a mix that silently takes the first layers."""
    with pytest.raises(ValueError, match="for 3 layers, not 4"):
        ScalarMix(3)(torch.zeros(4, 1, 1, 2))
    with pytest.raises(ValueError, match="3 layers need 3 initial weights, not 2"):
        ScalarMix(3, initial=[1.0, 2.0])
    assert ScalarMix(2, initial=[9.0, -9.0]).weights()[0] > 0.999


def test_a_frozen_bilm_stays_frozen_quiet_and_fast(bilm):
    """Catches train() that switches the biLM's slow way on, and gradients kept for nothing."""
    before = {name: value.clone() for name, value in bilm.state_dict().items()}
    elmo = Elmo(bilm, mixes=2).train()
    assert not bilm.training
    trainable = [p for p in elmo.parameters() if p.requires_grad]
    assert sum(p.numel() for p in trainable) == 2 * (3 + 1)  # L + 1 weights and a gamma, twice
    output = elmo(SENTENCES)
    assert [v.shape for v in output.vectors] == [(2, 4, 10)] * 2
    loss = sum(v.sum() for v in output.vectors) + 0.1 * elmo.penalty()
    loss.backward()
    torch.optim.SGD(trainable, lr=0.1).step()
    for name, value in bilm.state_dict().items():
        assert torch.equal(value, before[name])
    assert all(p.grad is None for p in bilm.parameters())
    assert all(p.grad is not None for p in trainable)


def test_dropout_falls_on_the_mixed_vectors_in_training_only(bilm):
    """Catches dropout of 0.5 left on: the classic surprise of the original module."""
    elmo = Elmo(bilm, dropout=0.5).train()
    dropped = (elmo(SENTENCES * 50).vectors[0] == 0)[elmo(SENTENCES * 50).mask]
    assert 0.4 < dropped.float().mean() < 0.6
    elmo.eval()
    assert torch.equal(elmo(SENTENCES).vectors[0], elmo(SENTENCES).vectors[0])
    layers = bilm(SENTENCES).layers
    torch.testing.assert_close(elmo(SENTENCES).vectors[0], layers.mean(dim=0))
    assert (elmo(SENTENCES).vectors[0][1, 2:] == 0).all()


def test_several_mixes_share_one_pass(bilm):
    """Catches a biLM that runs once for every mix."""
    passes = []
    bilm.register_forward_hook(lambda *_: passes.append(1))
    elmo = Elmo(bilm, mixes=3)
    assert len(elmo(SENTENCES).vectors) == 3
    assert len(passes) == 1


def test_an_unfrozen_bilm_learns(bilm):
    """Catches a fine-tuned biLM that gets no gradient, or another one than by the layers."""
    elmo = Elmo(bilm, dropout=0.0, freeze=False).train()
    assert bilm.training
    elmo(SENTENCES).vectors[0].square().sum().backward()
    found = [p.grad.clone() for p in bilm.parameters()]
    bilm.zero_grad()
    bilm(SENTENCES).layers.mean(dim=0).square().sum().backward()
    for a, p in zip(found, bilm.parameters(), strict=True):
        torch.testing.assert_close(a, p.grad)
        assert p.grad.abs().sum() > 0


def test_a_task_needs_a_mix(bilm):
    """Catches a module that returns no vectors and fails in `penalty` only."""
    with pytest.raises(ValueError, match="at least one mix"):
        Elmo(bilm, mixes=0)


def test_a_bilm_can_be_thawed_later(bilm):
    """Catches requires_grad_(True) that brings no gradient because freezing was noted elsewhere."""
    elmo = Elmo(bilm, dropout=0.0).train()
    assert elmo.frozen
    bilm.requires_grad_(True)
    assert not elmo.train().frozen
    elmo(SENTENCES).vectors[0].sum().backward()
    assert all(p.grad is not None for p in bilm.parameters())


def test_state_passes_through(bilm):
    """Catches a downstream module that forgets the stream."""
    elmo = Elmo(bilm).eval()
    first = elmo(SENTENCES)
    second = elmo(SENTENCES, first.state)
    expected = bilm(SENTENCES, bilm(SENTENCES).state)
    torch.testing.assert_close(second.vectors[0], expected.layers.mean(dim=0))


def test_it_follows_its_bilm_to_another_device():
    """Catches mixes left on the CPU."""
    elmo = Elmo(BiLM(OPTIONS, device="meta"), layer_norm=True).eval()
    assert elmo(SENTENCES).vectors[0].device.type == "meta"
