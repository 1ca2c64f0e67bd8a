"""Gains of the paper, spaces of senses, views of a gap."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import log_softmax

from course_utils.analysis.using_elmo.paper import SIX_TASKS, PaperTask
from course_utils.analysis.using_elmo.spaces import SenseSpace, window_vectors, words_right
from course_utils.analysis.using_elmo.views import gap_scores
from course_utils.data.using_elmo.senses import Use, sense_uses
from course_utils.models.elmo import BOS, EOS, BiLanguageModel, Options
from course_utils.models.static_vectors import StaticVectors
from course_utils.settings import UNKNOWN

OPTIONS = Options(projection=5, cells=7, layers=2, filters=((1, 3), (2, 4)), char_dim=4)


def test_a_misprint_in_the_table_would_be_seen():
    """Catches a comparison that agrees with everything."""
    assert all(task.agrees for task in SIX_TASKS)
    assert not PaperTask("SNLI", "", 88.0, 88.7, 5.9, 1).agrees
    assert not PaperTask("NER", "", 90.15, 92.22, 22, 0).agrees


def test_a_window_is_its_neighbours_mean():
    """Catches a window that holds the word itself, and one that reaches too far."""
    table = StaticVectors(list("abcde"), torch.eye(5))
    use = Use(list("abcde"), 2, "", 0)
    assert window_vectors([use], table, 1).tolist() == [[0, 0.5, 0, 0.5, 0]]
    assert window_vectors([use], table, 9).tolist() == [[0.25, 0.25, 0, 0.25, 0.25]]


def test_a_mix_of_one_layer_is_that_layer():
    """Catches weights that are not shares, and words that are counted under another's name."""
    uses = sense_uses(each=2)
    space = SenseSpace(uses)
    gold = torch.nn.functional.one_hot(space.sense).float()
    layers = torch.stack([torch.ones_like(gold), gold + 0.01 * torch.rand_like(gold)])
    assert words_right(space, layers, (0.0, 0.3)).mean == 1
    assert words_right(space, layers, (1.0, 0.0)).mean == pytest.approx(5 / 11) == space.chance
    assert words_right(space, layers, (0.0, 0.0)).mean == 1  # nothing set: equal shares
    assert space.words[0] == "right"


def test_a_lead_is_drawn_over_clauses_not_over_uses():
    """Catches uses drawn one by one, a lead with its sign turned, a word that counts double."""
    space = SenseSpace(sense_uses(each=3))
    right = torch.nn.functional.one_hot(space.sense).float()
    blind = torch.ones_like(right)
    drawn = space.lead(right, blind, draws=50)
    assert drawn.shape == (50,)
    assert drawn.tolist() == pytest.approx([6 / 11] * 50)  # every clause gains alike
    assert space.lead(blind, right, draws=50).mean() < -0.5
    spreads = []
    for each in (1, 3):
        space = SenseSpace(sense_uses(each=each))
        gold = torch.nn.functional.one_hot(space.sense).float()
        gold[space.clause % 2 == 0] = 1  # half of the clauses cannot be told from one another
        drawn = space.lead(gold, torch.ones_like(gold), draws=400)
        assert drawn.mean().item() == pytest.approx(space.ask(gold).mean - 5 / 11, abs=0.02)
        spreads.append(drawn.std().item())
    assert spreads[1] == pytest.approx(spreads[0], rel=0.2)  # a clause three times is one clause


def test_a_gap_is_scored_without_its_word():
    """Catches a view that has seen the word, sides exchanged, and unknown words asked for."""
    torch.manual_seed(5)
    model = BiLanguageModel(OPTIONS, [UNKNOWN, BOS, EOS, "a", "b", "c", "d"]).eval()
    for lstms in model.bilm.directions:
        for lstm in lstms:
            lstm.weight_hr.data *= 20
    alone = log_softmax(torch.randn(7), 0)
    sentences = [["a", "zebra", "c"], ["d", "b"]]
    found = gap_scores(model, sentences, alone)
    assert found.words == 4
    nats = torch.zeros(3)
    for sentence in sentences:
        guesses = model.guesses(sentence, top=7)
        for word, guess in zip(sentence, guesses, strict=True):
            if word == "zebra":
                continue
            logs = []
            for side in (guess.forward, guess.backward):
                log = torch.empty(7)
                log[model.numbers(side.words)] = torch.tensor(side.probabilities).log()
                log[0] = torch.tensor(side.probabilities[side.words.index(UNKNOWN)]).log()
                logs.append(log)
            both = (logs[0] + logs[1] - alone).log_softmax(0)
            nats -= torch.stack([log[model.number[word]] for log in (*logs, both)])
    expected = (nats / 4).exp().tolist()
    assert found[:3] == pytest.approx(expected, rel=1e-3)
