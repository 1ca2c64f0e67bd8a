"""Make the whole site: run what has to run, write what changed, touch nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from course_utils.own_files import publish
from course_utils.pages.notebook import Notebook, lectures
from course_utils.site.frame import Turn, framed, scripts, style
from course_utils.site.lecture_page import LecturePage, lecture_page
from course_utils.site.other_pages import (
    claims_page,
    crosswalk_page,
    front_page,
    search_index,
    words_page,
)
from course_utils.site.runs import run_lectures


class Built(NamedTuple):
    """What was made: the page to open, and how much it all is."""

    page: Path
    files: int
    size: int  # bytes


def build_site(
    folder: Path, out: Path, tell: Callable[[str], None] = print, only: Sequence[str] = ()
) -> Built:
    """Make the pages of a folder's lectures, or of some, by their numbers."""
    chosen = [path for path in lectures(folder) if not only or path.name[:2] in only]
    notebooks = [
        Notebook(path, ran) for path, ran in zip(chosen, run_lectures(chosen, tell), strict=True)
    ]
    files = site_files(folder, notebooks)
    publish(out, files, tidy=True)
    return Built(out / "index.html", len(files), sum(map(len, files.values())))


def site_files(folder: Path, notebooks: Sequence[Notebook]) -> dict[str, bytes]:
    """Return every file of the site by its name."""
    pages = [lecture_page(notebook) for notebook in notebooks]
    files: dict[str, bytes] = {}
    for place, page in enumerate(pages):
        files |= page.files
        before, after = (_turn(pages, at) for at in (place - 1, place + 1))
        files[f"{page.stem}.html"] = framed(page.title, page.body, page.sections, before, after)
    return files | {
        "index.html": front_page(pages, notebooks),
        "words.html": words_page(notebooks),
        "claims.html": claims_page(pages),
        "crosswalk.html": crosswalk_page(folder, pages),
        "search-index.js": search_index(pages),
        "site.css": style(),
        "site.js": scripts(),
    }


def _turn(pages: Sequence[LecturePage], at: int) -> Turn | None:
    if not 0 <= at < len(pages):
        return None
    return Turn(f"{pages[at].stem}.html", pages[at].title)
