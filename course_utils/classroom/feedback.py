"""What each student gets back: a page with a verdict and a sentence for every exercise."""

from __future__ import annotations

from course_utils.classroom.grading import Lecture
from course_utils.classroom.html import cell, page, row, table, text
from course_utils.classroom.marks import Marks
from course_utils.classroom.tables import as_written
from course_utils.classroom.term import Term

WORDS = {"ok": "right", "misconception": "nearly", "error": "it stops", "stopped": "it never ends"}

OTHERS = "Where inputs are drawn, your answers met others here than in your own checks."


def feedback(term: Term, lecture: Lecture, one: Marks, most: float) -> bytes:
    """Return one student's page."""
    title = f"{term.name}, lecture {lecture.number}"
    version = one.version
    if version is None or version.problem:
        why = version.problem if version else "Nothing was handed in."
        return page(title, f"<p>No answer could be judged. {text(why)}</p>")
    rows = [
        row([
            cell(number),
            cell(WORDS.get(verdict.kind, verdict.kind), verdict.kind),
            cell(f"{one.points[number]:g} of {term.worth(number):g}"),
            cell(_said(verdict.message, version.numbers.get(number, "")), "said"),
        ])
        for number, verdict in version.verdicts.items()
    ]  # fmt: skip
    lines = [f"<p><b>{one.total:g} of {most:g} points.</b></p>"]
    if one.kept < 1:
        lines.append(f"<p>It came late: {one.kept:.0%} of the points are left.</p>")
    if lecture.questions:
        worth = term.free_text[lecture.number]
        lines.append(f"<p>Questions in words: {as_written(one.written):g} of {worth:g} points.</p>")
    lines.append(f'<p class="small">{OTHERS}</p>')
    return page(title, "\n".join(lines) + table(["Exercise", "", "Points", ""], rows))


def _said(message: str, numbers: str) -> str:
    return f"{message} Your numbers: {numbers}." if numbers else message
