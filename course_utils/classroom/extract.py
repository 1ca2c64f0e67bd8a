"""Take an answer out of a notebook without running it: a function and what it stands on.

Every statement at the top of a code cell defines names and needs names; the compiler knows which.
The function of an exercise is followed to what it needs, in the order of the page. Nothing here
runs a student's code.
"""

from __future__ import annotations

import ast
import builtins
import dis
import hashlib
import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from types import CodeType
from typing import NamedTuple

from course_utils.classroom.submission import Piece

MAGIC = re.compile(r"^\s*[%!?]", re.MULTILINE)
INSIDE = re.compile(r"find_exercise|checks\.exercises|all_exercises|\.reference\b|\bsolutions\.")
IN_THE_CHECK = "answer_in_the_check"  # the name of an answer that stands in the call itself
FEW_NODES = 60  # of a tree: so short that everybody writes the same
BUILTIN = frozenset(dir(builtins))
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)  # run later, or apart
INSIDES = (ast.Subscript, ast.Attribute)
CHANGING = ("add", "append", "appendleft", "clear", "extend", "insert", "pop", "remove", "reverse",
            "setdefault", "sort", "update")  # fmt: skip
DEFINES = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


class Statement(NamedTuple):
    """A statement at the top of a cell."""

    place: int  # of its cell on the page
    node: ast.stmt
    text: str
    defines: frozenset[str]
    needs: frozenset[str]


class Answer(NamedTuple):
    """What a notebook holds for one exercise."""

    status: str  # "there", "untouched", "missing", or "broken": its cell is no Python
    text: str = ""  # of the function and all it stands on
    said: str = ""  # the syntax error
    form: str = ""  # the same for two answers that differ in names only; empty for short ones


class Page:
    """The code of a notebook, statement by statement."""

    def __init__(self, pieces: Sequence[Piece]):
        self.pieces = pieces
        self.errors: dict[int, str] = {}
        self.statements = self._read_all(hers=True)

    @cached_property
    def lecture(self) -> list[Statement]:
        """Return the lecture's own statements: read only where an answer stands on one."""
        return self._read_all(hers=False)

    def _read_all(self, hers: bool) -> list[Statement]:
        return [
            statement
            for place, piece in enumerate(self.pieces)
            if piece.kind == "code" and piece.hers == hers
            for statement in self._read(place, piece)
        ]

    def _read(self, place: int, piece: Piece) -> list[Statement]:
        text = MAGIC.sub("#", piece.text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
                found = [_statement(place, node, text) for node in tree.body]
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
            said = getattr(error, "msg", None) or str(error)
            self.errors[place] = f"{type(error).__name__}{line}: {said}"
            return []
        return [statement for statement in found if not _is_future(statement.node)]

    def flags(self) -> list[str]:
        """Return what an instructor may want to look at."""
        hers = [piece.text for piece in self.pieces if piece.hers and piece.kind == "code"]
        defined = {name for s in self.statements for name in s.defines - _imported(s)}
        found = ["looks into the checks"] if any(map(INSIDE.search, hers)) else []
        return found + (["defines check itself"] if "check" in defined else [])

    def answer(self, number: str, function: str, stub: str, given: Collection[str]) -> Answer:
        """Return what is there for an exercise; `given` are names that every answer has."""
        written = [s for s in self.statements if function in s.defines]
        meant = [s for s in written if not _does_nothing(s.node)]
        if not meant:
            return self._nothing(stub, bool(written)) or self._in_the_check(number, given)
        roots = _from_the_last_definition(meant)
        until = max(roots[-1].place, self._place_of(f"{stub.removesuffix('-stub')}-check"))
        return self._whole({function}, until, given, roots)

    def _whole(
        self, names: set[str], until: int, given: Collection[str], roots: Sequence[Statement]
    ) -> Answer:
        chosen = self._closure(names, until, given, roots)
        chosen.sort(key=lambda s: (s.place, s.node.lineno))
        text = "\n".join(dict.fromkeys(s.text for s in chosen)) + "\n"
        return Answer("there", text, form=form_of(roots[0].node))

    def _closure(
        self, names: set[str], until: int, given: Collection[str], roots: Sequence[Statement]
    ) -> list[Statement]:
        chosen, asked = [*roots], set(names)
        waiting = {name for root in roots for name in root.needs} - asked
        while waiting:
            name = waiting.pop()
            asked.add(name)
            for statement in self._defining(name, until, given):
                if statement not in chosen:
                    chosen.append(statement)
                    waiting |= statement.needs - asked
        return chosen

    def _defining(self, name: str, until: int, given: Collection[str]) -> Sequence[Statement]:
        """Return the statements that make a name what it is when the answer is checked."""
        known = [s for s in self.statements if name in s.defines and not _does_nothing(s.node)]
        if not known and name in given:
            return []
        known = known or [s for s in self.lecture if name in s.defines]
        return _from_the_last_definition([s for s in known if s.place <= until] or known)

    def _nothing(self, stub: str, written: bool) -> Answer | None:
        place = self._place_of(stub)
        if place in self.errors and self.pieces[place].hers:
            return Answer("broken", said=self.errors[place])
        is_there = place >= 0 and not self.pieces[place].hers
        return Answer("untouched") if written or is_there else None

    def _in_the_check(self, number: str, given: Collection[str]) -> Answer:
        """Return an answer that stands in the call of check itself: check("2.8", {"A", "B"})."""
        for statement in reversed(self.statements):
            value = _checked(statement.node, number)
            if value is not None and not isinstance(value, ast.Name):
                below = "\n" * statement.node.lineno  # of what it stands on, in the same cell
                text = f"{below}{IN_THE_CHECK} = {ast.unparse(value)}"
                root = _statement(statement.place, ast.parse(text).body[0], text)
                return self._whole({IN_THE_CHECK}, statement.place, given, [root])
        return Answer("missing")

    def _place_of(self, name: str) -> int:
        return next((k for k, piece in enumerate(self.pieces) if piece.name == name), -1)


def _from_the_last_definition(known: Sequence[Statement]) -> Sequence[Statement]:
    """Return the last definition of a name with what changes it further down: f = cached(f)."""
    last = [k for k, s in enumerate(known) if isinstance(s.node, DEFINES)]
    return known[last[-1] :] if last else known


def form_of(node: ast.stmt) -> str:
    """Return a hash of a function that renaming and comments do not change."""
    if sum(1 for _ in ast.walk(node)) < FEW_NODES:
        return ""
    known: dict[str, str] = {}
    try:
        tree = ast.parse(ast.unparse(node))
    except RecursionError:
        return ""
    for part in ast.walk(tree):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            part.value = ""
        for field in ("id", "arg", "name"):
            name = getattr(part, field, None)
            if isinstance(name, str) and name not in BUILTIN:
                setattr(part, field, known.setdefault(name, f"n{len(known)}"))
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]


def _statement(place: int, node: ast.stmt, text: str) -> Statement:
    code = compile(ast.Module([node], []), "<cell>", "exec", dont_inherit=True)
    needs = frozenset(name for name, stores in _names(code) if not stores)
    defines = {name for name, stores in _names(code) if stores} | set(_changed(node))
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    lines = text.splitlines()[first - 1 : node.end_lineno]
    return Statement(place, node, "\n".join(lines), frozenset(defines), needs)


def _names(code: CodeType, inside: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the names that code takes from around it, and those that it gives."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield str(step.argval), False
        elif step.opname == "STORE_GLOBAL" or (step.opname == "STORE_NAME" and not inside):
            yield str(step.argval), True
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant, inside=True)


def _changed(node: ast.stmt) -> Iterator[str]:
    """Yield what is changed in place at the top: table["a"] = 1, for ...: found.append(k)."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, SCOPES):
            continue
        waiting += ast.iter_child_nodes(part)
        called = isinstance(part, ast.Call) and getattr(part.func, "attr", "") in CHANGING
        stored = isinstance(part, INSIDES) and isinstance(part.ctx, ast.Store)
        target: object = part.func if isinstance(part, ast.Call) else part
        while (called or stored) and isinstance(target, INSIDES):
            target = target.value
            if isinstance(target, ast.Name):
                yield target.id


def _imported(statement: Statement) -> frozenset[str]:
    imports = isinstance(statement.node, ast.Import | ast.ImportFrom)
    return statement.defines if imports else frozenset()


def _does_nothing(node: ast.stmt) -> bool:
    """Return whether a function is still a stub: a docstring, `...` or `pass`."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return all(
        isinstance(s, ast.Pass) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        for s in node.body
    )


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _checked(node: ast.stmt, number: str) -> ast.expr | None:
    """Return the answer in a call of check with this number."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "check":
        given = call.args[0] if len(call.args) == 2 else None
        if isinstance(given, ast.Constant) and str(given.value) == number:
            return call.args[1]
    return None
