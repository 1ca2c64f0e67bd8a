"""Ten seeds of every cell: the shipped file is whole, and belongs to the recipes."""

from __future__ import annotations

import torch

from course_utils.data.agreement.balanced import PLACES, discourse_pairs
from course_utils.results.agreement import agreement_seeds
from course_utils.shipped import load_recurrent_lm
from course_utils.training.race import agreement as race


def test_the_shipped_race_has_every_seed():
    """Catches a seed that does not fit the story and was left out."""
    seeds = agreement_seeds()
    assert set(seeds) == {*race.CELLS, race.UNTRAINED}
    for own in seeds.values():
        assert tuple(own.every("seed")) == race.SEEDS


def test_the_first_seed_is_the_shipped_network():
    """Catches numbers of another recipe, or of another test part."""
    row = agreement_seeds()["lstm"].rows[0]
    found = race.measured(load_recurrent_lm("agreement_lstm"))
    assert found["unit"] == row["unit"] == 32
    assert found["reads"] == row["reads"]
    assert abs(found["wrong"] - row["wrong"]) < 0.02  # the shipped weights have 16 bits
    assert found["kinds"]["noun-PP"][:2] == row["kinds"]["noun-PP"][:2] == [1, 1]


def test_what_was_learned_is_forgotten_and_words_are_kept():
    """Catches a control that forgets the words too, or nothing."""
    model = load_recurrent_lm("agreement_lstm")
    words, weights = model.embedding.weight.clone(), model.recurrent.weight_hh_l0.clone()
    race.forget(model, 1)
    assert torch.equal(model.embedding.weight, words)
    assert not torch.equal(model.recurrent.weight_hh_l0, weights)


def test_every_ordered_pair_of_places_is_asked():
    """Catches a place that is never asked for, or never against another."""
    pairs = {tuple(item.construction.split()) for item in discourse_pairs()}
    assert len(pairs) == len(PLACES) * (len(PLACES) - 1)
