"""Grade a class from end to end: read, refuse what cannot be meant, judge, write, sum up."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from course_utils.classroom.collect import Found, collect
from course_utils.classroom.grading import grade, lecture_of_term
from course_utils.classroom.locks.held import held, missing
from course_utils.classroom.marks import (
    Asked,
    Manual,
    Mark,
    Marks,
    given_before,
    marked_anew,
    marks,
    outdated,
    possible,
    read_manual,
    with_texts,
)
from course_utils.classroom.report import (
    changed_marks,
    mended,
    note_asked,
    without_hand_in,
    write_report,
)
from course_utils.classroom.roster import Roster, read_roster
from course_utils.classroom.term import read_term
from course_utils.files import only_writer
from course_utils.lab import find_course

MOST = 20  # names that are told
ALL_AT_ONCE = (
    "Each run grades the whole class anew: put all hand-ins into one folder and grade that."
)
ANSWERS = ("solutions", "tests", "notebooks", ".git")  # where a course has them


def grade_class(
    term_folder: Path,
    number: str,
    handed_in: Path,
    out: Path,
    roster: Path | None = None,
    manual: Sequence[Path] = (),
    again: Sequence[str] = (),
    require_sandbox: bool = False,
    workers: int = 2,
) -> str:
    """Grade one lecture of a term; return what to tell the instructor."""
    course = find_course()
    hidden = [term_folder, handed_in, out, *(course / name for name in ANSWERS)]
    holds = held(hidden)
    _refuse(holds, require_sandbox)
    term = read_term(term_folder)
    lecture = lecture_of_term(course, term, number)
    if unknown := set(again) - set(lecture.asked):
        raise ValueError(f"no exercise {min(unknown)} counts here: {', '.join(lecture.asked)} do")
    known = read_roster(roster) if roster else Roster()
    new: dict[Asked, Mark] = {}
    found = [_at(known, one) for one in collect(handed_in, number, known.names)]
    students = {*known.names, *(one.student for one in found)}
    for file in manual:
        new |= _for_somebody(file, read_manual(file), students, lecture.questions)
    with only_writer(out / ".grading.lock"):
        before = given_before(out, number)
        given = marked_anew(before, new)
        versions = grade(term, lecture, found, out, again, workers, _tell, known.login, hidden)
        rows = marks(term, lecture, versions, known.names, given)
        other = [n for n in mended(out, lecture) if n not in again]
        changed = changed_marks(out, rows, [*again, *other]) if again or other else None
        gone = without_hand_in(out, rows)
        given = with_texts(given, rows)
        write_report(term, lecture, rows, holds, given, known, out)
        note_asked(out, lecture)
    said = [_summed_up(out, rows, possible(term, number), holds), *_of_changes(other, changed)]
    if gone:
        said.append(f"had points before, nothing now: {_listed(gone)}. {ALL_AT_ONCE}")
    said += _by_hand(rows, set(before) - set(new), given)
    return "\n".join([*said, *_of_the_roster(rows, known), _next(out, rows)])


def _for_somebody(
    file: Path, marks: dict[Asked, Mark], students: Collection[str], questions: Sequence[int]
) -> dict[Asked, Mark]:
    """Return marks by hand; refuse a file with one for nobody, or for what nobody was asked."""
    for who, question in marks:
        if who not in students:
            raise ValueError(
                f"{file}: nobody here is {who!r}: there are {_listed(sorted(students))}"
            )
        if question not in questions:
            there = ", ".join(map(str, questions)) or "none"
            raise ValueError(f"{file}: there is no question {question} but {there}")
    return marks


def _of_the_roster(rows: Sequence[Marks], roster: Roster) -> list[str]:
    """Return who handed in nothing, and who did and is not known: often the same person."""
    if not roster.names:
        return []
    nothing = [row.student for row in rows if row.version is None]
    unknown = [row.student for row in rows if row.student not in roster.names]
    again = "If that is one of them, rename the file after the id and grade again."
    return [
        *([f"nothing came from: {_listed(nothing)}"] if nothing else []),
        *([f"not on the roster: {_listed(unknown)}. {again}"] if unknown else []),
    ]


def _next(out: Path, rows: Sequence[Marks]) -> str:
    """Say what to open, import and give out."""
    words = any(row.version and row.version.free_texts for row in rows)
    by_hand = " Answers in words wait in manual/." if words else ""
    return (
        f"Begin with {out / 'class.html'}.{by_hand} canvas.csv or moodle.csv is to import, "
        "feedback/ for your students."
    )


def _listed(students: Sequence[str]) -> str:
    more = f" and {len(students) - MOST} more" if len(students) > MOST else ""
    return ", ".join(students[:MOST]) + more


def _of_changes(other: Sequence[str], changed: Sequence[str] | None) -> list[str]:
    """Return what to tell of exercises that were mended, named by --regrade or not."""
    anew = f"not as when this was graded before, so judged anew: {', '.join(other)}"
    marks = [] if changed is None else [f"marks changed: {len(changed)}", *changed]
    return [*([anew] if other else []), *marks]


def _by_hand(
    rows: Sequence[Marks], carried: Collection[tuple[str, int]], given: Manual
) -> list[str]:
    """Return what to tell about marks by hand: which are older, and which are nobody's."""
    unknown = sorted({who for who, _ in given} - {row.student for row in rows})
    older = [
        f"text changed since it was marked: {row.student}, question {question}"
        for row in rows
        if row.version and not row.version.problem
        for question in outdated(given, row.version, row.student)
    ]
    return [
        *older,
        *([f"marks by hand kept from an earlier run: {len(carried)}"] if carried else []),
        *(f"marks by hand for somebody who is not here: {who}" for who in unknown),
    ]


def _at(roster: Roster, found: Found) -> Found:
    """Return a file with the moment that the roster gives for it, where it does."""
    return replace(found, handed_in=roster.moments.get(found.student))


def _summed_up(
    out: Path,
    rows: Sequence[Marks],
    most: float,
    holds: dict[str, bool],
) -> str:
    """Return what to tell the instructor."""
    counting = [row.version for row in rows if row.version]
    unread = [f"{v.found.student}: {v.problem}" for v in counting if v.problem]
    kinds = Counter(v.kind for version in counting for v in version.verdicts.values())
    lines = [
        f"{out}: students: {len(rows)}, points possible: {most:g}.",
        "  ".join(f"{kind}: {count}" for kind, count in kinds.most_common()),
        *([f"late: {late}"] if (late := sum(1 for v in counting if v.late)) else []),
        *(f"could not be read: {line}" for line in unread),
        *([f"not locked on this machine: {', '.join(missing(holds))}"] if missing(holds) else []),
    ]
    return "\n".join(lines)


def _tell(done: int, of: int) -> None:
    """Say how far it is, to somebody who waits at a terminal."""
    if sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} answers judged", end=end, file=sys.stderr, flush=True)


def _refuse(holds: dict[str, bool], require_sandbox: bool) -> None:
    if not hasattr(os, "fork"):
        raise ValueError("grading needs Linux or macOS: on Windows use WSL or a container")
    if require_sandbox and (no := missing(holds)):
        raise ValueError(
            f"this machine does not lock {', '.join(no)}: grade on a Linux with Landlock "
            "(5.13 or later), or leave out --require-sandbox and trust your students"
        )
