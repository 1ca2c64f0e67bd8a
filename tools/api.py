"""Write the API pages of the package, one page per module."""

from __future__ import annotations

import pkgutil
import warnings
from pathlib import Path

import pdoc

import course_utils


def modules(*layers: str) -> list[str]:
    """Return every module of some layers, by default of all; packages only hand names on."""
    found = pkgutil.walk_packages(course_utils.__path__, "course_utils.")
    names = [m.name for m in found if not m.ispkg and not m.name.endswith("__main__")]
    return [name for name in names if not layers or name.split(".")[1] in layers]


def write(out: Path, names: list[str]) -> None:
    """Write one page per module, with a search over all of them."""
    pdoc.render.configure(docformat="markdown", math=False, search=True, show_source=False)
    with warnings.catch_warnings():  # pdoc reads no names that a NamedTuple's file imports
        warnings.filterwarnings("ignore", "Error parsing type annotation")
        pdoc.pdoc(*names, output_directory=out)
