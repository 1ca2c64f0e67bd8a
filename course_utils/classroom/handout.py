"""What students are given: their lectures, the package, own exercises, and a manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import course_utils
from course_utils.checks.find_exercise import places
from course_utils.checks.reserved import reserve
from course_utils.classroom.student_copy import as_file, base_of, own_file, student_copy
from course_utils.classroom.term import Term
from course_utils.own_files import publish

MANIFEST = "handout.json"
FORMAT = 1
START = "00"  # every course begins at its page
BESIDE = ("Makefile", "pyproject.toml", "constraints.txt", "environment.yml", "LICENSE",
          "CITATION.cff", "tools/install.py")  # fmt: skip  # what installs the package
PACKAGE = Path(course_utils.__file__).parent


def write_handout(course: Path, term: Term, out: Path) -> list[Path]:
    """Write the folder for students; replace what a former hand-out wrote, and nothing else."""
    files: dict[str, bytes] = dict(_package(course))
    notebooks = {path.name: student_copy(path, term) for path in lectures_of(course, term)}
    files |= {f"notebooks/{name}": as_file(book) for name, book in notebooks.items()}
    files |= dict(_own_exercises(term))
    files["README.md"] = _readme(term)
    files[MANIFEST] = _manifest(term, notebooks, files)
    return publish(out, files, tidy=True)


def lectures_of(course: Path, term: Term) -> list[Path]:
    """Return the lectures of a term, and the first page."""
    wanted = {START, *term.lectures}
    found = sorted((course / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    return [path for path in found if path.name[:2] in wanted]


def read_manifest(content: bytes) -> dict[str, dict[str, str]]:
    """Return the hashes of every lecture's cells, by the lecture's file name."""
    try:
        said = json.loads(content)
        lectures = {name: dict(cells) for name, cells in said["lectures"].items()}
        known = said["format"] == FORMAT
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(f"{MANIFEST} is damaged: take it from the hand-out again") from None
    if not known:
        raise ValueError(f"{MANIFEST} is of a newer version of the course: install that first")
    return lectures


def read_hashes(content: bytes) -> dict[str, str]:
    """Return the hashes of all other files as they were handed out."""
    files = json.loads(content).get("files", {})
    return {str(name): str(digest) for name, digest in files.items()}


def _manifest(
    term: Term, notebooks: Mapping[str, dict[str, object]], files: Mapping[str, bytes]
) -> bytes:
    said = {
        "format": FORMAT,
        "term": term.name,
        "release": course_utils.__version__,
        "lectures": {name: base_of(book) for name, book in notebooks.items()},
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    return (json.dumps(said, indent=1) + "\n").encode()


def _package(course: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the package and what installs it, where this is a checkout and not only a wheel."""
    if not (course / "pyproject.toml").is_file():
        return
    for name in BESIDE:
        if (course / name).is_file():
            yield name, (course / name).read_bytes()
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if path.is_file() and "__pycache__" not in inside.parts:
            yield f"course_utils/{inside.as_posix()}", path.read_bytes()


def _readme(term: Term) -> bytes:
    lecture = next(iter(term.lectures), START)
    return README.format(term=term.name, count=len(places()), lecture=lecture).encode()


def _own_exercises(term: Term) -> Iterator[tuple[str, bytes]]:
    """Yield own exercises as students may have them: a reserved one without its reference."""
    for number, one in term.own.items():
        file = own_file(term, number)
        text = reserve(file) if one.reserved else file.read_text(encoding="utf-8")
        yield f"own/{file.name}", text.encode()


README = """\
# {term}

A course that runs: lectures are notebooks, and every exercise says what kind of wrong an answer is.

**Begin.** Python 3.11 to 3.14, then in this folder: `make lab` (Windows: `py -m venv .venv`,
`.venv\\Scripts\\python -m pip install -c constraints.txt -e .[all]`, `.venv\\Scripts\\course lab`).
Commands named `course ...` below run in a terminal of JupyterLab (*File*, *New*, *Terminal*).

**Hand in.** Save the lecture, then `course handin {lecture}` writes one small file,
`handin/{lecture}.json`, and says which exercises are in it: upload that file. It holds what you
wrote, and no name.

**Newer lectures.** Unpack them into another folder, save and close your notebooks, then run
`course update --from THAT_FOLDER` here. Your cells always stay; new text comes beside them, and a
copy of your notebook as it was lies in `backups/`.

**What is judged, and where.** `check(...)` runs on your machine, so whatever it knows can be read
there: it is for you. The {count} exercises of the course are for learning; your instructor says
what counts for marks, and judges it again on other inputs.
"""
