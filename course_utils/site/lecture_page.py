"""A lecture that has run, as one page: cells in order, each as somebody reads it without a kernel.

What only a kernel can answer is left out: checks, hints, the look at this machine. Instructor's
notes never stand here.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from nbformat import NotebookNode

from course_utils.pages.exported import code_to_html
from course_utils.pages.markdown import to_html
from course_utils.pages.notebook import Cell, Notebook
from course_utils.site.explorer_page import EXPLORER, Explorer, explorer_html
from course_utils.site.twins import model_script, twins

ASKED = "application/vnd.course.prediction+json"
CAME_OUT = "application/vnd.course.result+json"
ONLY_IN_A_KERNEL = ("check", "hint", "examine", "progress", "show_solution")
INLINE = re.compile(
    r'<img class="course-picture"([^>]*?) src="data:image/svg\+xml;base64,([^"]+)">'
)
OUR_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
HEADING = re.compile(r'<h([1-6]) id="([^"]*)">(.*?)</h[1-6]>', re.DOTALL)
LECTURE_LINK = re.compile(r'href="(\d\d_\w+)\.ipynb(#[^"]*)?"')
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
FORMULA = re.compile(
    r'([([]*)(<math(?![^>]*display="block")[^>]*>.*?</math>)([]).,;:!?…]*)', re.DOTALL
)
CLAIM = re.compile(r"✓ (?P<says>.*) \((?P<number>\d\d\.\d+); (?P<terms>.*)\)")


class Section(NamedTuple):
    """A heading of a page, and what is written below it, for contents and search."""

    level: int
    name: str
    title: str
    text: str


class Claim(NamedTuple):
    """A claim as the page shows it."""

    number: str
    says: str
    terms: str


class LecturePage(NamedTuple):
    """The body of a page, the files that it refers to, and what other pages say of it."""

    stem: str
    title: str
    body: str
    sections: list[Section]
    claims: list[Claim]
    files: dict[str, bytes]
    explorers: int


def lecture_page(notebook: Notebook) -> LecturePage:
    """Return a lecture as a page."""
    writer = Writer(notebook.path.stem)
    cells = [*filter(None, map(writer.cell, notebook.cells))]
    body = "\n".join([*cells[:1], _has_run(notebook.path.stem), *cells[1:]])
    title = writer.sections[0].title if writer.sections else notebook.path.stem
    return LecturePage(
        notebook.path.stem, title, body, writer.sections, writer.claims, writer.files,
        writer.explorers,
    )  # fmt: skip


class Writer:
    """Write cells one after the other; keep the files that they need."""

    def __init__(self, stem: str):
        self.stem = stem
        self.files: dict[str, bytes] = {}
        self.sections: list[Section] = []
        self.claims: list[Claim] = []
        self.explorers = 0

    def cell(self, cell: Cell) -> str:
        """Return one cell, or nothing where only a presenter or a kernel wants it."""
        if cell.slide == "notes":
            return ""
        name = html.escape(cell.node.get("id", f"cell-{cell.number}"))
        if cell.is_prose:
            return f'<section class="prose" id="cell-{name}">{self._prose(cell)}</section>'
        if not cell.is_code or needs_a_kernel(cell):
            return ""
        if "exercise" in cell.tags:
            return self._stub(cell, name)
        outputs = "" if "setup" in cell.tags else self._outputs(cell, name)
        return f'<section class="code" id="cell-{name}">{_code(cell)}{outputs}</section>'

    def _prose(self, cell: Cell) -> str:
        """Return a text cell; note its headings, and what is written below each."""
        page = to_html(cell.source)
        before, *parts = HEADING.split(page)
        self._note_text(before)
        for level, name, inside, text in zip(*(iter(parts),) * 4, strict=True):
            title = _squeezed(_without_tags(inside))
            self.sections.append(Section(int(level), html.unescape(name), title, ""))
            self._note_text(text)
        return _wide(_unbroken(linked(page)))

    def _note_text(self, page: str) -> None:
        if self.sections:
            last = self.sections[-1]
            text = _squeezed(f"{last.text} {_without_tags(page)}")
            self.sections[-1] = last._replace(text=text)

    def _stub(self, cell: Cell, name: str) -> str:
        where = f"course lab {self.stem[:2]}"
        return (
            f'<section class="code stub" id="cell-{name}">{_highlighted(cell)}'
            f"<p>Yours to write: open this lecture in JupyterLab (<code>{where}</code>). The check "
            "below it there judges your answer, and says what kind of wrong it is.</p></section>"
        )

    def _outputs(self, cell: Cell, name: str) -> str:
        said = "".join(self._output(output, name) for output in cell.node.get("outputs", []))
        return f'<div class="outputs">{said}</div>' if said else ""

    def _output(self, output: NotebookNode, name: str) -> str:
        if output.output_type == "stream":
            return _block(_printed(output.text))
        data = output.get("data", {})
        if EXPLORER in data:
            return self._explorer(data[EXPLORER], name)
        if ASKED in data:
            return prediction_html(data[ASKED])
        if CAME_OUT in data:
            return result_html(data[CAME_OUT])
        page = _text(data.get("text/html", ""))
        if not page and "text/markdown" in data:
            page = linked(to_html(_text(data["text/markdown"])))
        if "course-still" in page or "course-guess" in page:  # said by the two above
            return ""
        self.claims += [Claim(**found.groupdict()) for found in _claims_in(data)]
        if page:
            return _wide(self._with_pictures(page))
        if any(kind.startswith("application/vnd.jupyter.widget") for kind in data):
            return ""  # moves in a notebook only; what it ends with is shown beside it
        return _block(_text(data.get("text/plain", "")))

    def _explorer(self, tour: dict[str, object], name: str) -> str:
        self.explorers += 1
        key = f"{self.stem}.{name}"
        if f"tours/{key}.js" in self.files:  # a cell may show several
            key = f"{key}.{self.explorers}"
        explorer = Explorer(key, self.stem, tour)
        self.files[explorer.script] = explorer.script_text()
        for model in explorer.models:
            self.files[f"models/{model}.js"] = model_script(model)
        if tour["kind"] == "twin":
            self.files["twins.js"] = twins()
        return explorer_html(explorer, self._picture_file(explorer.picture.encode()))

    def _with_pictures(self, page: str) -> str:
        """Put pictures into files of their own, so that a page is small and reads at once."""

        def file(match: re.Match[str]) -> str:
            name = self._picture_file(base64.b64decode(match[2]))
            image = f'<img class="course-picture" loading="lazy"{match[1]} src="{name}">'
            [wide] = re.findall(r' width="(\d+)"', match[1])
            return f'<div class="picture" tabindex="0" style="--wide:{wide}px">{image}</div>'

        return INLINE.sub(file, OUR_STYLE.sub("", page))

    def _picture_file(self, picture: bytes) -> str:
        name = f"pictures/{hashlib.sha256(picture).hexdigest()[:16]}.svg"
        self.files[name] = picture
        return name


def _has_run(stem: str) -> str:
    """Return what a reader must know who is told to run a cell."""
    return (
        '<p class="has-run">Every cell of this page ran when the page was made. Its explorers move '
        "and it keeps your predictions; where it asks you to run or to write something, open the "
        f"lecture in JupyterLab: <code>course lab {stem[:2]}</code>.</p>"
    )


def _unbroken(page: str) -> str:
    """Keep a formula and the marks that touch it on one line."""

    def kept(match: re.Match[str]) -> str:
        alone = not match[1] and not match[3]
        return match[0] if alone else f'<span class="unbroken">{match[0]}</span>'

    return FORMULA.sub(kept, page)


def linked(page: str) -> str:
    """Return HTML whose links to lectures lead to their pages."""
    return LECTURE_LINK.sub(r'href="\1.html\2"', page)


def prediction_html(asked: dict[str, Any]) -> str:
    """Return a question with a place for the reader's guess, which the page keeps."""
    name = html.escape(asked["name"])
    if asked["options"]:
        choices = "".join(
            f'<label><input type="radio" name="guess-{name}" value="{html.escape(option)}"> '
            f"{html.escape(option)}</label>"
            for option in asked["options"]
        )
        field = f'<div class="choices">{choices}</div>'
    else:
        unit = f" {html.escape(asked['unit'])}" if asked.get("unit") else ""
        field = (
            f'<label>My guess <input type="text" name="guess-{name}" autocomplete="off" '
            f'enterkeyhint="done">{unit}</label>'
        )
    return (
        f'<fieldset class="prediction" data-prediction="{name}"><legend>Prediction {name}</legend>'
        f"<p>{html.escape(asked['question'])}</p>{field}</fieldset>"
    )


def result_html(found: dict[str, Any]) -> str:
    """Return what came out; a script puts the reader's guess beside it."""
    name, result = html.escape(found["name"]), html.escape(found["result"])
    return (
        f'<p class="result" data-result="{name}"><b>Prediction {name}</b> '
        f'<span class="guess"></span>The result is <strong>{result}</strong>.</p>'
    )


def _without_tags(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def needs_a_kernel(cell: Cell) -> bool:
    """Return whether what a cell says can only be said to somebody who works in it."""
    return any(next(cell.calls(function), None) for function in ONLY_IN_A_KERNEL)


def _code(cell: Cell) -> str:
    does = getattr(code_to_html(cell.source, cell.node.metadata), "does", "")
    code = _highlighted(cell)
    if not does:
        return code
    return f'<details class="folded"><summary>{html.escape(does)}</summary>{code}</details>'


def _highlighted(cell: Cell) -> str:
    """Return code in colours; on a phone it scrolls, by keys too."""
    return str(code_to_html(cell.source)).replace("<pre>", '<pre tabindex="0">', 1)


def _wide(page: str) -> str:
    """Let tables, formulas and code scroll by themselves: a phone is narrower than some."""
    page = page.replace('display="block">', 'display="block" tabindex="0">')
    page = page.replace("<pre>", '<pre tabindex="0">')
    page = re.sub(r"<table", '<div class="wide" tabindex="0"><table', page)
    return page.replace("</table>", "</table></div>")


def _block(printed: str) -> str:
    return f'<pre class="printed" tabindex="0">{html.escape(printed)}</pre>'


def _printed(text: object) -> str:
    """Return what a terminal would show at the end: of a line that is rewritten, its last state."""
    lines = ESCAPES.sub("", _text(text)).split("\n")
    return "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in lines)


def _text(value: object) -> str:
    return "".join(value) if isinstance(value, list) else str(value)


def _claims_in(data: dict[str, object]) -> Iterator[re.Match[str]]:
    for line in _text(data.get("text/plain", "")).split("\n"):
        if found := CLAIM.fullmatch(line):
            yield found
