"""Exercise 6.5: an ablation with its control."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def drop_with_control(choose: Tensor, report: Tensor) -> dict[str, float]:
    """Return the unit with the largest drop, its drop on other items, and the others' median."""
    unit = int(choose.argmax())
    others = torch.cat([report[:unit], report[unit + 1 :]])
    return {"unit": unit, "drop": report[unit].item(), "others": others.median().item()}


def _drops() -> list[tuple[Tensor, Tensor]]:
    """Return drops of even numbers of units, so that the others have one in the middle."""
    cases = []
    for H in (6, 8, 12):
        choose, report = some(H, seed=H).abs() / 9, some(H, seed=H + 1).abs() / 9
        choose[H // 2], report[H // 2] = 0.5, 0.31
        report[0] = 0.62  # luck on the items that are reported
        if H == 8:
            report[H // 2] = 0.01  # and on those that chose
        if H == 12:
            choose[1], report[1] = -0.7, -0.4  # without this unit more is right
        cases.append((choose, report))
    return cases


EXERCISE = Exercise(
    number="6.5",
    task="an ablation with its control",
    kind="design",
    reference=drop_with_control,
    takes="choose, report (H,): how much accuracy each unit's loss costs, on two sets of items",
    gives='a dict {"unit": number, "drop": its drop on new items, "others": the median drop of '
    "the other units there}",
    example=(torch.tensor([0.0, 0.25, 0.125, 0.0]), torch.tensor([0.0, 0.5, 0.125, 0.25])),
    cases=_drops,
    hints=(
        "Which of the two sets may you look at while you choose?",
        "The unit comes from choose, its drop and the control from report.",
        "unit = choose.argmax(); the others are all entries of report but report[unit].",
    ),
    misconceptions=mistakes("""
        chosen where it is reported
            choose.argmax => report.argmax
            You choose the unit on the items on which you report it: the best of many is
            flattered by luck. Choose by `choose`, report by `report`.
        reported where it was chosen
            report[unit].item() => choose[unit].item()
            The unit is right, its drop is the one that made you choose it: too good to be true.
            New items say what it is.
        largest in size
            choose.argmax => choose.abs().argmax
            You look for the largest change, whichever way it goes. A negative drop means that
            accuracy rises without the unit: its loss costs nothing.
        control with the unit in it
            others.median() => report.quantile(0.5)
            The control holds the unit itself. Leave it out.
        control with the unit in it, the lower of two
            others.median() => report.median()
            report.median() holds the unit itself. Leave it out.
        mean of the others
            others.median() => others.mean()
            That is the mean of the others: one strong unit among them moves it. You need
            the median, the typical unit.
        smallest drop
            choose.argmax => choose.argmin
            You took the unit whose loss costs least.
        control on the items that chose
            report[:unit], report[unit + 1 :] => choose[:unit], choose[unit + 1 :]
            The unit and its drop are right. The others' median must come from the same items as
            the drop.
        all on the items that chose
            report[:unit], report[unit + 1 :] => choose[:unit], choose[unit + 1 :] &&
            report[unit].item() => choose[unit].item()
            Everything here comes from the items that chose the unit: there it looks better than
            it is. Report on the others.
        chosen on both
            choose.argmax => (choose + report).argmax
            You look at report while you choose: items flatter what they choose.
        counted from one
            "unit": unit => "unit": unit + 1
            The right unit, counted from 1. Units are numbered from 0.
        drop above the others
            report[unit].item() => (report[unit] - others.median()).item()
            You take the others' median off the drop. Report both, side by side.
        mean of both sets
            report[unit].item() => (choose + report)[unit].item() / 2
            Half of this drop was measured where it was chosen. Report it on new items only.
        largest of the others
            others.median() => others.max()
            That is the largest drop of the others. You need the median: what a typical
            unit's loss costs.
    """),
)
