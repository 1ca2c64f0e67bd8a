"""An instructor's own exercise: a file of her folder, read so that its errors fit one line.

`COURSE_EXERCISES` names the folder (a relative path begins in the home folder); without it, it is
`own/` beside notebooks/. `own_1_fixed_point.py` holds exercise own.1, the function `fixed_point`.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

from course_utils.checks.exercise import KINDS_OF_EXERCISES, Exercise
from course_utils.checks.judging.judge import judge

BESIDE = Path(__file__).resolve().parents[2] / "own"
FIRST = Path("notebooks", "00_start_here.ipynb")  # wherever lectures lie
_read: dict[Path, tuple[tuple[int, int], Exercise]] = {}


def own_folder() -> Path:
    """Return where an instructor's exercises are looked for.

    They lie beside the lectures that are open: one installation may serve many courses.
    """
    chosen = os.environ.get("COURSE_EXERCISES", "").strip()
    if not chosen:
        return _beside_the_lectures() or BESIDE
    if Path(chosen).is_absolute():
        return Path(chosen)
    try:
        return Path.home() / Path(chosen).expanduser()
    except RuntimeError as error:  # neither HOME nor an entry for this user
        raise ValueError(
            f"no home folder is known for {chosen}: set COURSE_EXERCISES to an absolute path"
        ) from error


def _beside_the_lectures() -> Path | None:
    try:
        here = Path.cwd()
    except OSError:  # it has been deleted
        return None
    homes = [folder for folder in (here, *here.parents) if (folder / FIRST).is_file()]
    return homes[0] / "own" if homes and (homes[0] / "own").is_dir() else None


def own_files() -> list[Path]:
    """Return all Python files of that folder; none where it is not there or cannot be read."""
    try:
        return sorted(path for path in own_folder().iterdir() if path.suffix == ".py")
    except (OSError, ValueError):  # no folder, or no home that it could be in
        return []


def read_own(file: Path) -> Exercise:
    """Return the exercise of a file, read anew when it has changed; say what is wrong, and where.

    Its cases are made and its reference is tried here, so that no check meets their errors.
    """
    try:
        stamp = file.stat().st_mtime_ns, file.stat().st_size
        if file not in _read or _read[file][0] != stamp:
            _read[file] = stamp, _tried(_run(file))
        return _read[file][1]
    except (Exception, SystemExit) as error:
        raise ValueError(f"{file.name}{_line(error, file)}: {_said(error)}") from error


def faults_in(exercise: Exercise) -> list[str]:
    """Return what its author should mend, beyond what keeps an exercise from being read."""
    found = []
    if exercise.kind not in KINDS_OF_EXERCISES:
        found.append(f"its kind is {exercise.kind!r}: there are {', '.join(KINDS_OF_EXERCISES)}")
    if (verdict := judge(exercise, exercise.reference)).kind not in ("ok", "handed in"):
        found.append(f"its own reference is not right: {verdict.message}")
    for mistake in exercise.misconceptions:
        verdict = judge(exercise, mistake.wrong)
        if (verdict.kind, verdict.message) != ("misconception", mistake.message):
            found.append(f'"{mistake.name}" gets this instead: {verdict.message}')
    return found


def _run(file: Path) -> Exercise:
    """Return what a file calls EXERCISE."""
    module = ModuleType(f"own_exercises.{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # where its classes are looked for
    code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    exec(code, vars(module))
    exercise = getattr(module, "EXERCISE", None)
    if not isinstance(exercise, Exercise):
        raise TypeError("it has no EXERCISE = Exercise(...)")
    return exercise


def _tried(exercise: Exercise) -> Exercise:
    """Return an exercise whose reference takes its cases and its example."""
    cases = exercise.cases()
    if not cases:
        raise ValueError("it has no cases")
    for arguments in [*cases, *([exercise.example] if exercise.example is not None else [])]:
        if not isinstance(arguments, tuple) or len(arguments) != len(exercise.parameters):
            named = ", ".join(exercise.parameters)
            raise ValueError(f"a case is a tuple of what {exercise.function}({named}) takes")
        exercise.reference(*arguments)
    return exercise


def _line(error: BaseException, file: Path) -> str:
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f", line {error.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    return f", line {lines[-1]}" if lines else ""


def _said(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {' '.join(text.split())}"
