"""Rules for code and prose cells: short, self-contained, the same on every machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard
from urllib.parse import unquote

from course_utils.pages.notebook import FENCE, MAGIC, Cell, Notebook, words
from tools.rules.breach import Breach

MOST_LINES, MOST_COLUMNS, MOST_WORDS = 15, 79, 120
MOST_SETUP_LINES = 16
MOST_FOLDED_LINES = 40  # what keeps the books: on no slide
FACADES = "course_utils.lectures"
NETWORK = {"urllib", "requests", "http", "httpx", "socket", "ftplib", "aiohttp", "websockets"}
ABSOLUTE = re.compile(r"~?/\w|~$|[A-Za-z]:[\\/]|file:")
ADDRESS = re.compile(r"\w+://")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)[^)]*\)|(?:src|href)=[\"']([^\"']+)")
FOR_MACHINES = re.compile(r"[eEgG]['\"]*$")
REMOTE_PICTURE = re.compile(r"!\[[^\]]*\]\(\s*\w+://|<img[^>]+src=[\"']\w+://")


def cells_are_short(notebook: Notebook) -> Iterator[Breach]:
    """A cell fits a slide and a glance."""
    for cell in notebook.code:
        lines = cell.source.rstrip().split("\n")
        most = MOST_FOLDED_LINES if cell.is_folded else MOST_LINES
        most = MOST_SETUP_LINES if "setup" in cell.tags else most
        if len(lines) > most:
            what = f"has {len(lines)} lines of code; the limit is {most}"
            yield Breach(cell.number, what, "split it, or move the work into the package")
        if (widest := max(map(len, lines))) > MOST_COLUMNS:
            what = f"has a line of {widest} columns; the limit is {MOST_COLUMNS}"
            yield Breach(cell.number, what, "break the line")
    for cell in notebook.prose:
        if (count := words(cell.source)) > MOST_WORDS:
            what = f"has {count} words; the limit is {MOST_WORDS}"
            yield Breach(cell.number, what, "split it where a new thought begins")


def code_parses(notebook: Notebook) -> Iterator[Breach]:
    """The only magic is matplotlib's; all else is Python."""
    for cell in notebook.code:
        for line in cell.source.split("\n"):
            if MAGIC.match(line) and not line.strip().startswith("%matplotlib"):
                what = f"uses the magic {line.strip()!r}"
                yield Breach(cell.number, what, "say it in Python: only %matplotlib is allowed")
        try:
            ast.parse(MAGIC.sub("#", cell.source))
        except SyntaxError as error:
            yield Breach(cell.number, f"is not Python: {error.msg}", "correct it")


def imports_stand_in_the_setup(notebook: Notebook) -> Iterator[Breach]:
    """One cell imports, the first with code: a learner sees at once what a lecture needs."""
    setups = [cell for cell in notebook.code if "setup" in cell.tags]
    if len(setups) != 1 or setups[0] is not notebook.code[0]:
        do = "tag the first code cell, and only that one, `setup`"
        yield Breach(0, f"has {len(setups)} setup cells or one in the wrong place", do)
    for cell in notebook.code:
        if cell in setups:
            continue
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(cell.tree)):
            yield Breach(cell.number, "imports something", "import it in the setup cell")


def ours_comes_by_one_import(notebook: Notebook) -> Iterator[Breach]:
    """A setup cell names what it brings in; one module for each lecture says where that is from."""
    for cell in notebook.code:
        whole = [node for node in cell.tree.body if _is_from(node, FACADES)]
        for node in ast.walk(cell.tree):
            if node in whole[:1] and all(alias.name != "*" for alias in node.names):
                continue
            if _is_from(node, "course_utils"):
                do = "import it in this lecture's course_utils/lectures/, and name it in the setup"
                yield Breach(cell.number, f"has {ast.unparse(node)[:60]!r}", do)


def functions_have_a_reason(notebook: Notebook) -> Iterator[Breach]:
    """A lecture defines only what the learner writes, or what it builds by hand on purpose."""
    for cell in notebook.code:
        if {"exercise", "by-hand"} & set(cell.tags):
            continue
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        if any(isinstance(node, kinds) for node in ast.walk(cell.tree)):
            do = "move it into the package, or tag the cell `by-hand` when building it is the point"
            yield Breach(cell.number, "defines a function or class", do)


def nothing_comes_from_outside(notebook: Notebook) -> Iterator[Breach]:
    """A lecture runs without a network and names no place on one machine."""
    for cell in notebook.code:
        modules = {name.partition(".")[0] for name in _imported(cell)}
        if found := sorted(modules & NETWORK):
            yield Breach(cell.number, f"imports {', '.join(found)}", "use course_utils.data")
        for text in _strings(cell):
            if ADDRESS.match(text):
                yield Breach(cell.number, f"names {text!r}", "use course_utils.data's registry")
            elif ABSOLUTE.match(text):
                yield Breach(cell.number, f"names the path {text!r}", "make the path relative")
    for cell in notebook.prose:
        if REMOTE_PICTURE.search(cell.source):
            yield Breach(cell.number, "shows a picture from the network", "draw it, or ship it")


def links_lead_somewhere(notebook: Notebook) -> Iterator[Breach]:
    """A relative link names a file that is there; a fragment names a heading."""
    anchors = {text.replace(" ", "-") for cell in notebook.prose for _, text in cell.headings}
    for cell in notebook.prose:
        for match in LINK.finditer(FENCE.sub("", cell.source)):
            target = unquote(match[1] or match[2])
            file, _, anchor = target.partition("#")
            if ADDRESS.match(target) or target.startswith(("mailto:", "attachment:")):
                continue
            if ABSOLUTE.match(target):
                yield Breach(cell.number, f"links to the path {target!r}", "make it relative")
            elif file and not (notebook.path.parent / file).exists():
                yield Breach(cell.number, f"links to {file!r}, which is not there", "correct it")
            elif not file and anchor not in anchors:
                yield Breach(cell.number, f"links to no heading: #{anchor}", "correct it")


def numbers_are_for_people(notebook: Notebook) -> Iterator[Breach]:
    """No 6.1e-31 on a slide: `number` of course_utils.numbers writes 6.1 × 10⁻³¹."""
    for cell in notebook.code:
        for node in ast.walk(cell.tree):
            if isinstance(node, ast.FormattedValue) and node.format_spec:
                spec = ast.unparse(node.format_spec)
                if FOR_MACHINES.search(spec):
                    what = f"writes {ast.unparse(node.value)} as 1e-05 would be written"
                    yield Breach(cell.number, what, "use course_utils.numbers.number")


def _is_from(node: ast.AST, package: str) -> TypeGuard[ast.Import | ast.ImportFrom]:
    module = node.module if isinstance(node, ast.ImportFrom) else None
    named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [module or ""]
    return any(name == package or name.startswith(f"{package}.") for name in named)


def _imported(cell: Cell) -> Iterator[str]:
    for node in ast.walk(cell.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def _strings(cell: Cell) -> Iterator[str]:
    for node in ast.walk(cell.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


RULES = (
    cells_are_short,
    code_parses,
    imports_stand_in_the_setup,
    ours_comes_by_one_import,
    functions_have_a_reason,
    nothing_comes_from_outside,
    links_lead_somewhere,
    numbers_are_for_people,
)
