"""A mistake as a change of text: what somebody might write instead of the reference."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import linecache
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import CodeType, FunctionType


class Change:
    """Text of a reference's body and what a learner writes instead; `also` changes further places.

    Each old text must occur exactly once in the body, as the changes before it have left that.
    """

    def __init__(self, old: str, new: str, also: Mapping[str, str] | None = None):
        self.pairs = [(old, new), *(also or {}).items()]

    def made_in(self, reference: Callable[..., object], what: str) -> FunctionType:
        """Return the reference with this change; `what` names the mistake in errors and traces."""
        if not isinstance(reference, FunctionType):
            raise ValueError(f"{what}: only a function can be changed, not {reference!r}")
        head, body = _head_and_body(reference)
        for old, new in self.pairs:
            if (times := body.count(old)) != 1:
                where = f"occurs {times} times in the body of {reference.__name__}, not once"
                raise ValueError(f"{what}: {old!r} {where}")
            body = body.replace(old, new)
        return _compiled(reference, head + body, what)


@lru_cache(maxsize=1)  # an exercise makes all its changes of one reference
def _head_and_body(reference: FunctionType) -> tuple[str, str]:
    """Return the text of a function up to its docstring, and the rest."""
    text = inspect.getsource(reference)
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    first = function.body[1 if ast.get_docstring(function) else 0]
    lines = text.splitlines(keepends=True)
    return "".join(lines[: first.lineno - 1]), "".join(lines[first.lineno - 1 :])


def _compiled(reference: FunctionType, text: str, what: str) -> FunctionType:
    """Return a function of the reference's own module, whose lines show in a stack trace."""
    file = f"{reference.__code__.co_filename} ({what})"
    try:
        code = compile(text, file, "exec")
    except SyntaxError as error:
        raise ValueError(f"{what}: changed, it would not parse: {error}") from error
    known = {*vars(builtins), *reference.__globals__, reference.__name__}
    if unknown := sorted({*_names_needed(code)} - known):
        raise ValueError(f"{what}: changed, it needs {', '.join(unknown)}, which its file lacks")
    made: dict[str, FunctionType] = {}
    exec(code, reference.__globals__, made)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    return made[reference.__name__]


def _names_needed(code: CodeType) -> Iterator[str]:
    """Yield the names that code looks up in its module, or beyond."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_needed(inner)
