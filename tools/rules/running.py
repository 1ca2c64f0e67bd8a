"""Rules for running a lecture: in the right kernel, each cell twice, and back to one above."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator
from functools import cache

from course_utils.pages.notebook import Notebook
from tools.rules.breach import Breach

# What every lecture begins with: in any other Python the imports fail without saying why.
GUARD = """from importlib.util import find_spec as has  # no such kernel? `course lab`

assert has("course_utils"), "wrong kernel: choose 'Recurrent networks course'"
"""


def a_wrong_kernel_is_told(notebook: Notebook) -> Iterator[Breach]:
    """A kernel of another Python answers in words, in the first cell that anybody runs."""
    for cell in notebook.code[:1]:
        if not re.sub(r"\A#.*\n", "", cell.source).startswith(GUARD):
            do = "begin it with GUARD of tools/rules/running.py, as the other lectures do"
            yield Breach(cell.number, "does not say when the kernel is the wrong one", do)


def a_name_means_one_thing(notebook: Notebook) -> Iterator[Breach]:
    """Whoever runs a cell twice, or goes back to one above, finds what was there before."""
    cells = [(cell.number, *names(cell.source)) for cell in notebook.code if cell.tree.body]
    for number, reads, sets in cells:
        for name in sorted(reads):
            others = [other for other, _, theirs in cells if name in theirs and other != number]
            if len(others) > 1:
                what = f"reads {name}, which cells {', '.join(map(str, others))} set"
                yield Breach(number, what, "give each thing a name of its own")
            elif others and name in sets:
                what = f"reads {name} of cell {others[0]} and then sets it: run twice it differs"
                yield Breach(number, what, "call the new one something else")


@cache
def names(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return which names a cell takes from outside itself, and which it sets."""
    reads: set[str] = set()
    sets: set[str] = set()
    for statement in ast.parse(source).body:
        table = symtable.symtable(ast.unparse(statement), "cell", "exec")
        new = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
        read = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
        read |= {name for child in table.get_children() for name in _globals(child)}
        if isinstance(statement, ast.AugAssign):
            read |= new
        elif not isinstance(statement, ast.Assign | ast.AnnAssign):
            read -= new  # a loop's own variable, a function that calls itself
        reads |= read - sets
        sets |= new
    return frozenset(reads), frozenset(sets)


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    yield from (s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced())
    for child in table.get_children():
        yield from _globals(child)


RULES = (a_wrong_kernel_is_told, a_name_means_one_thing)
