"""What stands around every page: head, bar, contents, the way on, footer."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from course_utils.site.lecture_page import Section

PAGE = Path(__file__).parent / "page"
SCENE = Path(__file__).resolve().parents[1] / "explorers" / "machinery" / "page" / "scene.js"
SCRIPTS = (
    "scripts",
    "theme",
    "predictions",
    "search",
    "explorers",
    "twins",
    "begin",
)  # the last begins
COURSE = "From vanishing gradients to ELMo"
# before anything is drawn: a page that was chosen dark should not flash
EARLY = (
    "try{const t=localStorage.getItem('course-theme');"
    "if(t)document.documentElement.setAttribute('theme',t)}catch{}"
)
# where the contents do not stand beside the text, a page begins with its title
FOLD = (
    "if(matchMedia('(max-width:69.99rem)').matches)"
    "document.querySelector('.contents details').open=false"
)
OTHERS = (
    ("index.html", "Lectures"),
    ("words.html", "Symbols and words"),
    ("claims.html", "Claims"),
    ("crosswalk.html", "Crosswalk"),
)


class Turn(NamedTuple):
    """Where a page leads on: an address and a title."""

    address: str
    title: str


def framed(
    title: str,
    body: str,
    sections: Sequence[Section] = (),
    before: Turn | None = None,
    after: Turn | None = None,
    css: str = "",
) -> bytes:
    """Return a whole page."""
    contents = _contents(sections)
    classes = f"page{' with-contents' if contents else ''}"
    name = html.escape(title if title == COURSE else f"{title} · {COURSE}")
    footer = "".join(f'<a href="{address}">{label}</a>' for address, label in OTHERS)
    return (
        '<!DOCTYPE html>\n<html lang="en" data-home="">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{name}</title>"
        '<link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="site.css"><script>{EARLY}</script></head>\n'
        f'<body class="{css}"><a class="skip" href="#main">To the text</a>'
        f'<header class="bar"><a class="home" href="index.html">Recurrent <b>networks</b></a>'
        f'<span class="here">{html.escape(title)}</span></header>\n'
        f'<div class="{classes}">{contents}<main id="main">\n{body}\n{_turn(before, after)}</main>'
        f'</div>\n<footer><nav aria-label="The site">{footer}</nav></footer>\n'
        '<script src="site.js"></script></body></html>\n'
    ).encode()


def scripts() -> bytes:
    """Return the one script of every page."""
    files = [PAGE / f"{name}.js" for name in SCRIPTS]
    files.insert(-3, SCENE)
    parts = [file.read_text(encoding="utf-8") for file in files]
    return ('(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n").encode()


def style() -> bytes:
    """Return the one style of every page."""
    return (PAGE / "site.css").read_bytes()


def _contents(sections: Sequence[Section]) -> str:
    shown = [section for section in sections if section.level == 2]
    if len(shown) < 3:
        return ""
    items = "".join(
        f'<li><a href="#{html.escape(section.name)}">{html.escape(section.title)}</a></li>'
        for section in shown
    )
    return (
        '<nav class="contents" aria-label="On this page"><details open>'
        f"<summary>On this page</summary><ol>{items}</ol></details></nav><script>{FOLD}</script>"
    )


def _turn(before: Turn | None, after: Turn | None) -> str:
    links = [
        f'<a href="{turn.address}"><small>{way}</small>{html.escape(turn.title)}</a>'
        for turn, way in ((before, "← before"), (after, "next →"))
        if turn is not None
    ]
    return f'<nav class="turn" aria-label="Lectures">{"".join(links)}</nav>' if links else ""
