"""All lectures as one book: the site's pages in a row, printed by a browser."""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from course_utils.own_files import publish
from course_utils.pages.notebook import Notebook, lectures
from course_utils.site.frame import COURSE, framed, style
from course_utils.site.lecture_page import LecturePage, lecture_page
from course_utils.site.pdf import browser, print_pdf
from course_utils.site.runs import run_lectures

FILE = "recurrent-course.pdf"
NAMED = re.compile(r'(<(?:h[1-6]|section)[^>]*?) id="([^"]*)"')
LINK = re.compile(r'href="(?:(\d\d)_\w+\.html)?(#[^"]*)?"')


def write_book(folder: Path, out: Path, only: Sequence[str] = ()) -> Path:
    """Print the lectures of a folder, or some by their numbers; return the file."""
    browser()  # before anything runs
    chosen = [path for path in lectures(folder) if not only or path.name[:2] in only]
    ran = run_lectures(chosen, print)
    pages = [lecture_page(Notebook(path, one)) for path, one in zip(chosen, ran, strict=True)]
    with tempfile.TemporaryDirectory() as home:
        for name, content in {"site.css": style(), **_pictures(pages)}.items():
            (Path(home) / name).parent.mkdir(exist_ok=True)
            (Path(home) / name).write_bytes(content)
        page, pdf = Path(home, "book.html"), Path(home, FILE)
        page.write_bytes(book_page(pages))
        print_pdf(page, pdf, "--generate-pdf-document-outline")
        (written,) = publish(out, {FILE: pdf.read_bytes()})
    return written


def book_page(pages: Sequence[LecturePage]) -> bytes:
    """Return the whole book as one page: contents, then every lecture with its folds open."""
    contents = "".join(
        f'<li><a href="#{page.stem[:2]}">{html.escape(page.title)}</a><ol>'
        + "".join(
            f'<li><a href="#{page.stem[:2]}-{html.escape(section.name)}">'
            f"{html.escape(section.title)}</a></li>"
            for section in page.sections
            if section.level == 2
        )
        + "</ol></li>"
        for page in pages
    )
    chapters = "".join(
        f'<article id="{page.stem[:2]}" style="break-before:page">{_chapter(page)}</article>'
        for page in pages
    )
    whole = framed(COURSE, f"<h1>{COURSE}</h1><ul>{contents}</ul>{chapters}").decode()
    return whole.replace('<script src="site.js"></script>', "").encode()


def _chapter(page: LecturePage) -> str:
    """Return a lecture whose names are the book's only ones, and whose links stay in the book."""
    number = page.stem[:2]
    body = NAMED.sub(rf'\1 id="{number}-\2"', page.body)

    def inside(link: re.Match[str]) -> str:
        lecture, place = link[1] or number, (link[2] or "")[1:]
        return f'href="#{lecture}-{place}"' if place else f'href="#{lecture}"'

    body = LINK.sub(inside, body).replace(' loading="lazy"', "")
    return re.sub(r"<details(?! open)", "<details open", body)


def _pictures(pages: Sequence[LecturePage]) -> dict[str, bytes]:
    return {
        name: content
        for page in pages
        for name, content in page.files.items()
        if name.startswith("pictures/")
    }
