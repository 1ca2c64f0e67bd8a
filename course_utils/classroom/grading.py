"""Grade one lecture: run apart, judge outside, keep each verdict as soon as it is there.

A verdict depends on the submission, the exercise and the seed alone, and is kept under their hash:
a run that was killed goes on where it stopped and ends with the same bytes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import course_utils
from course_utils.checks.exercise import Exercise
from course_utils.checks.find_exercise import find, places
from course_utils.checks.own_exercise import read_own
from course_utils.checks.yours import in_words, with_numbers, yours
from course_utils.classroom.cells import Cell, NoNotebook, read_cells, text_of
from course_utils.classroom.collect import Found
from course_utils.classroom.handin import stub_id
from course_utils.classroom.runner.pool import Job, pool
from course_utils.classroom.runner.questions import Questions, hash_of, questions
from course_utils.classroom.runner.replay import Judged, judged
from course_utils.classroom.student_copy import ANSWER, QUESTION, own_file, student_copy
from course_utils.classroom.submission import Piece, Submission, read_submission
from course_utils.classroom.term import DAY, Term
from course_utils.files import write_whole

KEPT = ".graded"  # in the folder of the report: one small file a verdict
OURS = re.compile(r"\*\*(\d+)\*\* (.*?)(?=\*\*\d+\*\* |</details>|\Z)", re.DOTALL)
TYPED = re.compile(r"""\byours\(\s*["'][\w.]{1,12}["']\s*,\s*(["'])([^"'\n]{1,400})\1""")
MOST_OF_A_LOGIN = 60  # letters that are told
MOST_VERSIONS = 10  # of one student's that are judged: a hundred would keep all others waiting
FACADES = "course_utils.lectures."  # they name for a lecture what stands elsewhere
SHOWN = ("explorers", "plots", "checks")  # parts of the package that no answer needs


class Read(NamedTuple):
    """One file that came, and what is in it or why that cannot be read."""

    found: Found
    submission: Submission | None
    problem: str
    answered: bool = False
    beside: tuple[str, ...] = ()  # other files that nothing says are earlier

    @property
    def order(self) -> tuple[bool, int, float, bool]:
        """Return what is larger for the one that counts: at a tie in time, one with answers."""
        return self.submission is not None, *self.found.order, self.answered


@dataclass(frozen=True)
class Version:
    """One file of a student, graded."""

    found: Found
    problem: str = ""  # why it could not be read
    verdicts: Mapping[str, Judged] = field(default_factory=dict)
    free_texts: Mapping[int, str] = field(default_factory=dict)
    late: timedelta = timedelta(0)
    numbers: Mapping[str, str] = field(default_factory=dict)  # of her own, by exercise
    beside: tuple[str, ...] = ()  # other files that nothing says are earlier
    predictions: Mapping[str, str] = field(default_factory=dict)  # by their names
    results: Mapping[str, str] = field(default_factory=dict)  # what came out for her
    other_logins: tuple[str, ...] = ()  # that she typed to get numbers, and that are not hers
    login: str = ""  # that she should have typed


class Varied(NamedTuple):
    """An exercise with one student's numbers."""

    numbers: Mapping[str, object]
    asked: Questions
    key: str


@dataclass(frozen=True)
class Lecture:
    """What is asked in one lecture, as it was handed out."""

    number: str
    cells: Sequence[Cell]
    asked: Mapping[str, Questions]
    keys: Mapping[str, str]  # a hash of each exercise and its inputs
    varied: Mapping[str, Callable[[str], Varied]] = field(default_factory=dict)  # by a login
    our_answers: Mapping[int, str] = field(default_factory=dict)  # to questions, never handed out

    def of(self, number: str, login: str) -> tuple[Questions, str]:
        """Return an exercise as it is asked of a student, and its key."""
        if number in self.varied:
            own = self.varied[number](login)
            return own.asked, own.key
        return self.asked[number], self.keys[number]

    def numbers(self, login: str) -> dict[str, str]:
        """Return a student's own numbers in words, by exercise."""
        return {n: in_words(make(login).numbers) for n, make in self.varied.items()}

    @property
    def imports(self) -> list[str]:
        """Return the imports of its setup cell that answers may need."""
        setup = next((text_of(c) for c in self.cells if c.get("id") == "setup"), "")
        return [ast.unparse(node) for node in _imports(setup) if not _is_shown(node)]

    @property
    def questions(self) -> list[int]:
        """Return the numbers of the questions that are answered in words."""
        rooms = [ANSWER.fullmatch(str(cell.get("id"))) for cell in self.cells]
        return [int(room[1]) for room in rooms if room]

    @property
    def texts(self) -> dict[int, str]:
        """Return the questions themselves, by number."""
        asked = next((text_of(c) for c in self.cells if c.get("id") == "questions"), "")
        return {int(n): said.strip() for n, said in QUESTION.findall(asked)}


def lecture_of_term(course: Path, term: Term, number: str) -> Lecture:
    """Return a lecture with the inputs that its exercises are graded on."""
    paths = sorted((course / "notebooks").glob(f"{number}_*.ipynb"))
    if number not in term.lectures or not paths:
        raise ValueError(
            f"lecture {number} is not in this term: there are {', '.join(term.lectures)}"
        )
    exercises = {n: _exercise(term, n) for n in term.counted(number)}
    varied = {n: _varied(term, one) for n, one in exercises.items() if one.variants}
    made = {n: varied[n]("") if n in varied else _made(term, one) for n, one in exercises.items()}
    asked = {n: one.asked for n, one in made.items()}
    keys = {n: one.key for n, one in made.items()}
    cells = student_copy(paths[0], term)["cells"]
    return Lecture(number, cells, asked, keys, varied, _our_answers(paths[0]))


def _made(term: Term, exercise: Exercise, numbers: Mapping[str, object] | None = None) -> Varied:
    """Return an exercise as it is asked, with these numbers put in."""
    with_them = with_numbers(exercise, numbers) if numbers else exercise
    asked = questions(with_them, term.seed)
    said = [in_words(numbers)] if numbers else []
    key = hash_of([_digest_of(term, exercise.number), asked.packed, term.seed, *said])
    return Varied(numbers or {}, asked, key)


def _varied(term: Term, exercise: Exercise) -> Callable[[str], Varied]:
    """Return what gives a student's variant of an exercise; each is made once."""
    known: dict[str, Varied] = {}

    def of_login(login: str) -> Varied:
        numbers = yours(exercise.number, login, **exercise.variants)
        if in_words(numbers) not in known:
            known[in_words(numbers)] = _made(term, exercise, numbers)
        return known[in_words(numbers)]

    return of_login


def _our_answers(lecture: Path) -> dict[int, str]:
    """Return what the lecture answers to its own questions, in a cell that is not handed out."""
    _, cells = read_cells(lecture.read_bytes())
    said = next((text_of(cell) for cell in cells if cell.get("id") == "answers"), "")
    return {int(n): " ".join(words.split()) for n, words in OURS.findall(said)}


def grade(
    term: Term,
    lecture: Lecture,
    found: Sequence[Found],
    out: Path,
    again: Sequence[str] = (),
    workers: int = 2,
    tell: Callable[[int, int], None] = lambda done, of: None,
    login: Callable[[str], str] = str,
    hidden: Sequence[Path] = (),
) -> list[Version]:
    """Return every file's verdicts; exercises named in `again` are judged anew.

    `login` says what a student types to say who she is; no answer can read what is `hidden`.
    """
    read = _that_may_count(term, lecture, found)
    verdicts: list[dict[str, Judged]] = [{} for _ in read]
    waiting: dict[Path, list[dict[str, Judged]]] = {}  # the same work is judged once
    jobs = []
    for known, (one, submission, *_) in zip(verdicts, read, strict=True):
        for number in lecture.asked if submission else ():
            assert submission is not None
            asked, key = lecture.of(number, login(one.student))
            kept = _kept_as(out, key, number, submission)
            if kept in waiting:
                waiting[kept].append(known)
            elif number not in again and (before := _read_verdict(kept)):
                known[number] = before
            else:
                waiting[kept] = [known]
                jobs.append(asked.job((number, kept, asked), submission.pieces, stub_id(number)))
    for done, (job, verdict) in enumerate(_judge_all(lecture, jobs, workers, hidden), 1):
        number, kept, _ = job.key
        write_whole(kept, json.dumps(verdict.as_json()).encode())
        for known in waiting[kept]:
            known[number] = verdict
        tell(done, len(jobs))
    return [
        _version(term, lecture, one, known, login(one.found.student))
        for one, known in zip(read, verdicts, strict=True)
    ]


def _that_may_count(term: Term, lecture: Lecture, found: Sequence[Found]) -> list[Read]:
    """Return the last readable file of each student, or her last ones where the best counts.

    They are read one by one: nobody's hundred notebooks are in memory together.
    """
    by_student: dict[str, list[Found]] = {}
    for file in found:
        by_student.setdefault(file.student, []).append(file)
    most = MOST_VERSIONS if term.versions == "best" else 1
    return [one for theirs in by_student.values() for one in _last_of(theirs, most, lecture)]


def _last_of(theirs: Sequence[Found], most: int, lecture: Lecture) -> list[Read]:
    """Return the last of one student's files, the latest first."""
    kept: list[Read] = []
    readable: list[Found] = []
    for file in theirs:
        one = _read(file, lecture)
        if one.submission:
            readable.append(file)
        kept = sorted([*kept, one], key=lambda read: read.order, reverse=True)[:most]
    return [one._replace(beside=_beside(one, readable)) for one in kept]


def _beside(one: Read, readable: Sequence[Found]) -> tuple[str, ...]:
    """Return the other files of a student that can be read and are as late as this one."""
    same = [file for file in readable if file is not one.found and file.order == one.found.order]
    return tuple(file.name for file in same) if one.submission else ()


def _version(
    term: Term,
    lecture: Lecture,
    read: Read,
    known: Mapping[str, Judged],
    login: str,
) -> Version:
    verdicts = {number: known[number] for number in lecture.asked if number in known}
    hers = read.submission or Submission(())
    late = late_by(term, lecture.number, read.found)
    numbers = lecture.numbers(login)
    return Version(
        read.found,
        read.problem,
        verdicts,
        hers.free_texts,
        late,
        numbers,
        read.beside,
        hers.predictions,
        hers.results,
        _other_logins(hers.pieces, login),
        login,
    )


def _other_logins(pieces: Sequence[Piece], login: str) -> tuple[str, ...]:
    """Return the logins that a notebook draws numbers for, but for the student's own."""
    typed = [
        match[2].strip()[:MOST_OF_A_LOGIN]
        for piece in pieces
        if piece.hers and piece.kind == "code"
        for match in TYPED.finditer(piece.text)
    ]
    return tuple(sorted({said for said in typed if said.casefold() != login.strip().casefold()}))


def _judge_all(
    lecture: Lecture, jobs: Sequence[Job], workers: int, hidden: Sequence[Path]
) -> Iterator[tuple[Job, Judged]]:
    if not jobs:
        return
    with pool(lecture.imports, min(workers, len(jobs)), hidden=hidden) as opened:
        for job, ran in opened.run(jobs):
            yield job, judged(job.key[-1], ran)


def _read(found: Found, lecture: Lecture) -> Read:
    try:
        submission = read_submission(found.read(), lecture.cells)
    except (NoNotebook, OSError) as error:
        return Read(found, None, str(error))
    except Exception as error:  # a file that nobody has thought of is one row, too
        return Read(found, None, f"it cannot be read: {type(error).__name__}")
    if not _has_exercise(lecture, submission.pieces):
        said = f"it is not lecture {lecture.number}: none of its exercises is in it"
        return Read(found, None, said)
    hers = [piece for piece in submission.pieces if piece.hers]
    answered = bool(submission.free_texts) or _has_exercise(lecture, hers)
    return Read(found, submission, "", answered)


def _has_exercise(lecture: Lecture, pieces: Sequence[Piece]) -> bool:
    """Return whether an exercise of the lecture is there: students hand in whole folders."""
    stubs = set(map(stub_id, lecture.asked))
    heads = tuple(f"def {asked.exercise.function}(" for asked in lecture.asked.values())
    return any(piece.name in stubs or any(head in piece.text for head in heads) for piece in pieces)


def late_by(term: Term, lecture: str, found: Found) -> timedelta:
    due, at = term.due.get(lecture), found.handed_in or found.at
    if due and at:
        at = at if at.tzinfo else at.replace(tzinfo=due.tzinfo)
        return max(timedelta(0), at - due)
    return DAY if found.late else timedelta(0)  # Canvas says that it is, not how much


def _exercise(term: Term, number: str) -> Exercise:
    return read_own(own_file(term, number)) if number in term.own else find(number)[1]


def _digest_of(term: Term, number: str) -> str:
    """Return a hash of what judges an exercise: its file, and this version of the course."""
    if number in term.own:
        return hashlib.sha256(own_file(term, number).read_bytes()).hexdigest()
    text = places()[number].file.read_bytes() + course_utils.__version__.encode()
    return hashlib.sha256(text).hexdigest()


def _kept_as(out: Path, key: str, number: str, submission: Submission) -> Path:
    content: list[object] = [key, submission.pieces]
    return out / KEPT / f"{number}-{hash_of(content)}.json"


def _read_verdict(file: Path) -> Judged | None:
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        return Judged(**{**said, "flags": tuple(said["flags"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None  # not judged yet, or by another version


def _imports(source: str) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of a cell; for a lecture's own module, those that stand in it."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(FACADES):
            module = Path(course_utils.__path__[0], "lectures", f"{node.module.split('.')[-1]}.py")
            yield from _imports(module.read_text("utf-8")) if module.exists() else [node]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def _is_shown(node: ast.Import | ast.ImportFrom) -> bool:
    module = getattr(node, "module", "") or ""
    return module.startswith("course_utils.") and module.split(".")[1] in SHOWN
