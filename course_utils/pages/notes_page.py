"""A presenter's notes as one page to print: what to say, what the slides leave out, the time."""

from __future__ import annotations

import html
import re
from pathlib import Path

from course_utils.own_files import publish
from course_utils.pages.markdown import to_html
from course_utils.pages.notebook import Cell, Notebook, read
from course_utils.pages.slides import (
    SHORT,
    Slide,
    heading_of,
    make_slides,
    planned_minutes,
    shorten,
)

STYLE = """
body { font: 11pt/1.4 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.15em; margin: 0 0 .2em; }
section { break-inside: avoid; border-top: 1px solid #999; padding: .6em 0; }
h2 :is(.at, small) { font-weight: normal; color: #555; } h2 .at { float: right; }
.slide { color: #333; font-family: sans-serif; font-size: .85em; }
.notes { border-left: 4px solid #d27e00; padding-left: .8em; }
.skip { border-left: 4px solid #9a9a9a; padding-left: .8em; }
.notes::before { content: "Say"; } .skip::before { content: "Not on the slides"; }
.notes::before, .skip::before { font: bold .75em sans-serif; color: #555; }
pre { white-space: pre-wrap; font-size: .8em; background: #f4f4f4; padding: .3em; margin: .3em 0; }
blockquote { margin: 0; } p { margin: .3em 0; } table { border-collapse: collapse; }
td, th { border: 1px solid #bbb; padding: 0 .5em; }
@media print { body { margin: 0; max-width: none; } @page { margin: 18mm; } }
"""


def write_notes(lecture: Path, out: Path) -> Path:
    """Write the notes of one lecture into a folder; return the file."""
    page = notes_page(read(lecture)).encode()
    (file,) = publish(out, {f"{lecture.stem}_notes.html": page})
    return file


def notes_page(notebook: Notebook) -> str:
    """Return the whole page."""
    slides = make_slides(notebook)
    title = slides[0].heading or notebook.path.stem
    minutes, ends = 0, []
    for slide in slides:
        minutes += slide.minutes
        ends.append(minutes)
    parts = [_section(slides, number, title, ends[number]) for number in range(len(slides))]
    planned = planned_minutes(slides)
    lead = f"{len(slides)} slides" + (f", {planned} minutes" if planned else "")
    if brief := planned_minutes(slides, SHORT):
        lead += f"; the short version {len(shorten(slides))} slides, {brief} minutes"
    name = html.escape(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Notes: {name}</title>'
        f"<style>{STYLE}</style></head>\n<body><h1>{name}</h1><p>{lead}</p>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _section(slides: list[Slide], number: int, title: str, end: int) -> str:
    slide = slides[number]
    heading = _inline(heading_of(slides, number, title))
    at = f'<span class="at">until minute {end}</span>' if slide.minutes else ""
    body = "\n".join(_part(cell) for cell in (*slide.shown, *slide.aside))
    return f"<section><h2>{at}<small>Slide {number + 1}</small> {heading}</h2>\n{body}\n</section>"


def _part(cell: Cell) -> str:
    """Return one cell, marked as what it is for the presenter; set-up code says nothing."""
    if cell.is_code and cell.slide in ("skip", "notes"):
        return ""
    css = cell.slide if cell.slide in ("skip", "notes") else "slide"
    inside = f"<pre>{html.escape(cell.source)}</pre>" if cell.is_code else _prose(cell.source)
    return f'<div class="{css}">{inside}</div>'


def _prose(source: str) -> str:
    """Return a prose cell as HTML, without the heading that its section already has."""
    text = re.sub(r"\A\s*#{1,3} .*\n?", "", source)
    return to_html(text).replace("<details>", "<details open>")


def _inline(heading: str) -> str:
    return to_html(heading).strip().removeprefix("<p>").removesuffix("</p>")
