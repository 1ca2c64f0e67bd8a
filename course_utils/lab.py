"""Open JupyterLab on the first lecture: quiet, offline, with its token, and with the deck ready.

The settings are files in the folder lab_settings, which Jupyter reads like any of its own
configuration folders. What a learner set for themselves and what the command line says win.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
SETTINGS = PACKAGE / "lab_settings"
FIRST = Path("notebooks", "00_start_here.ipynb")


class NoLectures(Exception):
    """There is no folder of lectures here; the message says what to do."""


def open_lab(extra: Sequence[str] = ()) -> None:
    """Run JupyterLab until it is stopped; `extra` goes to JupyterLab as it is."""
    arguments = lab_arguments(find_course(), extra)
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


def lab_arguments(course: Path, extra: Sequence[str] = ()) -> list[str]:
    """Return the command line for JupyterLab, the learner's own options last, where they win."""
    arguments = [
        f"--ServerApp.root_dir={course}",
        f"--LabApp.default_url=/lab/tree/{FIRST.as_posix()}",
    ]
    if _is_root() and "--allow-root" not in extra:
        arguments.append("--allow-root")
    return [*arguments, *extra]


def lab_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with our settings among Jupyter's, and this Python's kernel first."""
    paths = [str(SETTINGS), *filter(None, [environment.get("JUPYTER_CONFIG_PATH")])]
    return {
        "JUPYTER_PREFER_ENV_PATH": "1",
        **environment,
        "JUPYTER_CONFIG_PATH": os.pathsep.join(paths),
    }


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
