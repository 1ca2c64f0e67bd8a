"""Open JupyterLab on a lecture: quiet, offline, with its token, and with the deck ready.

The settings are files in the folder lab_settings, which Jupyter reads like any of its own
configuration folders. A learner's own settings and the command line win.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from course_utils.files import write_whole

PACKAGE = Path(__file__).resolve().parent
SETTINGS = PACKAGE / "lab_settings"
EXTENSIONS = PACKAGE / "labextensions"
FIRST = Path("notebooks", "00_start_here.ipynb")


class NoLectures(Exception):
    """There is no folder of lectures here, or not that lecture; the message says what to do."""


def open_lab(
    lecture: str | None = None,
    extra: Sequence[str] = (),
    as_slides: bool = False,
    short: bool = False,
) -> None:
    """Run JupyterLab on a lecture, or on the first; `extra` goes to JupyterLab unchanged.

    `short` slides leave out the exercises.
    """
    course = find_course()
    chosen = FIRST if lecture is None else find_lecture(course, lecture)
    arguments = lab_arguments(course, extra, chosen, as_slides, short)
    os.environ.update(lab_environment(os.environ))
    if as_slides:
        os.environ["COURSE_SHOW"] = secrets.token_hex(8)  # its predictions begin empty
    Path.home()  # raises where there is none, before node prints a page about it
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(arguments)


def find_course(near: Path | None = None) -> Path:
    """Return the folder that holds notebooks/: here, above, or the checkout of this package."""
    here = (near or Path.cwd()).resolve()
    for folder in (here, *here.parents, PACKAGE.parent):
        if (folder / FIRST).is_file():
            return folder
    raise NoLectures(
        f"No {FIRST.as_posix()} in {here} or above it. `course start` copies the lectures into a "
        "folder and opens them; in a clone of the course's repository run `make lab`."
    )


def copy_lectures(folder: Path) -> tuple[list[Path], list[Path]]:
    """Copy the lectures that came with the package; return what was copied, and what was there.

    Nothing that is there is touched, whatever it is: a lecture holds somebody's answers.
    """
    copied, there = [], []
    for lecture in sorted(_with_the_package().glob("[0-9][0-9]_*.ipynb")):
        place = folder / FIRST.parent / lecture.name
        if os.path.lexists(place):
            there.append(place)
        else:
            write_whole(place, lecture.read_bytes())
            copied.append(place)
    return copied, there


def _with_the_package() -> Path:
    """Return where the lectures lie: in the wheel, or in the checkout of this package."""
    inside = PACKAGE / "lectures"
    return inside if inside.is_dir() else PACKAGE.parent / FIRST.parent


def find_lecture(course: Path, number: str) -> Path:
    """Return the path of a lecture inside the course, from its number ("3" or "03") or its name."""
    folder = course / FIRST.parent
    lectures = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    for lecture in lectures:
        if number and (lecture.stem == Path(number).stem or lecture.stem[:2] == number.zfill(2)):
            return lecture.relative_to(course)
    there = ", ".join(lecture.stem[:2] for lecture in lectures)
    asked = number or '""'
    raise NoLectures(f"There is no lecture {asked} in {folder}: there are {there}.")


def lab_arguments(
    course: Path,
    extra: Sequence[str] = (),
    lecture: Path = FIRST,
    as_slides: bool = False,
    short: bool = False,
) -> list[str]:
    """Return the command line for JupyterLab, the learner's own options last, where they win."""
    from course_utils.presenting import invite

    page = f"/lab/tree/{quote(lecture.as_posix())}"
    address = invite(lecture, short) if as_slides else page
    arguments = [
        f"--ServerApp.root_dir={course}",
        f"--LabApp.default_url={address}",
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
