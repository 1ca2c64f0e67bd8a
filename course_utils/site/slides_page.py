"""A lecture's slides as a page to print: one a sheet, or two with what the presenter says."""

from __future__ import annotations

import html
import re
import tempfile
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from course_utils.own_files import publish
from course_utils.pages.markdown import to_html
from course_utils.pages.notebook import Cell, Notebook
from course_utils.pages.slides import ASIDE, Slide, heading_of, make_slides, shorten
from course_utils.site.explorer_page import EXPLORER
from course_utils.site.lecture_page import ASKED, CAME_OUT, OUR_STYLE, Writer, needs_a_kernel
from course_utils.site.pdf import browser, print_pdf
from course_utils.site.runs import run_once

PAGE = Path(__file__).parent / "page"
ONLY_SHOWS = re.compile(r"(show|predict|predicted|explore_\w+)\((?:.*|\n[ )])*", re.DOTALL)
OWN_HEADING = re.compile(r"\A\s*#{1,3} .*\n?")
MINUTES = re.compile(r"^\*\d+ minutes?\.\*\s*", re.MULTILINE)


class OnPaper(Writer):
    """Cells as they stand on a wall: pictures within the page, explorers as they begin."""

    def cell(self, cell: Cell) -> str:
        """Return one cell of a slide."""
        if cell.is_prose:
            text = MINUTES.sub("", OWN_HEADING.sub("", cell.source))
            return f"<div>{to_html(text)}</div>"
        if needs_a_kernel(cell):  # paper judges nothing
            return ""
        hidden = cell.is_folded or "setup" in cell.tags or ONLY_SHOWS.fullmatch(cell.source.strip())
        code = "" if hidden else f"<pre>{html.escape(cell.source.strip())}</pre>"
        return f"<div>{code}{self._outputs(cell, '')}</div>"

    def _output(self, output: NotebookNode, name: str) -> str:
        data: dict[str, Any] = output.get("data", {})
        if EXPLORER in data:
            return ""
        page = "".join(data.get("text/html", ""))
        if "course-still" in page:
            return OUR_STYLE.sub("", page)
        if ASKED in data:
            return _question(data[ASKED])
        if CAME_OUT in data:
            found = data[CAME_OUT]
            return f"<p>The result is <b>{html.escape(found['result'])}</b>.</p>"
        return super()._output(output, name)

    def _with_pictures(self, page: str) -> str:
        return OUR_STYLE.sub("", page)


def _question(asked: dict[str, Any]) -> str:
    asks = f"<p><b>Your guess.</b> {html.escape(asked['question'])}</p>"
    if not asked["options"]:
        return f'{asks}<p class="blank">&nbsp;</p>'
    options = "".join(f"<span>☐&nbsp;{html.escape(option)}</span>" for option in asked["options"])
    return f'{asks}<p class="options">{options}</p>'


def write_slides(
    lecture: Path, out: Path, pdf: bool = False, short: bool = False, with_notes: bool = False
) -> Path:
    """Run a lecture and write its slides into a folder; return the page, or the PDF."""
    if pdf:
        browser()  # before anything runs
    page = slides_page(Notebook(lecture, run_once(lecture)), short, with_notes)
    name = f"{lecture.stem}_slides{'_short' if short else ''}{'_notes' if with_notes else ''}"
    files = {f"{name}.html": page.encode()}
    if pdf:
        with tempfile.TemporaryDirectory() as home:
            made, printed = Path(home, "slides.html"), Path(home, "slides.pdf")
            made.write_bytes(page.encode())
            print_pdf(made, printed)
            files[f"{name}.pdf"] = printed.read_bytes()
    return publish(out, files)[-1]


def slides_page(notebook: Notebook, short: bool = False, with_notes: bool = False) -> str:
    """Return the whole page; a script in it makes every slide as large as it fits."""
    whole = make_slides(notebook)
    slides = shorten(whole) if short else whole
    title = whole[0].heading or notebook.path.stem
    sheets = [_sheet(slides, number, title, with_notes) for number in range(len(slides))]
    style = (PAGE / "slides.css").read_text(encoding="utf-8")
    script = (PAGE / "slides.js").read_text(encoding="utf-8")
    kind = "two-a-page" if with_notes else "one-a-page"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Slides: {html.escape(title)}</title><style>{style}</style></head>\n"
        f'<body class="{kind}">\n'
        + "\n".join(sheets)
        + f"\n<script>{script}</script></body></html>\n"
    )


def _sheet(slides: list[Slide], number: int, title: str, with_notes: bool) -> str:
    slide = slides[number]
    writer = OnPaper("")
    body = "\n".join(writer.cell(cell) for cell in slide.shown)
    heading = _inline(heading_of(slides, number, title))
    foot = f"<span>{html.escape(title)}</span><span>{number + 1} / {len(slides)}</span>"
    notes = f'<div class="notes">{_notes(slide)}</div>' if with_notes else ""
    return (
        f'<section><div class="slide"><h1>{heading}</h1><div class="body"><div class="fit">{body}'
        f"</div></div><footer>{foot}</footer></div>{notes}</section>"
    )


def _notes(slide: Slide) -> str:
    said = [cell.source for cell in slide.aside if cell.is_prose and cell.slide in ASIDE]
    return to_html("\n\n".join(said)).replace("<details>", "<details open>")


def _inline(heading: str) -> str:
    return to_html(heading).strip().removeprefix("<p>").removesuffix("</p>")
