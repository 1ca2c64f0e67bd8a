"""Exercise 7.6: a linear probe, and what it finds in a network that nobody trained."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def probe_and_control(
    choose: Tensor,
    choose_marks: Tensor,
    report: Tensor,
    report_marks: Tensor,
    fresh_choose: Tensor,
    fresh_report: Tensor,
) -> dict[str, float]:
    """Return how often a probe is right on new text, trained and untrained, and the difference."""

    def right(cells: Tensor, marks: Tensor, new_cells: Tensor, new_marks: Tensor) -> float:
        rows, new_rows = _with_ones(cells), _with_ones(new_cells)
        weights = torch.linalg.lstsq(rows, marks.to(cells.dtype)[:, None]).solution
        said = (new_rows @ weights)[:, 0] >= 0.5
        return float((said == new_marks).double().mean())

    probe = right(choose, choose_marks, report, report_marks)
    control = right(fresh_choose, choose_marks, fresh_report, report_marks)
    return {"probe": probe, "control": control, "more": probe - control}


def _with_ones(cells: Tensor) -> Tensor:
    """Return cells with a column of ones beside them."""
    return torch.cat([cells, torch.ones(len(cells), 1, dtype=cells.dtype)], dim=1)


def _cases() -> list[Arguments]:
    cases = []
    for T, R, H, seed in ((40, 31, 3, 1), (60, 53, 5, 2), (47, 40, 7, 3)):
        marks, other = torch.arange(T) % 5 < 2, torch.arange(R) % 7 < 2
        own, new = some(T, H, seed=seed), some(R, H, seed=seed + 9)
        fresh, fresh_new = some(T, H, seed=seed + 20), some(R, H, seed=seed + 29)
        own[:, 0] += 2.0 * marks + 1.5
        own[:, 1] -= 1.5 * marks
        new[:, 0] += 1.6 * other + 1.5
        new[:, 1] -= 1.0 * other
        fresh[:, 0] += 0.8 * marks - 1.0
        fresh_new[:, 0] += 0.8 * other - 1.0
        cases.append((own, marks, new, other, fresh, fresh_new))
    return cases


EXERCISE = Exercise(
    number="7.6",
    task="a linear probe with its control",
    kind="build",
    reference=probe_and_control,
    takes="choose (T, H), choose_marks (T,) bool, report (R, H), report_marks (R,) bool, and "
    "fresh_choose (T, H), fresh_report (R, H) of a network that nobody trained",
    gives='a dict {"probe": share right, "control": share right, "more": the difference}',
    example=_cases()[0],
    cases=_cases,
    hints=(
        "One function does it twice: fit weights on `choose`, say yes where they give 0.5 or more "
        "on `report`, count how often that is right. Then the same with the untrained network.",
        "The constant is a column of ones beside the cells; marks are 0 and 1; "
        "torch.linalg.lstsq(rows, marks[:, None]).solution are the weights.",
        "The control is fitted anew, on fresh_choose and the same marks, and counted on "
        "fresh_report. `more` is probe minus control.",
    ),
    misconceptions=mistakes("""
        fitted where it is reported
            right(choose, choose_marks, => right(report, report_marks, &&
            right(fresh_choose, choose_marks, => right(fresh_report, report_marks,
            The weights are fitted to the text on which you report them. With one weight a cell a
            probe can learn a short text by heart: fit on `choose`.
        reported where it was fitted
            _marks, report, report_marks) => _marks, choose, choose_marks) &&
            fresh_report, report_marks) => fresh_choose, choose_marks)
            You report on the text to which the weights were fitted. New text says what they are
            worth.
        no constant
            _with_ones(cells), _with_ones(new_cells) => cells, new_cells
            Your probe has no constant: it says 0 where all cells are 0. Put a column of ones beside
            the cells.
        cut at 0
            >= 0.5 => >= 0
            The marks are 0 and 1, so the cut lies half-way between them, at 0.5, not at 0.
        the control is not fitted
            right(fresh_choose, choose_marks, => right(choose, choose_marks,
            The control asks the untrained network with the weights of the trained one. It has to
            get its own chance: fit it anew.
        the control reads the trained network
            choose_marks, fresh_report => choose_marks, report
            Your control is fitted to the untrained network and then reads the trained one.
        the difference turned round
            probe - control => control - probe
            "more" is what training adds: probe minus control.
        the control instead of the difference
            "more": probe - control => "more": probe / control
            "more" is a difference of shares, not a ratio.
        only marked characters are counted
            (said == new_marks).double().mean() => said[new_marks].double().mean()
            You count only characters with a mark. A probe that always says yes would be perfect.
        the guess instead of the share
            (said == new_marks).double().mean() => said.double().mean()
            That is how often the probe says yes. Count how often it is right.
    """),
)
