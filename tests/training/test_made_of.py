"""What ELMo is made of: the shipped rows are whole, stopped by one rule, and looked up in pairs."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.results import made_of
from course_utils.results.made_of import INGREDIENTS, SETTINGS, SIZES
from course_utils.training.race.using_elmo.board import BOARD, MAIN, RACE, most_steps
from course_utils.training.race.using_elmo.converge import PATIENCE, Asked, Check, best_of, finished
from course_utils.training.race.using_elmo.samples import FOLDS, fold_of


def test_every_ingredient_ran_at_every_size_with_every_seed():
    """Catches seeds that did badly and were left out, and laps that nobody ran."""
    assert set(INGREDIENTS) == set(MAIN)
    assert set(BOARD) == {*INGREDIENTS, *SETTINGS}
    wanted = {(lap.key["task"], lap.key["size"], lap.key["variant"], seed)
              for lap in RACE.laps(None, None) for seed in range(FOLDS)}  # fmt: skip
    found = [(r["task"], r["size"], r["variant"], r["seed"]) for r in made_of.made_of()]
    assert len(found) == len(wanted)
    assert set(found) == wanted


def test_a_shipped_score_is_the_one_that_the_validation_sentences_chose():
    """Catches the best step of the test sentences, and the last one."""
    for row in made_of.made_of():
        if "curve" not in row:
            continue
        steps, valid, test = zip(*row["curve"], strict=True)
        chosen = int(np.argmax(valid))
        assert (row["steps"], row["score"]) == (steps[chosen], test[chosen])


def test_every_training_ended_by_the_rule_or_at_its_limit():
    """Catches a variant that was stopped while it gained, and one that was given more steps."""
    for task, size, variant in {(r["task"], r["size"], r["variant"]) for r in made_of.made_of()}:
        rows = [r for r in made_of.made_of() if (r["task"], r["size"], r["variant"]) == (
            task, size, variant) and "curve" in r]  # fmt: skip
        if not rows:
            continue
        kind = "tagging" if task in ("ud_english_ewt", "grammar") else "classification"
        [steps] = {tuple(check[0] for check in row["curve"]) for row in rows}
        at_limit = steps[-1] == most_steps(kind, size)
        assert at_limit or not any(row["steps"] in steps[-PATIENCE:] for row in rows)


def test_training_goes_on_while_one_network_still_gains():
    """Catches an end that the mean decides, and one check too few behind the best."""

    def checks(*valid):
        return [Check(25, Asked(torch.tensor(v), torch.zeros(2)), None) for v in valid]

    early, late = (0.9, 0.1), (0.8, 0.2)
    assert best_of(checks(early, late, early)).tolist() == [0, 1]
    assert not finished(checks(early, late, early))
    assert finished(checks(early, late, early, early))


def test_what_has_ended_stays_what_it_was():
    """Catches a share of a later step, and an answer before the first."""
    curve = made_of.Learned([25, 50, 100], np.array([[0.1, 0.3], [0.5, 0.6], [0.6, 0.7]]))
    assert curve.after(60).tolist() == [0.5, 0.6]
    assert curve.after(3200).tolist() == [0.6, 0.7]
    assert curve.until(0.55) == 50
    with pytest.raises(LookupError):
        curve.until(0.9)


def test_differences_are_taken_seed_by_seed():
    """Catches seeds in another order, and a gain with the wrong sign."""
    task, (first, *_) = next(iter(SIZES.items()))
    ahead = made_of.gain(task, first, "elmo", "words")
    elmo, words = (made_of.reached(task, name).at(first) for name in ("elmo", "words"))
    np.testing.assert_allclose(ahead, elmo - words)
    mean, low, high = made_of.interval(ahead)
    assert low < mean < high
    assert made_of.interval([1, 1, 1, 1, 1]) == (1, 1, 1)


def test_no_two_seeds_are_asked_about_one_sentence():
    """Catches intervals that leave out the luck of the test sentences."""
    tested = [{id(example) for example in fold_of("grammar", seed).test} for seed in range(FOLDS)]
    assert not any(tested[a] & tested[b] for a in range(FOLDS) for b in range(a))
