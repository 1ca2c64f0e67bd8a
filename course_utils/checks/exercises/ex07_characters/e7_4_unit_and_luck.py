"""Exercise 7.4: a unit, and the level of luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def unit_and_luck(
    choose: Tensor,
    choose_marks: Tensor,
    report: Tensor,
    report_marks: Tensor,
    shifts: Sequence[Any],
) -> dict[str, float]:
    """Return the unit that is chosen, what it scores on new text, and what luck reaches there."""
    found: list[tuple[int, float]] = []
    for by in (0, *shifts):
        chosen = _areas(choose, choose_marks.roll(by))
        shown = _areas(report, report_marks.roll(by))
        unit = int((chosen - 0.5).abs().argmax())
        found.append((unit, float(shown[unit] if chosen[unit] >= 0.5 else 1 - shown[unit])))
    (unit, area), *luck = found
    return {"unit": unit, "area": area, "luck": max(score for _, score in luck)}


def _areas(values: Tensor, marks: Tensor, tie: float = 0.5) -> Tensor:
    """Return for every unit how often it is higher at a mark than elsewhere."""
    high, low = values[marks][:, None], values[~marks]
    return ((high > low).double() + tie * (high == low)).mean(dim=(0, 1))


def _search_cases() -> list[Arguments]:
    """Return texts of which one has a unit that is low at marks, and a better-looking one."""
    cases = []
    for T, H, seed in ((12, 3, 1), (18, 5, 2), (24, 7, 3)):
        marks = torch.arange(T) % 5 < 2
        other = torch.arange(T + 4) % 7 < 3
        choose, report = some(T, H, seed=seed), some(T + 4, H, seed=seed + 9)
        choose[:, H // 2] -= 2.0 * marks  # low where marked
        report[:, H // 2] -= 0.7 * other
        report[:, 0] += 3.0 * other  # would win if it were allowed to choose here
        cases.append((choose, marks, report, other, [2, 3, 5]))
    # a unit that turns round on the new text, and many values that are equal
    marks, other = torch.arange(30) % 5 < 2, torch.arange(34) % 7 < 3
    choose, report = some(30, 4, seed=8), some(34, 4, seed=17)
    choose[:, 2] -= 3.0 * marks
    report[:, 2] += 0.8 * other
    return [*cases, (choose.round(), marks, report.round(), other, [2, 3, 6])]


EXERCISE = Exercise(
    number="7.4",
    task="a unit, and the level of luck",
    kind="design",
    reference=unit_and_luck,
    takes="choose (T, H), choose_marks (T,) bool, report (R, H), report_marks (R,) bool, "
    "shifts: whole numbers",
    gives='a dict {"unit": number, "area": on the text to report, "luck": the best of the '
    "shifts there}",
    example=_search_cases()[0],
    cases=_search_cases,
    hints=(
        "One search: areas of all units on `choose`, the one farthest from 0.5, its area on "
        "`report`. Then the same search with other marks.",
        "An area below 0.5 on `choose` means that the unit is low at marks: report 1 - area.",
        "For each shift roll both rows of marks by it, search again, keep the area; luck is the "
        "largest.",
    ),
    misconceptions=(
        *mistakes("""
            chosen where it is reported
                _areas(choose, choose_marks.roll(by)) => _areas(report, report_marks.roll(by))
                The unit is chosen on the text on which you report it: the best of many is flattered
                by luck. Choose on `choose`.
            reported where it was chosen
                _areas(report, report_marks.roll(by)) => _areas(choose, choose_marks.roll(by))
                The area is that of the text that chose the unit. New text says what it is worth.
            only units that are high
                (chosen - 0.5).abs().argmax() => ((chosen - 0.5).abs() if by else chosen).argmax()
                A unit that is low at marks tells as much as one that is high. Choose by the
                distance from 0.5, and turn the area of a low one round.
            the largest, not the farthest
                (chosen - 0.5).abs().argmax() => chosen.argmax()
                You take the unit with the largest area. One that is low at marks tells as much as
                one that is high: choose by the distance from 0.5.
            turned by the report's own area
                if chosen[unit] >= 0.5 else => if shown[unit] >= 0.5 else
                You turn an area round because it is below 0.5 on `report`: then every unit looks
                good there. Which way a unit points is chosen on `choose`, like the unit itself.
            never turned
                shown[unit] if chosen[unit] >= 0.5 else 1 - shown[unit] => shown[unit]
                A unit that was low at marks on `choose` should be low on `report` too: report 1
                minus its area.
            luck never turned
                if chosen[unit] >= 0.5 else => if by or chosen[unit] >= 0.5 else
                Unit and area are right. Under luck, too, a unit that is low on `choose` is reported
                as 1 minus its area.
            luck turned to suit
                if chosen[unit] >= 0.5 else => if (shown if by else chosen)[unit] >= 0.5 else
                Unit and area are right. Under luck, too, it is `choose` that says which way a unit
                points, not the text on which it is reported.
            only the marks of choose rolled
                report_marks.roll(by) => report_marks
                You roll the marks of `choose` only. Then the report's true marks still stand beside
                the units: roll both rows.
            only the marks of report rolled
                choose_marks.roll(by) => choose_marks
                You roll the marks of `report` only: the true marks still choose the unit. Roll both
                rows.
            the same unit under luck, turned to suit
                unit = int( => unit = found[0][0] if by else int( &&
                if chosen[unit] >= 0.5 else => if (shown if by else chosen)[unit] >= 0.5 else
                Under each shift you ask the unit that the true marks chose, whichever way it points
                there. Luck chooses too: the whole search runs again under the shifted marks.
            ties lost
                _areas(choose, choose_marks.roll(by)) => _areas(choose, choose_marks.roll(by), 0) &&
                _areas(report, report_marks.roll(by)) => _areas(report, report_marks.roll(by), 0)
                Equal values count as a defeat in your area. A tie is worth a half: a unit that
                always says the same must get 0.5.
        """),
        Misconception(
            "luck on the text that chose",
            Change(
                "shown = _areas(report, report_marks.roll(by))",
                "shown = chosen if by else _areas(report, report_marks)",
            ),
            "Unit and area are right. Your luck is measured on the text that chose the unit: the "
            "whole search is repeated, and its unit reported on the other text.",
        ),
        *mistakes("""
            luck on average
                max(score for _, score in luck) => sum(score for _, score in luck) / len(luck)
                That is the mean of the shifts. You need the best that luck reached.
            the same unit under luck
                unit = int( => unit = found[0][0] if by else int(
                Under each shift you ask the unit that the true marks chose. Luck chooses too: the
                whole search runs again, its unit chosen under the shifted marks.
        """),
    ),
)
