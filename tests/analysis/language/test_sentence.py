"""A sentence through a language model, gaps filled, memories cut: against loops written by hand."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import torch

from course_utils.analysis.language.judged import (
    gap_perplexity,
    perplexity_by_context,
    perplexity_with_cut,
)
from course_utils.analysis.language.sentence import run_sentence
from course_utils.models.language import GapLM, RecurrentLM, WindowLM

CELLS = ("elman", "gru", "lstm")


@pytest.fixture
def model() -> RecurrentLM:
    """Give a small random Elman model in float64."""
    torch.manual_seed(4)
    return RecurrentLM(11, "elman", width=3, hidden=5).double()


@pytest.mark.parametrize("cell", CELLS)
def test_the_gradient_at_a_state_is_what_a_nudge_of_it_does(cell):
    """Catches a gradient that leaves out the later losses, or the step's own."""
    torch.manual_seed(5)
    net = RecurrentLM(11, cell, width=3, hidden=5).double()
    tokens = torch.tensor([1, 4, 9, 2, 7])
    run = run_sentence(net, tokens)
    for t in range(4):
        slopes = [
            (mean_loss(net, tokens, t, unit, 1e-6) - mean_loss(net, tokens, t, unit, -1e-6)) / 2e-6
            for unit in range(5)
        ]
        assert run.d_h[t].item() == pytest.approx(math.hypot(*slopes), rel=1e-5)


def mean_loss(net, tokens, nudged_at: int, unit: int, size: float) -> float:
    """Return J when one unit of one state is nudged, for its own softmax and all later steps."""
    state, losses = None, []
    with torch.no_grad():
        for t, (token, asked) in enumerate(pairwise(tokens)):
            _, state = net.recurrent(net.embedding(token[None, None]), state)
            h = state[0] if isinstance(state, tuple) else state
            if t == nudged_at:
                h[0, 0, unit] += size
            losses.append(-net.output(h[0, 0]).log_softmax(0)[asked])
    return torch.stack(losses).mean().item()


def test_losses_and_expectations_are_the_models(model):
    """Catches targets shifted by one, and probabilities of another step."""
    tokens = torch.tensor([1, 4, 9, 2, 7, 7])
    run = run_sentence(model, tokens)
    scored = model.log_probs(tokens)  # float32
    torch.testing.assert_close(run.loss.float(), -scored)
    torch.testing.assert_close(run.p_asked.float(), scored.exp())
    after = model.next_log_probs(tokens[:3]).exp()
    torch.testing.assert_close(run.p_likeliest[2], after.topk(3).values)
    assert run.read.tolist() == tokens[:-1].tolist()


def test_with_its_own_words_it_reads_what_it_expected(model):
    """Catches a switch that changes nothing, and an unknown word that is said."""
    tokens = torch.tensor([1, 4, 9, 2, 7, 7])
    run = run_sentence(model, tokens, own_words=True)
    assert run.read[1:].tolist() == run.likeliest[:-1, 0].tolist()
    assert run.asked.tolist() == tokens[1:].tolist()
    first = int(run.read[1])
    shy = run_sentence(model, tokens, own_words=True, never=first)
    assert first not in shy.read[1:].tolist()


@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_no_side_sees_the_gap_and_each_sees_its_own(side):
    """Catches a reading shifted by one, which would see the word that it must guess."""
    torch.manual_seed(6)
    filler = GapLM(11, side, width=3, hidden=6).double()
    tokens = torch.randint(11, (7, 2))
    before = filler(tokens)  # gaps at 1..5
    changed = tokens.clone()
    changed[3] = (tokens[3] + 1) % 11
    moved = (filler(changed) - before).abs().amax((1, 2)) > 1e-9
    left, right = [False, False, False, True, True], [True, True, False, False, False]
    both = [a or b for a, b in zip(left, right, strict=True)]
    assert moved.tolist() == {"left": left, "right": right, "both": both}[side]
    assert filler.output.in_features == 6


def test_a_gap_model_that_knows_nothing_is_in_doubt_among_all():
    """Catches a mean over pieces of different lengths that weighs them alike, and no exp."""
    filler = GapLM(11, "both", width=3, hidden=6)
    torch.nn.init.zeros_(filler.output.weight)
    torch.nn.init.zeros_(filler.output.bias)
    assert gap_perplexity(filler, torch.randint(11, (333,)), 7) == pytest.approx(11, rel=1e-5)
    with pytest.raises(ValueError, match="side"):
        GapLM(11, "above")


def test_a_window_cannot_tell_a_cut_that_lies_before_it(model):
    """Catches words that count with less context than promised, or other words in each reading."""
    torch.manual_seed(7)
    tokens = torch.randint(11, (200,))
    window = WindowLM(11, window=6, width=3, hidden=5).double()
    with torch.no_grad():
        for net in (window, model):
            net.embedding.weight.mul_(40)  # so that old words are felt
        model.recurrent.weight_hh_l0.mul_(3)
    blind = perplexity_with_cut(window, tokens, steps=6)
    assert blind.cut == pytest.approx(blind.whole, rel=1e-6)
    short = perplexity_with_cut(window, tokens, steps=3)
    assert short.cut != pytest.approx(short.whole, rel=1e-5)
    memory = perplexity_with_cut(model, tokens, steps=6)
    assert memory.cut != pytest.approx(memory.whole, rel=1e-5)


def test_a_context_is_the_words_right_before(model):
    """Catches a context that is one word off, other words asked for each, and states carried on."""
    torch.manual_seed(7)
    tokens = torch.randint(11, (40,))
    with torch.no_grad():
        model.embedding.weight.mul_(40)
        found = perplexity_by_context(model, tokens, (2, 5))
        for n, perplexity in found.items():
            by_hand = [
                model(tokens[t - n : t, None])[0][-1, 0].log_softmax(0)[tokens[t]]
                for t in range(5, 40)
            ]
            assert perplexity == pytest.approx(torch.stack(by_hand).mean().neg().exp().item())
    assert found[2] != pytest.approx(found[5], rel=1e-5)
