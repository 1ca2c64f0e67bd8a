"""Say which cell makes a name that a new kernel does not have yet.

Each kernel of the course's environment loads this when it starts (kernel_settings/): it is there
after a restart, before the lecture's first cell has run. It reads the notebook as last saved.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

RUN_ABOVE = "in the menu, Run > Run All Above Selected Cell runs what this cell needs"
RUN_ABOVE_IN_CODE = "Execute Above Cells, in this cell's toolbar, runs what this cell needs"
Cell = dict[str, Any]  # as the file has it
OURS = "course_utils"  # a notebook that never names the package is not ours


class Maker(NamedTuple):
    """A cell that makes a name, and where a reader finds it."""

    place: int  # among the notebook's cells
    cell: str  # its id
    heading: str  # of its section, empty above the first one
    line: str  # of the cell, in which the name is made

    def words(self) -> str:
        """Return where the cell is."""
        below = f"below “{self.heading}”" if self.heading else "at the top"
        return f"in the cell {below} that says `{self.line}`"


class Advice:
    """What to add to a NameError of one kernel, which remembers the cells that it has run."""

    def __init__(self) -> None:
        self.ran: set[str] = set()
        self.folder = Path.cwd()  # as the kernel starts, beside the notebook

    def note(self, info: object) -> None:
        """Remember a cell that is about to run."""
        if cell := getattr(info, "cell_id", None):
            self.ran.add(cell)

    def on_error(
        self, shell: Any, kind: type, error: NameError, trace: Any, tb_offset: int | None = None
    ) -> None:
        """Show the usual traceback, with one more note where we know the missing name's cell."""
        if kind is NameError and error.name and (path := self.notebook(shell.user_ns)):
            here = shell.kernel.get_parent().get("metadata", {}).get("cellId", "")
            if said := self.about(error.name, cells_of(path), here):
                run = RUN_ABOVE_IN_CODE if _is_vs_code(shell.user_ns) else RUN_ABOVE
                error.add_note(f"{said} {run}.")
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)

    def notebook(self, names: dict[str, Any]) -> Path | None:
        """Return the notebook's path as VS Code or JupyterLab says it, None where neither does."""
        if _is_vs_code(names):
            return Path(names["__vsc_ipynb_file__"])
        session = os.environ.get("JPY_SESSION_NAME", "")  # below JupyterLab's own folder
        return self.folder / Path(session).name if session.endswith(".ipynb") else None

    def about(self, name: str, cells: Sequence[Cell], here: str) -> str:
        """Return which cell above this one makes a name and has not run, or nothing."""
        if not any(OURS in source_of(cell) for cell in cells):
            return ""
        places = [place for place, cell in enumerate(cells) if cell.get("id") == here]
        above = [m for m in makers(name, cells) if not places or m.place < places[0]]
        if not above or above[-1].cell in self.ran:
            return ""
        return f"`{name}` is defined {above[-1].words()}, which this kernel has not run:"


def makers(name: str, cells: Sequence[Cell]) -> Iterator[Maker]:
    """Yield the cells that make a name, from the top."""
    heading = ""
    for place, cell in enumerate(cells):
        source = source_of(cell)
        if cell.get("cell_type") == "markdown":
            titles = [line.lstrip("# ") for line in source.splitlines() if line.startswith("##")]
            heading = titles[-1] if titles else heading
        elif cell.get("cell_type") == "code" and (line := line_that_makes(name, source)):
            yield Maker(place, cell.get("id", ""), heading, line)


def line_that_makes(name: str, source: str) -> str:
    """Return the first line in which a cell gives a name its value, empty if none does."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic, or not finished
        return ""
    for statement in tree.body:
        if name in _made(statement):
            return source.splitlines()[statement.lineno - 1].strip()
    return ""


def _made(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement makes where it stands, not those inside a function."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.split(".")[0]
    for child in ast.iter_child_nodes(node):
        yield from _made(child)


def source_of(cell: Cell) -> str:
    """Return a cell's text, which a file may hold line by line."""
    return "".join(cell.get("source", ""))


def cells_of(path: Path) -> list[Cell]:
    """Return the notebook's cells as they were last saved, none where they cannot be read."""
    try:
        return list(json.loads(path.read_text(encoding="utf-8"))["cells"])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _is_vs_code(names: dict[str, object]) -> bool:
    return "__vsc_ipynb_file__" in names


def load_ipython_extension(shell: Any) -> None:
    """Begin, in a kernel; a terminal has no notebook."""
    if getattr(shell, "kernel", None) is None:
        return
    advice = Advice()
    shell.events.register("pre_run_cell", advice.note)
    shell.set_custom_exc((NameError,), advice.on_error)
