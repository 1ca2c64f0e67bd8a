"""Taggers side by side: every one computes and learns what it would alone."""

from __future__ import annotations

import torch
from torch import nn

from course_utils.models.layers.recurrent import CELLS as LAYERS
from course_utils.models.tagging.batch import Batch
from course_utils.models.tagging.networks import Tagger
from course_utils.models.using_elmo import BagClassifier, WithLayers
from course_utils.training.batched.cells import CELLS
from course_utils.training.batched.read import read
from course_utils.training.race.using_elmo.converge import Asked, Check, best_of, finished
from course_utils.training.race.using_elmo.networks import Bags, Taggers, losses
from course_utils.training.race.using_elmo.words_in_order import Sentences


def test_every_state_and_every_gradient_is_the_layers_own():
    """Catches a step whose gradient is lost, and networks that leak into each other."""
    torch.manual_seed(0)
    layers = [LAYERS["lstm"](3, 4) for _ in range(2)]
    x = torch.randn(5, 2, 6, 3)  # (T, P, B, D)
    wanted = torch.randn(5, 2, 6, 4)
    U = torch.stack([layer.weight_hh_l0.detach() for layer in layers]).requires_grad_()
    sums = (
        torch.stack(
            [
                x[:, p] @ layer.weight_ih_l0.T + layer.bias_ih_l0 + layer.bias_hh_l0
                for p, layer in enumerate(layers)
            ],
            dim=1,
        )
        .mT.detach()
        .requires_grad_()
    )  # (T, P, R, B)
    states = read(U, sums, CELLS["lstm"]).mT
    (states * wanted).sum().backward()
    for p, layer in enumerate(layers):
        own = x[:, p].clone().requires_grad_()
        h = layer(own)[0]
        assert torch.allclose(h, states[:, p], atol=1e-5)
        (h * wanted[:, p]).sum().backward()
        assert torch.allclose(layer.weight_hh_l0.grad, U.grad[p], atol=1e-4)
        through = sums.grad[:, p].mT @ layer.weight_ih_l0.detach()
        assert torch.allclose(own.grad, through, atol=1e-4)


def sentences(P: int, B: int, T: int, taggers: bool) -> Sentences:
    generator = torch.Generator().manual_seed(1)
    lengths = torch.randint(2, T + 1, (P, B), generator=generator)
    lengths[:, 0] = T
    labels = torch.randint(3, (P, B, T) if taggers else (P, B), generator=generator)
    if taggers:
        labels[torch.arange(T) >= lengths.unsqueeze(-1)] = -100
    tokens = torch.randint(9, (P, B, T), generator=generator)
    return Sentences(torch.zeros(P, B), tokens, labels, lengths)


def test_taggers_with_a_mix_are_with_layers():
    """Catches a direction that reads the padding, and a mix in the wrong place."""
    batch, layers = sentences(2, 4, 6, taggers=True), torch.randn(3, 2, 4, 6, 5)
    for place in ("input", "output", "both"):
        torch.manual_seed(3)
        sizes = {"given": 5 * (place != "output"), "late": 5 * (place != "input")}
        networks = [WithLayers(Tagger(3, 9, 4, 6, **sizes), 3, place).eval() for _ in range(2)]
        for network in networks:
            for mix in network.mixes.values():
                nn.init.normal_(mix.scalars)
        together = Taggers(networks)
        logits = together(batch, layers)
        found = losses(logits, batch.labels)
        for p, network in enumerate(networks):
            own = Batch(batch.lengths[p], tokens=batch.tokens[p], labels=batch.labels[p])
            assert torch.allclose(network.loss(own, layers[:, p]), found[p], atol=1e-5)
            assert torch.allclose(network.penalty(), together.penalty()[p], atol=1e-5)


def test_bags_are_bag_classifiers():
    """Catches a mean that divides by the padding."""
    batch, layers = sentences(2, 4, 6, taggers=False), torch.randn(2, 2, 4, 5)
    networks = [WithLayers(BagClassifier(3, 9, 4, 5), 2).eval() for _ in range(2)]
    logits = Bags(networks)(batch, layers)
    for p, network in enumerate(networks):
        own = Batch(batch.lengths[p], tokens=batch.tokens[p])
        alone = network(own, layers[:, p].unsqueeze(2))
        assert torch.allclose(alone, logits[p], atol=1e-5)


def test_the_best_check_on_validation_counts():
    """Catches steps chosen on the test part, and a run that ends while one network improves."""

    def check(steps: int, *valid: float) -> Check:
        return Check(steps, Asked(torch.tensor(valid), torch.tensor([1.0, 0.0])), None)

    checks = [check(25, 0.5, 0.6), check(50, 0.7, 0.6), check(100, 0.6, 0.5)]
    assert best_of(checks).tolist() == [1, 0]
    assert not finished(checks)
    assert finished([*checks, check(200, 0.7, 0.6)])
