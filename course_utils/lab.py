"""Open JupyterLab on a lecture: quiet, offline, with its token, and with the deck ready.

The settings are files in the folder lab_settings, which Jupyter reads like any of its own
configuration folders. What a learner set for themselves and what the command line says win.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

PACKAGE = Path(__file__).resolve().parent
SETTINGS = PACKAGE / "lab_settings"
EXTENSIONS = PACKAGE / "labextensions"
FIRST = Path("notebooks", "00_start_here.ipynb")


class NoLectures(Exception):
    """There is no folder of lectures here, or not that lecture; the message says what to do."""


def open_lab(extra: Sequence[str] = (), present: str | None = None) -> None:
    """Run JupyterLab until it is stopped; `extra` goes to JupyterLab as it is.

    With the number of a lecture it opens that one as slides.
    """
    course = find_course()
    lecture = FIRST if present is None else find_lecture(course, present)
    arguments = lab_arguments(course, extra, lecture, as_slides=present is not None)
    os.environ.update(lab_environment(os.environ))
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(arguments)


def find_course(near: Path | None = None) -> Path:
    """Return the folder that holds notebooks/: here, above, or the checkout of this package."""
    here = (near or Path.cwd()).resolve()
    for folder in (here, *here.parents, PACKAGE.parent):
        if (folder / FIRST).is_file():
            return folder
    raise NoLectures(
        f"No {FIRST.as_posix()} in {here} or above it. The lectures are not part of the installed "
        "package: clone the course's repository, go into it and run `make lab` there."
    )


def find_lecture(course: Path, number: str) -> Path:
    """Return the path of a lecture inside the course, from its number ("3" or "03") or its name."""
    folder = course / FIRST.parent
    lectures = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    for lecture in lectures:
        if lecture.stem in (number, Path(number).stem) or lecture.stem[:2] == number.zfill(2):
            return lecture.relative_to(course)
    there = ", ".join(lecture.stem[:2] for lecture in lectures)
    raise NoLectures(f"There is no lecture {number} in {folder}: there are {there}.")


def lab_arguments(
    course: Path, extra: Sequence[str] = (), lecture: Path = FIRST, as_slides: bool = False
) -> list[str]:
    """Return the command line for JupyterLab, the learner's own options last, where they win."""
    address = quote(lecture.as_posix()) + ("?present" if as_slides else "")
    arguments = [
        f"--ServerApp.root_dir={course}",
        f"--LabApp.default_url=/lab/tree/{address}",
        f"--LabApp.extra_labextensions_path={EXTENSIONS}",
    ]
    if _is_root() and "--allow-root" not in extra:
        arguments.append("--allow-root")
    return [*arguments, *extra]


def lab_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with our settings among Jupyter's, and this Python's kernel first.

    A terminal that is opened in JupyterLab finds `course` beside this Python.
    """
    paths = [str(SETTINGS), *filter(None, [environment.get("JUPYTER_CONFIG_PATH")])]
    programs = [str(Path(sys.executable).parent), *filter(None, [environment.get("PATH")])]
    return {
        "JUPYTER_PREFER_ENV_PATH": "1",
        **environment,
        "JUPYTER_CONFIG_PATH": os.pathsep.join(paths),
        "PATH": os.pathsep.join(programs),
    }


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
