"""The arms of lecture 05: batches as the lecture draws them, gates that learn or cannot."""

from __future__ import annotations

import torch

from course_utils.data.counting import POWERS_OF_TWO, members
from course_utils.models.language.recognition import right_along
from course_utils.results.counting import best_points, counting_arms
from course_utils.results.files import shipped_rows
from course_utils.training.cookbook.counting import AllowedLoss, counting_batches
from course_utils.training.race import counting_arms as race


def test_the_shipped_arms_are_the_races():
    """Catches an arm or a seed that was left out, and a file that learned for another time."""
    assert {row["steps"] for row in shipped_rows("counting_arms")} == {race.STEPS}
    arms = counting_arms()
    assert list(arms) == list(race.ARMS)
    for points in arms.values():
        assert tuple(point.rate for point in points) == race.RATES
        assert {len(point.longest) for point in points} == {len(race.SEEDS)}
    assert best_points(arms)["bias 1"].median == max(p.median for p in arms["bias 1"])


def test_networks_trained_together_lose_as_the_lectures_does():
    """Catches an embedding folded the wrong way, padding that counts, another seed's texts."""
    seeds = (3, 4)
    models = [race.started(race.ARMS["bias 1"], seed) for seed in seeds]
    together = race.Counters("lstm", models)
    batches = [counting_batches("ab", 30, 16, seed)(7) for seed in seeds]
    counts = torch.stack([race.drawn_counts(30, 16, seed)(7) for seed in seeds])
    read = race.batch_of(members(POWERS_OF_TWO, range(1, 31)), counts)
    found = race.losses(together(read.x), read.asked)
    expected = [
        AllowedLoss()(model, batch).mean for model, batch in zip(models, batches, strict=True)
    ]
    torch.testing.assert_close(found, torch.stack(expected), rtol=1e-4, atol=1e-4)


def test_a_bias_of_20_is_no_gate_that_learns():
    """Catches a gate that is called fixed and moves, and one that is called learning and stays."""
    moved = {}
    for name in ("forget gate fixed at 1", "bias 1"):
        arm = race.ARMS[name]
        ((model,),) = race.run_arm(arm, (4e-2,), 3, seeds=(0,))
        before, after = race.started(arm, 0).recurrent, model.recurrent
        f = slice(10, 20)  # of i, f, g, o
        moved[name] = (after.bias_ih_l0[f] - before.bias_ih_l0[f]).abs().max().item()
        written = (after.bias_ih_l0[:10] - before.bias_ih_l0[:10]).abs().max().item()
        assert written > 0
    assert moved["forget gate fixed at 1"] == 0 < moved["bias 1"]


def test_what_is_measured_is_what_the_card_says():
    """Catches a run that goes on after its first mistake."""
    model = race.started(race.ARMS["PyTorch's start"], 0)
    row = race.measured(model)
    right = right_along(model, members(POWERS_OF_TWO, range(1, 31)))
    assert row["right_in_training"] == right.double().mean().item()
    assert row["longest"] <= row["furthest"]
