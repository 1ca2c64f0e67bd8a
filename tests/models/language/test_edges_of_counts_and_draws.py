"""The last n-gram, texts without pairs, and the shapes and seeds that a draw may have."""

from __future__ import annotations

import pytest
import torch

from course_utils.models import NGramLM
from course_utils.models.language.sampling import Sampler, shaped, without

TEXT = torch.tensor([0, 3, 1, 3, 1, 0, 2, 3, 1, 0, 3, 3])


@pytest.mark.parametrize("order", [1, 2, 3])
def test_every_ngram_of_the_text_is_found_and_no_other(order):
    """Catches: the last of the sorted n-grams never found, and a neighbour taken for it."""
    model = NGramLM(5, order).fit(TEXT)  # token 4 is never seen
    assert [len(level.keys) for level in model.levels] == [4, 7, 9][:order]
    everything = torch.cartesian_prod(*[torch.arange(5)] * order).reshape(-1, order)
    seen = {tuple(TEXT[t : t + order].tolist()) for t in range(len(TEXT) - order + 1)}
    for ngram in everything:
        node = torch.zeros((), dtype=torch.long)
        for level, token in zip(model.levels, ngram, strict=True):
            node = level.find(node, token, 5)
        assert (int(node) >= 0) == (tuple(ngram.tolist()) in seen), ngram


@pytest.mark.parametrize(
    ("text", "discount"),
    [
        ([0, 1, 2], 0.75),  # no token twice
        ([0, 0, 1, 1], 0.75),  # none once
        ([0, 0, 0], 0.75),
        ([0, 1, 1], 1 / 3),
        ([0, 2, 1, 1], 2 / 4),
    ],
)
def test_where_nothing_can_be_estimated_the_discount_is_three_quarters(text, discount):
    """Catches: a discount of 0, or of 1, which leaves what was seen nothing."""
    model = NGramLM(3, 1).fit(text)
    assert model.levels[0].discount == pytest.approx(discount)
    log_p = model.next_log_probs([0])
    assert log_p.exp().sum().item() == pytest.approx(1)
    assert log_p.isfinite().all()


def test_a_text_may_be_as_long_as_one_ngram_and_no_shorter():
    """Catches: a bound that is off by one."""
    assert len(NGramLM(3, 3).fit([0, 1, 2]).levels) == 3
    with pytest.raises(ValueError, match=r"2 tokens hold no 3-gram"):
        NGramLM(3, 3).fit([0, 1])


@pytest.mark.parametrize("settings", [(0.0,), (0.7,), (1.3, 3), (0.9, None, 0.8), (2.0, 4, 0.6)])
def test_what_is_drawn_from_has_any_shape(settings):
    """Catches: an axis counted from the front, which is another one where there are three."""
    log_p = torch.randn(3, 2, 7, generator=torch.Generator().manual_seed(0)).log_softmax(-1)
    whole = shaped(log_p, *settings)
    assert torch.allclose(whole.sum(dim=-1), torch.ones(3, 2))
    left = without(log_p, {1, 4})
    for i in range(3):
        assert torch.allclose(shaped(log_p[i], *settings), whole[i])
        assert torch.allclose(without(log_p[i], {1, 4}), left[i])
        for j in range(2):
            row = shaped(log_p[i, j], *settings)
            assert torch.allclose(row, whole[i, j])
            assert row.argmax() == log_p[i, j].argmax()
            if settings == (0.0,):
                assert sorted(row.tolist()) == [0.0] * 6 + [1.0]


def test_without_a_seed_no_two_are_alike():
    """Catches: seeds out of a hat with a few in it."""
    torch.manual_seed(0)
    seeds = {Sampler(5, rows=1).generators[0].initial_seed() for _ in range(200)}
    assert len(seeds) == 200
    assert max(seeds) > 2**30 > 2**29 > min(seeds)
    assert max(seeds) < 2**31


def test_what_stands_only_at_the_start_follows_nothing():
    """Catches: a token without any left neighbour counted among those that have one: then the
    probabilities add up to more than one."""
    model = NGramLM(5, 2).fit([4, 0, 1, 0, 2])
    assert model.levels[0].kinds.tolist() == [3]
    for token in range(5):
        assert model.next_log_probs([token]).exp().sum().item() == pytest.approx(1)


def test_the_nucleus_may_be_everything_and_no_more():
    """Catches: a bound that is off, on either side."""
    assert Sampler(5, 1, top_p=1).top_p == 1
    for top_p in (0, -0.1, 1.001, 1.5):
        with pytest.raises(ValueError, match=r"top_p must be above 0 and at most 1"):
            Sampler(5, 1, top_p=top_p)


@pytest.mark.parametrize(("point", "drawn"), [(0.0, 1), (1 - 2**-53, 3)])
def test_the_ends_of_the_line_belong_to_what_may_be_said(monkeypatch, point, drawn):
    """Catches: a token without any probability that is drawn once in many years."""
    monkeypatch.setattr(torch, "rand", lambda n, **_: torch.full((n,), point, dtype=torch.float64))
    log_p = torch.tensor([[0.1, 0.2, 0.3, 0.15, 0.25]]).log()
    assert Sampler(5, 1, seed=0, never=(0, 4)).draw(log_p) == [drawn]
