"""The pages beside the lectures: the front page, symbols and words, claims, crosswalk, search."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from course_utils.crosswalk import rows, table
from course_utils.pages.markdown import heading_name, to_html
from course_utils.pages.notebook import Notebook
from course_utils.pages.slides import make_slides, planned_minutes
from course_utils.site.frame import COURSE, framed
from course_utils.site.lecture_page import LecturePage, Section, linked

BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
MOST_WORDS = 4  # of a term: longer ones in bold are sentences
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z*$])")
NO_TERMS = re.compile(
    r"[.:?!,…]$|\d|^(your|why|this|one|what|is|does|in|no|yes|before|exercise|questions?|answers?|"
    r"minutes|predict\w*|next|task|run|look|first|second|a|an|the|two|three|how|can|not|it)\b",
    re.IGNORECASE,
)


class Term(NamedTuple):
    """A word that a lecture sets in bold, and the sentence that brings it in."""

    word: str
    sentence: str
    page: str
    where: str
    section: str


def front_page(pages: Sequence[LecturePage], notebooks: Sequence[Notebook]) -> bytes:
    """Return the page that one opens: what this is, and every lecture."""
    cards = "".join(map(_card, pages, notebooks))
    explorers = sum(page.explorers for page in pages)
    claims = sum(len(page.claims) for page in pages)
    body = (
        f"<h1>{COURSE}</h1>"
        '<p class="lead">A course on recurrent networks that runs. Read it here, from a folder or '
        "from any host, without a network: the pictures move, the formulas need no script, and "
        "what you predict stays in this browser.</p>"
        f"<p>{len(pages)} lectures, {explorers} pictures with controls, {claims} claims with the "
        "band that each of them must keep. To change the code, to have answers judged and to move "
        "every control freely, install the course and open the same lectures in JupyterLab.</p>"
        f'<ol class="cards">{cards}</ol>'
    )
    return framed(COURSE, body, css="home-page")


def _card(page: LecturePage, notebook: Notebook) -> str:
    number, _, name = page.title.partition(" ")
    minutes = planned_minutes(make_slides(notebook))
    lines = notebook.cells[0].source.split("\n")
    lead = next((line for line in lines[1:] if line.strip()), "")
    first = re.sub(r"<[^>]+>", "", to_html(SENTENCE_END.split(lead)[0]))
    said = f"{minutes} minutes · " if minutes else ""
    return (
        f'<li><a href="{page.stem}.html"><i>{html.escape(number)}</i><b>{html.escape(name)}</b>'
        f"<small>{said}{first.strip()}</small></a></li>"
    )


def claims_page(pages: Sequence[LecturePage]) -> bytes:
    """Return every claim with its number, its sentence and its terms."""
    sections, parts = [], []
    for page in pages:
        if not page.claims:
            continue
        name = f"lecture-{page.stem[:2]}"
        sections.append(Section(2, name, page.title, ""))
        items = "".join(
            f"<tr><td><a href='{page.stem}.html'>{claim.number}</a></td>"
            f"<td>{html.escape(claim.says)}<br><small>{html.escape(claim.terms)}</small></td></tr>"
            for claim in sorted(page.claims, key=lambda claim: int(claim.number.split(".")[1]))
        )
        parts.append(
            f'<h2 id="{name}">{html.escape(page.title)}</h2>'
            f'<div class="wide" tabindex="0"><table><thead><tr><th>claim</th><th>says</th></tr>'
            f"</thead><tbody>{items}</tbody></table></div>"
        )
    lead = (
        "<h1>Claims</h1><p>What the lectures claim is measured where it stands, each time they "
        "run. A number outside its band stops the build; each claim also has a world in which its "
        "sentence is false, and breaks there.</p>"
    )
    return framed("Claims", lead + "".join(parts), sections)


def crosswalk_page(lectures: Path, pages: Sequence[LecturePage]) -> bytes:
    """Return the way from each topic of the sources to where it is taught."""
    there = {page.stem[:2] for page in pages}
    found = linked(to_html(table([row for row in rows() if row.lecture in there], lectures)))
    found = found.replace("<table", '<div class="wide" tabindex="0"><table')
    found = found.replace("</table>", "</table></div>")
    lead = "<h1>Crosswalk</h1><p>From each topic of the sources to section, claim and exercise.</p>"
    return framed("Crosswalk", lead + found)


def words_page(notebooks: Sequence[Notebook]) -> bytes:
    """Return the symbols with their shapes, and every term with the sentence that brings it in."""
    symbols = next(
        (
            linked(to_html(re.sub(r"\A#+ .*\n", "", cell.source)))
            for notebook in notebooks
            for cell in notebook.prose
            if any(title == "Words and symbols" for _, title in cell.headings)
        ),
        "",
    )
    symbols = symbols.replace("<table", '<div class="wide" tabindex="0"><table')
    symbols = symbols.replace("</table>", "</table></div>")
    items = "".join(
        f"<dt><b>{_plain(term.word)}</b></dt>"
        f"<dd>{_inline(term.sentence)} <small><a href='{term.page}#{term.where}'>"
        f"{html.escape(term.section)}</a></small></dd>"
        for term in terms_of(notebooks)
    )
    body = (
        f"<h1>Symbols and words</h1><h2 id='symbols'>Symbols and shapes</h2>{symbols}"
        f"<h2 id='words'>Words</h2><p>Where each word is first set in bold.</p><dl>{items}</dl>"
    )
    return framed("Symbols and words", body)


def terms_of(notebooks: Iterable[Notebook]) -> list[Term]:
    """Return the terms of all lectures in alphabetical order, each where it comes first."""
    found: dict[str, Term] = {}
    for notebook in notebooks:
        section, where = notebook.path.stem, ""
        for cell in notebook.prose:
            for _, title in cell.headings:
                section, where = f"{notebook.lecture} · {title}", heading_name(title)
            if cell.slide == "notes" or "<details>" in cell.source:
                continue
            for sentence in _sentences(cell.source):
                for word in BOLD.findall(sentence):
                    if _is_term(word, sentence):
                        page = f"{notebook.path.stem}.html"
                        found.setdefault(word.lower(), Term(word, sentence, page, where, section))
    return sorted(found.values(), key=lambda term: term.word.lower())


def _sentences(source: str) -> list[str]:
    prose = [
        line.lstrip("-* 0123456789.").strip() if line.startswith(("- ", "1", "2", "3")) else line
        for line in source.split("\n")
        if line and not line.startswith(("#", "|", "$$", "    "))
    ]
    return [one for line in prose for one in SENTENCE_END.split(line)]


def _is_term(word: str, sentence: str) -> bool:
    if NO_TERMS.search(word) or len(word.split()) > MOST_WORDS or not word[0].isalpha():
        return False
    return len(sentence.split()) > 4 and not sentence.startswith(f"**{word}")


def _inline(text: str) -> str:
    return to_html(text).strip().removeprefix("<p>").removesuffix("</p>")


def _plain(text: str) -> str:
    return re.sub(r"</?p>", "", to_html(text)).strip()


def search_index(pages: Sequence[LecturePage]) -> bytes:
    """Return a script with the text of every section of every lecture."""
    entries = [
        (f"{page.stem}.html", page.title, section.name, section.title, section.text)
        for page in pages
        for section in page.sections
    ]
    return f"course.search({json.dumps(entries, ensure_ascii=False)});\n".encode()
