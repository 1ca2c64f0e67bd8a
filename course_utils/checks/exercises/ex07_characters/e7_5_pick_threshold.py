"""Exercise 7.5: a threshold, chosen on the right split."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def pick_threshold(
    valid: Tensor, valid_marks: Tensor, test: Tensor, test_marks: Tensor
) -> tuple[float, float]:
    """Return the threshold that is right most often on `valid`, and how often it is on `test`."""

    def right(values: Tensor, marks: Tensor, threshold: float) -> float:
        return ((values >= threshold) == marks).double().mean().item()

    best = max(sorted(set(valid.tolist())), key=lambda t: right(valid, valid_marks, t))
    return best, right(test, test_marks, best)


def _threshold_cases() -> list[Arguments]:
    """Return a text with two equally good thresholds, the larger first, and three others."""
    tie = torch.tensor([3.0, 0.0, 1.0, 2.0]), torch.tensor([True, False, True, False])
    cases: list[Arguments] = [
        (*tie, torch.tensor([1.5, 2.5, 3.5]), torch.tensor([True, True, False]))
    ]
    for valid_size, test_size, seed in ((6, 5, 1), (11, 7, 2), (17, 13, 3)):
        marks = torch.arange(valid_size) % 3 == 0
        test_marks = torch.arange(test_size) % 2 == 0
        valid = (some(valid_size, seed=seed) + 1.2 * marks).mul(10).round() / 10
        test = (some(test_size, seed=seed + 5) + 0.8 * test_marks - 0.4).mul(10).round() / 10
        cases.append((valid, marks, test, test_marks))
    return cases


EXERCISE = Exercise(
    number="7.5",
    task="a threshold, chosen on the right split",
    reference=pick_threshold,
    takes="valid, test: one unit's values; valid_marks, test_marks: bool",
    gives="(threshold, share of test characters that `value >= threshold` says rightly)",
    example=(
        torch.tensor([0.0, 1.0, 2.0]),
        torch.tensor([False, True, True]),
        torch.tensor([0.5, 1.5]),
        torch.tensor([True, True]),
    ),
    cases=_threshold_cases,
    hints=(
        "Which text may you look at while you choose?",
        "Every value of `valid` is a candidate; of several that are equally good, the smallest.",
        "best = max(sorted(set(valid.tolist())), key=lambda t: right(valid, valid_marks, t))",
    ),
    misconceptions=(
        *mistakes("""
            chosen on the test
                set(valid.tolist()) => set(test.tolist()) &&
                right(valid, valid_marks, t) => right(test, test_marks, t)
                You choose the threshold on the test text: then nothing is left that could say how
                good it is on new text.
            reported on the validation text
                right(test, test_marks, best) => right(valid, valid_marks, best)
                The threshold is right, the share is that of the text that chose it.
            zero
                max(sorted(set(valid.tolist())), key=lambda t: right(valid, valid_marks, t)) => 0.0
                Zero is a threshold that nobody measured. Try every value of `valid`.
        """),
        Misconception(
            "between the means",
            Change(
                "max(sorted(set(valid.tolist())), key=lambda t: right(valid, valid_marks, t))",
                "((valid[valid_marks].mean() + valid[~valid_marks].mean()) / 2).item()",
            ),
            "The middle between two means is not where the fewest mistakes are. Try every value of "
            "`valid` and count.",
        ),
        *mistakes("""
            above, not at
                values >= threshold => values > threshold
                You ask value > threshold. You need value >= threshold.
            the largest of several
                set(valid.tolist()) => set(valid.tolist()), reverse=True
                Several thresholds are equally good. Take the smallest of them.
            the wrong share
                right(test, test_marks, best) => 1 - right(test, test_marks, best)
                The threshold is right. You return how often it is wrong on the test text.
            counted, not shared
                right(test, test_marks, best) => right(test, test_marks, best) * len(test)
                The threshold is right. You count the characters; you need their share.
            in percent
                right(test, test_marks, best) => 100 * right(test, test_marks, best)
                The threshold is right, and the share too, but in percent: 0 to 1 is asked for.
            candidates from the test text
                set(valid.tolist()) => set(test.tolist())
                Your thresholds are values of the test text. Nothing of it may be looked at before
                the end: the candidates are the values of `valid`.
            below, not at or above
                values >= threshold => values <= threshold
                Your threshold marks what lies below it. You need value >= threshold.
            the middle value
                right(valid, valid_marks, t)) => -abs(t - valid.median().item()))
                The median halves the values, whatever is marked. Try every value of `valid` and
                count how often it is right.
            the smallest value at a mark
                right(valid, valid_marks, t)) => t == valid[valid_marks].min().item())
                The smallest marked value catches every mark, and much else with it. Try every value
                of `valid` and count how often it is right.
        """),
        Misconception(
            "both texts together",
            lambda valid, valid_marks, test, test_marks: pick_threshold(
                torch.cat([valid, test]), torch.cat([valid_marks, test_marks]), test, test_marks
            ),
            "The test text takes part in the choice. Keep it out until the end.",
        ),
    ),
)
