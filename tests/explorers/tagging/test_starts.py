"""The curves of lecture 08's starts are the shipped runs, at the steps that they name."""

from __future__ import annotations

from statistics import mean

import pytest

from course_utils.explorers.tagging.results import BUDGETS, CHOSEN, label_curves, step_curves
from course_utils.results.tagging import accuracies, settings_of, settled

SLOWED = {"group": "labels", "start": "slowed"}


@pytest.mark.parametrize("said", [name for name in BUDGETS if name != CHOSEN])
def test_a_budget_is_the_one_that_is_named(said):
    """Catches sixteen times the steps under the name of four times, and another's runs."""
    fewest, most = (int(end.replace(",", "")) for end in said.split(" to "))
    curves = label_curves(("slowed",), budget=BUDGETS[said])
    for place, steps in ((0, fewest), (-1, most)):
        runs = accuracies(**SLOWED, labels=curves.places[place], steps=steps)
        assert curves.means["slowed"][place] == pytest.approx(mean(runs))


def test_the_chosen_steps_are_looked_up_seed_by_seed():
    """Catches the best curve of all in place of what every seed's validation part chose."""
    curves = label_curves(("slowed", "counts"))
    for k, labels in enumerate(curves.places):
        assert curves.means["slowed"][k] == pytest.approx(mean(settled(**SLOWED, labels=labels)))
        counted = accuracies(group="labels", start="counts", labels=labels)
        assert curves.means["counts"][k] == pytest.approx(mean(counted))


def test_a_curve_over_steps_has_every_budget_and_a_count_has_none():
    """Catches a curve over labels, and a count of words that seems to learn."""
    curves = step_curves(("slowed", "counts"), 200)
    assert curves.places == settings_of("steps", **SLOWED, labels=200)
    assert len(curves.places) == len(BUDGETS) - 1
    for k, steps in enumerate(curves.places):
        runs = accuracies(**SLOWED, labels=200, steps=steps)
        assert curves.means["slowed"][k] == pytest.approx(mean(runs))
    assert len(set(curves.means["counts"])) == 1
    assert curves.across == "steps"
