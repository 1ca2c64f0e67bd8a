"""A lecture as its rules see it: cells with their text, tags, slide type, syntax tree and words."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat

HEADING = re.compile(r"^(#{1,6}) +(.+?)\s*$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
MAGIC = re.compile(r"^\s*[%!]", re.MULTILINE)


@dataclass
class Cell:
    """One cell. `number` counts from 1, as a person would."""

    number: int
    node: nbformat.NotebookNode

    @property
    def is_code(self) -> bool:
        return bool(self.node.cell_type == "code")

    @property
    def is_prose(self) -> bool:
        return bool(self.node.cell_type == "markdown")

    @property
    def source(self) -> str:
        return "".join(self.node.source)  # a list of lines in the file

    def saying(self, source: str) -> Cell:
        """Return this cell with another source."""
        return Cell(self.number, nbformat.NotebookNode({**self.node, "source": source}))

    @property
    def tags(self) -> list[str]:
        tags: list[str] = self.node.metadata.get("tags", [])
        return tags

    @property
    def slide(self) -> str | None:
        kind: str | None = self.node.metadata.get("slideshow", {}).get("slide_type")
        return kind

    @property
    def is_folded(self) -> bool:
        """Whether the page shows of this code only the line that says what it does."""
        return bool(self.node.metadata.get("jupyter", {}).get("source_hidden"))

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """Return (level, text) of every heading of a prose cell."""
        if not self.is_prose:
            return []
        return [(len(marks), text) for marks, text in HEADING.findall(FENCE.sub("", self.source))]

    @cached_property
    def tree(self) -> ast.Module:
        """Return the syntax tree, magics left out; empty for prose and for what does not parse."""
        if not self.is_code:
            return ast.Module([], [])
        try:
            return ast.parse(MAGIC.sub("#", self.source))
        except SyntaxError:
            return ast.Module([], [])

    def calls(self, function: str) -> Iterator[ast.Call]:
        """Yield every call of a function by its bare name, wherever it stands in the cell."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == function:
                yield node

    def statements(self, function: str) -> list[ast.Call]:
        """Return the calls of a function that are statements of their own."""
        values = [node.value for node in self.tree.body if isinstance(node, ast.Expr)]
        return [call for call in self.calls(function) if call in values]


@dataclass
class Notebook:
    """One lecture's file."""

    path: Path
    node: nbformat.NotebookNode
    cells: list[Cell] = field(init=False)

    def __post_init__(self) -> None:
        self.cells = [Cell(number, node) for number, node in enumerate(self.node.cells, 1)]

    @property
    def lecture(self) -> str:
        """Return the lecture's two digits, from the file's name."""
        return self.path.name[:2]

    @property
    def root(self) -> Path:
        """Return the folder that holds notebooks/ and solutions/."""
        return self.path.resolve().parents[1]

    @property
    def code(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.is_code]

    @property
    def prose(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.is_prose]

    def sections(self) -> dict[str, list[Cell]]:
        """Return the cells of every `## Section`, by its heading."""
        found: dict[str, list[Cell]] = {}
        current: list[Cell] = []
        for cell in self.cells:
            for level, text in cell.headings:
                if level == 2:
                    current = found.setdefault(text, [])
            current.append(cell)
        return found


def read(path: Path) -> Notebook:
    """Return a notebook as it is on disk: nbformat.read would silently repair it."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # JSON or UTF-8
        raise ValueError(
            f"{path} is no longer a notebook ({error}): resolve what a merge left in it, or "
            "restore the last good one with git checkout"
        ) from error
    if not (isinstance(content, dict) and content.get("cells")):
        raise ValueError(f"{path} has no cells: restore the last good one with git checkout")
    return Notebook(Path(path), nbformat.from_dict(content))


def lectures(folder: Path) -> list[Path]:
    """Return the lectures of a folder, in their order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def literal(node: ast.AST | None) -> object:
    """Return the value of a literal, None when it is something else."""
    return node.value if isinstance(node, ast.Constant) else None


_NOT_PROSE = re.compile(r"<!--.*?-->|<[^>\n]+>", re.DOTALL)
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def words(prose: str) -> int:
    """Count the words of a prose cell.

    A formula counts as one word, a link as its text; code in fences and HTML tags do not count.
    """
    text = _NOT_PROSE.sub(" ", FENCE.sub(" ", prose))
    text = _LINK.sub(r"\1", _FORMULA.sub(" x ", text))
    return sum(any(c.isalnum() for c in token) for token in text.split())


def prose_share(notebook: Notebook) -> float:
    """Return the share of prose among all characters of a lecture that are not blank.

    Characters, not cells or lines: they stand for reading time and cannot be gained by splitting.
    """
    prose, code = (
        sum(len("".join(cell.source.split())) for cell in cells)
        for cells in (notebook.prose, notebook.code)
    )
    return prose / max(1, prose + code)
