"""Find what was handed in, in a folder or a zip, however Canvas, Moodle or nbgrader name it.

Names are only read, never followed: nothing of an archive is unpacked, links are left alone, and a
student's name never becomes a path of ours. Whose a file is, its place at the top says: what lies
deeper, or comes later in a name, a student has chosen and may say that she is somebody else.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from course_utils.classroom.bases import BACKUPS
from course_utils.classroom.cells import MOST_BYTES, NoNotebook

ENDINGS = (".ipynb", ".json")
MOST_STUDENTS = 20_000
MOST_FILES = 20_000  # of one student's
OURS = ("handout.json",)
NOBODYS = re.compile(
    r"(.*/)?(timestamp\.txt|Thumbs\.db|desktop\.ini|\.[^/]*)|(?!.*_\d)(README[^/]*|[^/]*\.csv)"
)  # what lies beside hand-ins; a table in the class's folder, where no student names it
LONGEST_STAMP = 60  # letters
CANVAS = re.compile(r"(?:.+?_)??(?P<late>LATE_)?(?P<id>\d+|anon_[A-Za-z0-9]{5})_\d+_(?P<file>.+)")
MOODLE = re.compile(
    r"(?P<who>[^/]*?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"
)
NEUTRAL = ("submitted", "notebooks", "handin")  # folders that nobody is called by
AGAIN = re.compile(r"-(\d+)$")  # Canvas numbers a file that is handed in again
COPY = r"(?: \(\d+\)|(?: -)? [Cc]opy(?: \d+| \(\d+\))?)"  # what browsers and desktops add to a name
OUTSIDE = ("..", ".", "/")  # parts of a zip's names that lead out of it
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,60}")
File = tuple[PurePosixPath, datetime | None, Callable[[], bytes]]


@dataclass(frozen=True)
class Found:
    """One file of one student."""

    student: str
    name: str  # of the file, as it came
    version: int
    at: datetime | None  # when it was handed in, as far as the file tells
    late: bool  # the learning management system says so
    read: Callable[[], bytes]
    handed_in: datetime | None = None  # as somebody says who knows it better than the file

    @property
    def order(self) -> tuple[int, float]:
        """Return what is larger for the later of two files of one student."""
        return self.version, self.at.timestamp() if self.at else 0.0


def pages_of(students: Sequence[str]) -> list[str]:
    """Return a name for the pages of each, different also where capitals are not."""
    same = Counter(page_of(student).casefold() for student in students)
    return [page_of(student, alone=same[page_of(student).casefold()] == 1) for student in students]


def page_of(student: str, alone: bool = True) -> str:
    """Return a name for a student's pages that no folder can be left by."""
    if alone and PLAIN.fullmatch(student) and ".." not in student:
        return student
    kept = "".join(c for c in student if c.isascii() and c.isalnum())[:30]
    return (
        f"{kept or 'student'}-{hashlib.sha256(student.encode('utf-8', 'replace')).hexdigest()[:8]}"
    )


def collect(place: Path, lecture: str, known: Collection[str] = ()) -> list[Found]:
    """Return every file that may be a hand-in of a lecture, by student and version.

    `known` are the students of a roster: a folder that everything lies in may be one of them.
    """
    all_files = list(_in_zip(place) if zipfile.is_zipfile(place) else _in_folder(place))
    files = [file for file in all_files if file[0].suffix in ENDINGS]
    if not files:
        raise ValueError(f"there is no hand-in in {place}: no {' or '.join(ENDINGS)} file")
    a_lecture = re.compile(rf"{lecture}(?:_[a-z_]+)?{COPY}?")  # what a file is called by
    known = {same_name(student) for student in known}
    shared = _shared([inside for inside, _, _ in files], a_lecture, known)
    around = files[0][0].parts[:shared]
    found = [
        _found(_below(around, inside), at, read, a_lecture, known) for inside, at, read in files
    ]
    others = [
        _found(below, at, _other_kind(inside.name), a_lecture, known)
        for inside, at, _ in all_files
        if inside.suffix not in ENDINGS
        and not NOBODYS.fullmatch((below := _below(around, inside)).as_posix())
    ]
    return sorted(
        [*_few_of_each(found, place), *_of_nobody_in(found, others)],
        key=lambda one: (one.student, one.version, one.name),
    )


def same_name(student: str) -> str:
    """Return a name as it is compared: macOS writes an accent as a letter of its own."""
    return unicodedata.normalize("NFC", student.strip())


def _below(around: tuple[str, ...], inside: PurePosixPath) -> PurePosixPath:
    """Return a place below the folders that all hand-ins lie in, where it is there."""
    below = inside.parts[: len(around)] == around and len(inside.parts) > len(around)
    return PurePosixPath(*inside.parts[len(around) :]) if below else inside


def _few_of_each(found: Sequence[Found], place: Path) -> list[Found]:
    """Return the files of all, but for somebody with thousands one that says so."""
    count = Counter(one.student for one in found)
    if len(count) > MOST_STUDENTS:
        raise ValueError(f"{place} holds files of {len(count):,} students: which do you mean?")
    many = {one.student: one for one in found if count[one.student] > MOST_FILES}
    few = [one for one in found if one.student not in many]
    said = "{:,} files: more than are read of one student"
    return few + [replace(one, read=_refusal(said.format(count[who]))) for who, one in many.items()]


def _of_nobody_in(found: Sequence[Found], others: Sequence[Found]) -> list[Found]:
    """Return a file of another kind for everybody who handed in nothing else."""
    known = {one.student for one in found}
    return list({one.student: one for one in others if one.student not in known}.values())


def _other_kind(name: str) -> Callable[[], bytes]:
    return _refusal(f"it cannot be read: {name} is no {' or '.join(ENDINGS)} file")


def _refusal(said: str) -> Callable[[], bytes]:
    def read() -> bytes:
        raise NoNotebook(said)

    return read


def _shared(
    names: Sequence[PurePosixPath], a_lecture: re.Pattern[str], known: Collection[str]
) -> int:
    """Return how many folders everything lies in, before it parts by students."""
    levels = [set(level) for level in zip(*(name.parts[:-1] for name in names), strict=False)]
    same = next((k for k, level in enumerate(levels) if len(level) > 1), len(levels))
    for k, level in enumerate(levels[:same]):
        if _student(min(level)) in known:
            return k
    if len(names) == 1:
        return 0
    one_students = any(
        len(name.parts) == same + 1 and a_lecture.fullmatch(name.stem) for name in names
    )
    return max(0, same - one_students)


def _in_folder(folder: Path) -> Iterator[File]:
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is neither a folder nor a zip")
    paths = list(_files_below(folder))
    stamps = _stamps(folder, [path for path in paths if path.suffix in ENDINGS])
    for path in paths:
        at = stamps.get(path) or datetime.fromtimestamp(path.stat().st_mtime, UTC)
        yield PurePosixPath(path.relative_to(folder).as_posix()), at, _reader_of(path)


def _files_below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_not_hers(name))
        for name in sorted(files):
            if name not in OURS and not (path := Path(root, name)).is_symlink():
                yield path


def _is_not_hers(folder: str) -> bool:
    """Return whether a folder holds what programs keep: checkpoints, or what an update saved."""
    return folder != ".." and (folder == BACKUPS or folder.startswith((".", "__MACOSX")))


def _reader_of(path: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        if path.stat().st_size > MOST_BYTES:
            raise _too_large(path.stat().st_size)
        return path.read_bytes()

    return read


def _in_zip(archive: Path) -> Iterator[File]:
    with zipfile.ZipFile(archive) as opened:
        entries = [entry for entry in opened.infolist() if not entry.is_dir()]
    for entry in entries:
        inside = PurePosixPath(entry.filename.replace("\\", "/"))
        hidden = any(map(_is_not_hers, inside.parts[:-1])) or inside.name.startswith(".")
        if inside.name not in OURS and not hidden:
            at = datetime(*entry.date_time).astimezone() if entry.date_time[0] > 1980 else None
            yield inside, at, _zip_reader(archive, entry)


def _zip_reader(archive: Path, entry: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            with zipfile.ZipFile(archive) as opened, opened.open(entry) as file:
                content = file.read(MOST_BYTES + 1)  # whatever the entry says its size is
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError) as error:
            raise NoNotebook(f"its place in the zip is damaged ({error})") from error
        if len(content) > MOST_BYTES:
            raise _too_large(max(entry.file_size, len(content)))
        return content

    return read


def _too_large(size: int) -> NoNotebook:
    return NoNotebook(f"{size / 1e6:.0f} MB: ask for one without outputs")


def _found(
    inside: PurePosixPath,
    at: datetime | None,
    read: Callable[[], bytes],
    a_lecture: re.Pattern[str],
    known: Collection[str],
) -> Found:
    """Return whose file it is; Canvas's and Moodle's zips have the time of the download only."""
    outside, parts = _parted(inside)
    top = outside + parts[0]
    if len(parts) > 1:
        folder = outside + next((part for part in parts[:-1] if part not in NEUTRAL), parts[0])
        at = None if MOODLE.fullmatch(folder) else at
        return Found(_student(folder), inside.name, 0, at, False, read)
    if canvas := CANVAS.fullmatch(top):
        again = AGAIN.search(inside.stem)
        version = int(again[1]) if again else 0
        return Found(canvas["id"], top, version, None, bool(canvas["late"]), read)
    if moodle := MOODLE.fullmatch(top):
        return Found(moodle["id"], top, 0, None, False, read)
    twice = "" if inside.suffix in ENDINGS else r"(\.ipynb|\.json|\.tar)$"  # of "02.json.txt"
    stem = re.sub(twice, "", inside.stem)
    own = same_name(outside + (re.sub(rf"_{a_lecture.pattern}$", "", stem) or stem))
    if own not in known and (copied := re.sub(f"{COPY}$", "", own)) in known:
        own = copied  # of somebody unknown two files may be two people of one name
    before = re.match(rf"(.+?)[ _-]{a_lecture.pattern}(?!\d)", stem)  # "anna_02 my last one"
    if own not in known and before and same_name(outside + before[1]) in known:
        own = same_name(outside + before[1])
    return Found(own, top, 0, at, False, read)


def _parted(inside: PurePosixPath) -> tuple[str, tuple[str, ...]]:
    """Return what leads out of a zip, and the names below it: "../x" is not somebody's "x"."""
    count = next((k for k, part in enumerate(inside.parts) if part not in OUTSIDE), 0)
    return "".join(f"{part.strip('/')}/" for part in inside.parts[:count]), inside.parts[count:]


def _student(folder: str) -> str:
    """Return whom a folder belongs to: Moodle's participant, or its name."""
    moodle = MOODLE.fullmatch(folder)
    return moodle["id"] if moodle else same_name(folder)


def _stamps(folder: Path, paths: Sequence[Path]) -> dict[Path, datetime]:
    """Return the moments that nbgrader notes beside what it collects.

    It does so for everybody: a time stamp that few have is one that a student has written.
    """
    found = {path: at for path in paths if (at := _stamp(folder, path))}
    shared = os.path.commonpath([path.parent for path in paths]) if found else folder
    known, all_ = ({_first(path.parent.relative_to(shared)) for path in p} for p in (found, paths))
    return found if 2 * len(known) >= len(all_) else {}


def _first(folder: Path) -> str:
    return next(iter(folder.parts), "")


def _stamp(folder: Path, path: Path) -> datetime | None:
    """Return a file's time stamp: the outermost, for what lies deeper is the student's own."""
    around = [*reversed(path.relative_to(folder).parents)]
    file = next((f for p in around if (f := folder / p / "timestamp.txt").is_file()), None)
    if file is None:
        return None
    try:
        with file.open(encoding="utf-8") as opened:
            said = opened.read(LONGEST_STAMP).strip()
        at = datetime.fromisoformat(said.replace(" UTC", "+00:00").replace(" ", "T", 1))
    except (OSError, ValueError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
