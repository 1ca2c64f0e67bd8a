"""A term: what counts, for how much, until when. One file, `term.toml`, says it all."""

from __future__ import annotations

import json
import math
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from course_utils.checks.find_exercise import lecture_of, places
from course_utils.files import write_whole

FILE = "term.toml"
EXERCISES = "exercises"  # beside it: the instructor's own, with their references
VERSIONS = ("last", "best")
SHARES = {"ok": 1.0, "misconception": 0.5}  # of the points, by verdict; nothing for the others
VERDICTS = (*SHARES, "wrong", "error", "stopped", "not attempted")
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Own:
    """An instructor's own exercise in a lecture."""

    lecture: str
    reserved: bool = False  # its reference stays with her


@dataclass(frozen=True)
class Term:
    """What the file says."""

    folder: Path
    name: str
    seed: int
    lectures: tuple[str, ...]
    versions: str = "last"
    per_day: float = 0.0
    days: int = 0
    points: Mapping[str, float] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    due: Mapping[str, datetime] = field(default_factory=dict)
    free_text: Mapping[str, float] = field(default_factory=dict)
    own: Mapping[str, Own] = field(default_factory=dict)

    def worth(self, number: str) -> float:
        """Return the points of an exercise; 0 where it does not count."""
        return self.points.get(number, self.points.get("default", 1.0))

    def counted(self, lecture: str) -> list[str]:
        """Return the numbers of a lecture's exercises that count, own ones last."""
        ours = [number for number, place in places().items() if place.lecture == lecture]
        own = [number for number, one in self.own.items() if one.lecture == lecture]
        return [number for number in (*ours, *own) if self.worth(number) > 0]

    def share(self, verdict: str) -> float:
        """Return the share of an exercise's points that a verdict earns."""
        return self.shares.get(verdict, 0.0)

    def kept_when_late(self, late: timedelta) -> float:
        """Return the share of all points that is left of what came this much too late."""
        begun = max(0, math.ceil(late / DAY))
        return max(0.0, 1 - self.per_day * begun) if begun <= self.days else 0.0


def new_term(folder: Path, lectures: Sequence[str] = ()) -> Path:
    """Write the file of a new term into its folder; refuse one that is there already."""
    file = folder / FILE
    if file.exists():
        raise FileExistsError(f"{file} is a term already: choose another name, or edit that file")
    known = sorted({place.lecture for place in places().values()})
    chosen = [name.zfill(2) for name in lectures] or known
    _refuse_unknown("lecture", chosen, known)
    text = TEMPLATE.format(
        name=_quoted(folder.resolve().name),
        seed=secrets.randbelow(2**31),
        lectures=", ".join(map(_quoted, chosen)),
        shares="\n".join(f'"{name}" = {SHARES.get(name, 0.0)}' for name in VERDICTS),
    )
    write_whole(file, text.encode())
    return file


def read_term(folder: Path) -> Term:
    """Return the term of a folder; say in one line what is wrong in its file."""
    file = folder / FILE
    if not file.is_file():
        raise FileNotFoundError(
            f"there is no {FILE} in {folder.resolve()}: `course term new NAME` makes one; go into "
            "its folder, or name it with --term"
        )
    try:
        return _term(folder, tomllib.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{file}: {error}") from error


def _term(folder: Path, said: Mapping[str, Any]) -> Term:
    _refuse_unknown("entry", said, KNOWN)
    known = {place.lecture for place in places().values()}
    late = said.get("late", {})
    _refuse_unknown("entry of [late]", late, ("per_day", "days"))
    own = {number: _own(number, one) for number, one in said.get("own", {}).items()}
    term = Term(
        folder=folder,
        name=str(said.get("name", folder.resolve().name)),
        seed=int(said.get("seed", 0)),
        lectures=tuple(said.get("lectures", sorted(known))),
        versions=said.get("versions", "last"),
        per_day=_amount("late.per_day", late.get("per_day", 0.0), 1.0),
        days=int(late.get("days", 0)),
        points=_amounts("points", said, math.inf),
        shares={**SHARES, **_amounts("shares", said, 1.0)},
        due={lecture: _moment(lecture, at) for lecture, at in said.get("due", {}).items()},
        free_text=_amounts("free_text", said, math.inf),
        own=own,
    )
    _refuse_unknown("lecture", {*term.lectures, *term.due, *term.free_text}, known)
    _refuse_unknown("lecture of [own]", {one.lecture for one in own.values()}, known)
    _refuse_unknown("exercise", term.points, ("default", *places(), *own))
    _refuse_unknown("verdict", term.shares, VERDICTS)
    _refuse_unknown("`versions`", [term.versions], VERSIONS)
    return term


KNOWN = ("name", "seed", "lectures", "versions", "late", "points", "shares", "due", "free_text",
         "own")  # fmt: skip


def _own(number: str, said: Mapping[str, Any]) -> Own:
    _refuse_unknown(f'entry of [own."{number}"]', said, ("lecture", "reserved"))
    if lecture_of(number) != "own":
        raise ValueError(f'own exercises are numbered "own.1" and so on, not {number!r}')
    return Own(str(said.get("lecture", "")), bool(said.get("reserved", False)))


def _amounts(table: str, said: Mapping[str, Any], most: float) -> dict[str, float]:
    return {n: _amount(f'{table}."{n}"', value, most) for n, value in said.get(table, {}).items()}


def _amount(name: str, value: Any, most: float) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= float(value) <= most or math.isinf(float(value)):
        limits = "0 or more" if math.isinf(most) else f"between 0 and {most:g}"
        raise ValueError(f"{name} should be a number, {limits}, not {value!r}")
    return float(value)


def _moment(lecture: str, at: object) -> datetime:
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise ValueError(
            f'due."{lecture}" should be a moment with its time zone, such as '
            f"2027-03-04T23:59:00+01:00, not {at}"
        )
    return at


def _refuse_unknown(kind: str, names: Any, known: Any) -> None:
    if unknown := sorted(set(names) - set(known)):
        there = ", ".join(map(str, sorted(known)))
        raise ValueError(f"no {kind} is called {unknown[0]!r}: there are {there}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


TEMPLATE = """\
# A term of the course. The commands read this file; only `course add-exercise` adds to it.
name = {name}
lectures = [{lectures}]

# Answers are graded on inputs drawn from this number, which no student has seen: keep it.
seed = {seed}

# Of several hand-ins the "last" counts, late or not; or the "best", of the last ten.
versions = "last"

[late]
per_day = 0.1  # of the points, for every day that has begun
days = 3       # what comes later earns nothing

[due]  # with the time zone; a lecture that is not here is never late
# "02" = 2027-03-04T23:59:00+01:00

[points]  # of each exercise; 0: it does not count
default = 1
# "2.6" = 3
# "2.4" = 0

[shares]  # of an exercise's points, by verdict
{shares}

[free_text]  # points for the answers to a lecture's questions, which you mark by hand
# "02" = 4
"""
