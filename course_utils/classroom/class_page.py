"""One page about a class: who solved what, what to teach again, which mistakes have no name yet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from course_utils.classroom.grading import Lecture
from course_utils.classroom.html import cell, page, row, table, text
from course_utils.classroom.insight import Unnamed, alike, items, named, skeleton, unnamed
from course_utils.classroom.marks import Marks
from course_utils.classroom.predicted import Tally, tallies
from course_utils.classroom.term import Term

SIGNS = {"ok": "✓", "misconception": "↺", "wrong": "✗", "error": "!", "stopped": "■",
         "not attempted": "·"}  # fmt: skip
FIRST = 3  # things to teach again
MOST = 30  # names or groups that are listed


def class_page(
    term: Term, lecture: Lecture, rows: Sequence[Marks], most: float, held: Mapping[str, bool]
) -> bytes:
    """Return the page."""
    read = [one for one in rows if one.version and not one.version.problem]
    lead = f"<p>{len(read)} of {len(rows)} students have a hand-in that could be read.</p>"
    parts = [lead, _again(lecture, rows), _items(lecture, rows), _named(lecture, rows)]
    parts += [
        _unnamed(lecture, rows),
        _predicted(lecture, rows),
        _looked_at(rows),
        _who(lecture, rows, most),
        _held(lecture, held),
    ]
    return page(f"{term.name}, lecture {lecture.number}", "\n".join(filter(None, parts)))


def _again(lecture: Lecture, rows: Sequence[Marks]) -> str:
    """Say what to teach again first: the mistakes that most of the class share."""
    lines = [
        f"<li><b>{text(m.number)}, {text(m.name)}</b> ({len(m.students)}): {text(m.sentence)}</li>"
        for m in named(lecture, rows)[:FIRST]
    ]
    return f"<h2>Teach again first</h2><ol>{''.join(lines)}</ol>" if lines else ""


def _items(lecture: Lecture, rows: Sequence[Marks]) -> str:
    lines = [
        row([
            cell(one.number), cell(lecture.asked[one.number].exercise.task, "said"),
            cell(one.right, "number"), cell(one.tried, "number"),
            cell("–" if math.isnan(one.discrimination) else f"{one.discrimination:.2f}", "number"),
        ])
        for one in items(lecture, rows)
    ]  # fmt: skip
    said = (
        '<p class="small">Discrimination: the correlation of being right here with the points of '
        "all other exercises. Near 0 or below it, look at the exercise before the students.</p>"
    )
    heads = ["Exercise", "", "right", "tried", "discrimination"]
    return f"<h2>Exercises</h2>{table(heads, lines)}{said}"


def _named(lecture: Lecture, rows: Sequence[Marks]) -> str:
    lines = [
        row([cell(m.number), cell(m.name), cell(len(m.students), "number"),
             cell(m.sentence, "said"), cell(_listed(m.students), "said")])
        for m in named(lecture, rows)
    ]  # fmt: skip
    heads = ["Exercise", "Mistake", "", "What to say", "Who"]
    return f"<h2>Mistakes with a name</h2>{table(heads, lines)}" if lines else ""


def _unnamed(lecture: Lecture, rows: Sequence[Marks]) -> str:
    """Show wrong answers that returned the same, each as the beginning of a new mistake."""
    groups = unnamed(lecture, rows)
    parts = [
        f"<h3>{text(group.number)}: {_alike(group)}</h3><p>{text(group.sentence)}</p>"
        f"<p>{text(_listed(group.students))}</p>{_offered(group)}"
        for group in groups[:MOST]
    ]
    more = f"<p>And {len(groups) - MOST} smaller groups.</p>" if len(groups) > MOST else ""
    return f"<h2>Mistakes without a name</h2>{''.join(parts)}{more}" if parts else ""


def _alike(group: Unnamed) -> str:
    return f"{len(group.students)} alike" if len(group.students) > 1 else "one student"


def _offered(group: Unnamed) -> str:
    """Return the beginning of a mistake; what only stops has no name to get, so it is shown."""
    code = skeleton(group) if group.kind == "wrong" else group.example.strip()
    return f"<pre>{text(code)}</pre>"


def _predicted(lecture: Lecture, rows: Sequence[Marks]) -> str:
    """Show what the class wrote before each experiment, beside what came out."""
    parts = [_guesses(one) for one in tallies(lecture.cells, rows)]
    said = (
        '<p class="small">Written before the experiment, and never judged. What came out is what '
        "the notebooks show.</p>"
    )
    return f"<h2>Predictions</h2>{said}{''.join(parts)}" if parts else ""


def _guesses(one: Tally) -> str:
    most = max((group.students for group in one.groups), default=1)
    lines = [
        row([
            cell(group.label, "said"), cell(group.students, "number"),
            f'<td class="bar"><i style="width:{group.students / most:.0%}"></i></td>',
            cell("← it came out here" if group.came_out else ""),
        ])
        for group in one.groups
    ]  # fmt: skip
    came_out = f"Came out: {one.result} ({one.showing} of {one.results} notebooks show it)."
    unknown = "Nobody's notebook shows what came out."
    return (
        f"<h3>{text(one.name)} {text(one.question)}</h3>"
        f"<p>{one.guesses} wrote something down. {text(came_out if one.result else unknown)}</p>"
        f"{table(['They wrote', '', '', ''], lines, 'grid') if lines else ''}"
    )


def _looked_at(rows: Sequence[Marks]) -> str:
    flags = [f"<li>{text(m.student)}: {text('; '.join(m.flags))}</li>" for m in rows if m.flags]
    same = [
        f"<li>{text(number)}: {text(_listed(students))} wrote the same but for names</li>"
        for number, students in alike(rows)
    ]
    said = '<p class="small">Reasons to talk with somebody, not proofs of anything.</p>'
    return f"<h2>To look at</h2>{said}<ul>{''.join(flags + same)}</ul>" if flags or same else ""


def _who(lecture: Lecture, rows: Sequence[Marks], most: float) -> str:
    lines = []
    for one in rows:
        verdicts = one.version.verdicts if one.version else {}
        kinds = [verdicts[n].kind if n in verdicts else "" for n in lecture.asked]
        signs = [cell(SIGNS.get(kind, ""), f"sign {kind}") for kind in kinds]
        why = one.version.problem if one.version else "nothing was handed in"
        lines.append(row([
            cell(one.student), cell(one.name, "name"), *signs,
            cell(f"{one.total:g}", "number"), cell(why),
        ]))  # fmt: skip
    heads = ["Student", "", *lecture.asked, f"of {most:g}", ""]
    legend = ", ".join(f"{sign} {kind}" for kind, sign in SIGNS.items())
    return f'<h2>Students</h2><p class="small">{legend}</p>{table(heads, lines, "grid")}'


def _held(lecture: Lecture, held: Mapping[str, bool]) -> str:
    """Say what the sandbox held, and on which inputs was graded."""
    no = [name for name, holds in held.items() if not holds]
    yes = [name for name, holds in held.items() if holds]
    seen = [n for n, asked in lecture.asked.items() if not asked.unseen and n not in lecture.varied]
    lines = [f"<li>Locked for every answer: {text(', '.join(yes) or 'nothing')}.</li>"]
    if no:
        lines.append(f'<li class="much">Not locked on this machine: {text(", ".join(no))}.</li>')
    if lecture.varied:
        lines.append(
            f"<li>With each student's own numbers: {text(', '.join(lecture.varied))}.</li>"
        )
    if seen:
        lines.append(
            f"<li>Graded on the same inputs as a student's own check, because they are written "
            f"down: {text(', '.join(seen))}. The others on inputs that nobody has seen.</li>"
        )
    return f"<h2>How it was judged</h2><ul>{''.join(lines)}</ul>"


def _listed(students: Sequence[str]) -> str:
    more = f" and {len(students) - MOST} more" if len(students) > MOST else ""
    return ", ".join(students[:MOST]) + more
