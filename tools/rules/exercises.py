"""Rules for exercises: stub, check, entry and solution are four views of one thing."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Iterator, Mapping

from course_utils.checks.find_exercise import Place, places
from course_utils.pages.notebook import Cell, Notebook, literal
from tools.rules.breach import Breach

HEADING = re.compile(r"^(?:### |\*\*)Exercise (\d+\.\d+)", re.MULTILINE)


def exercises_are_whole(notebook: Notebook) -> Iterator[Breach]:
    """Every stub has its check, its entry in `checks/exercises` and its solution, all alike."""
    known, seen = {n: p for n, p in places().items() if p.lecture == notebook.lecture}, set()
    if faults := [breach for file in known.values() for breach in _faults(file)]:
        yield from faults
        return
    checks = {id(call): cell for cell in notebook.code for call in cell.calls("check")}
    for place, cell in enumerate(notebook.code):
        if "exercise" not in cell.tags:
            continue
        if (stub := stub_of(cell)) is None:
            do = "leave one `def` in it, with the body `...`, and nothing else"
            yield Breach(cell.number, "is tagged `exercise` but is not a stub", do)
            continue
        call = check_of(notebook.code[place + 1]) if place + 1 < len(notebook.code) else None
        if call is None or getattr(call.args[1], "id", None) != stub.name:
            do = f'let check("N.M", {stub.name}) stand alone in the next code cell'
            yield Breach(cell.number, "is a stub without its check", do)
            continue
        checks.pop(id(call))
        number = str(literal(call.args[0]))
        seen.add(number)
        yield from _twins(notebook, cell, stub, number, known)
    for cell in checks.values():
        yield Breach(cell.number, "checks no stub", "put its stub before it, tagged `exercise`")
    for number in known:
        if number not in seen:
            do = "ask it in the lecture, or take its entry out of checks/exercises"
            yield Breach(0, f"never asks exercise {number}", do)


def exercises_are_counted(notebook: Notebook) -> Iterator[Breach]:
    """Numbers ascend on the page without a gap, and a heading says the number that is checked."""
    heading, count = "", 0
    for cell in notebook.cells:
        if cell.is_prose:
            heading = next(reversed(HEADING.findall(cell.source)), heading)
            continue
        for call in cell.statements("check"):
            count += 1
            number = str(literal(call.args[0])) if call.args else "without a number"
            wanted = f"{int(notebook.lecture)}.{count}"
            if number != wanted:
                do = f"count in the order of the page: {wanted}; names, not numbers, keep progress"
                yield Breach(cell.number, f"checks exercise {number} at place {count}", do)
            if number != heading:
                do = f'write "Exercise {number}" above its stub'
                yield Breach(cell.number, f'stands below "Exercise {heading}"', do)


def _faults(place: Place) -> Iterator[Breach]:
    """Yield what keeps an exercise from being read, such as a change that does not fit."""
    try:
        place.load()
    except ValueError as error:
        yield Breach(0, f"has an exercise that cannot be read: {error}", f"mend {place.file.name}")


def _twins(
    notebook: Notebook, cell: Cell, stub: ast.FunctionDef, number: str, known: Mapping[str, Place]
) -> Iterator[Breach]:
    if number not in known:
        do = f"there are {', '.join(places())}: correct the number, or write the exercise"
        yield Breach(cell.number, f"asks exercise {number}, which this lecture lacks", do)
        return
    module, exercise = known[number].module, known[number].load()
    if exercise.function != stub.name:
        do = f"call it {exercise.function}, as in {known[number].file.name}, or rename that"
        yield Breach(cell.number, f"asks for a function {stub.name}", do)
    elif (wanted := list(inspect.signature(exercise.reference).parameters)) != _names(stub):
        do = f"name the arguments as the reference does: {', '.join(wanted)}"
        yield Breach(cell.number, f"takes ({', '.join(_names(stub))})", do)
    if (notebook.root / "solutions").is_dir():  # absent in the copy that learners are given
        file = notebook.root / "solutions" / f"{module}.py"
        solution = function_in(file.read_text(encoding="utf-8") if file.exists() else "", stub.name)
        if solution is None:
            do = f"write {stub.name} in solutions/{file.name}"
            yield Breach(cell.number, f"exercise {number} has no solution", do)
        elif signature(solution) != signature(stub):
            do = f"the solution has {signature(solution)}: make them the same"
            yield Breach(cell.number, f"has the signature {signature(stub)}", do)
        elif missing := sorted(names_needed(solution) - names_at_hand(notebook, cell)):
            what = f"exercise {number} needs {', '.join(missing)}, which the lecture lacks"
            yield Breach(cell.number, what, "import it in the setup cell: learners need it too")


def stub_of(cell: Cell) -> ast.FunctionDef | None:
    """Return the function of a stub: alone in its cell, doing nothing."""
    if len(cell.tree.body) != 1 or not isinstance(stub := cell.tree.body[0], ast.FunctionDef):
        return None
    body = [s for s in stub.body if not (isinstance(s, ast.Expr) and _is_text(s.value))]
    nothing = all(isinstance(s, ast.Expr) and literal(s.value) is ... for s in body)
    return stub if nothing and len(body) == 1 and not stub.decorator_list else None


def check_of(cell: Cell) -> ast.Call | None:
    """Return the call of a check cell: alone in its cell, a number and a function."""
    calls = cell.statements("check")
    alone = len(cell.tree.body) == 1 and len(calls) == 1
    return calls[0] if alone and len(calls[0].args) == 2 else None


def function_in(text: str, name: str) -> ast.FunctionDef | None:
    """Return a function of a module by its name."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return next((node for node in functions if node.name == name), None)


def signature(function: ast.FunctionDef) -> str:
    """Return a function's arguments, defaults and annotations as they are written."""
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(function.args)}){returns}"


def names_needed(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function takes from around it."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    inside = {node.id for node in names if isinstance(node.ctx, ast.Store)} | {function.name}
    inside |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return {node.id for node in names} - inside - set(dir(builtins))


def names_at_hand(notebook: Notebook, until: Cell) -> set[str]:
    """Return the names that a lecture has before a cell: imported, assigned or defined."""
    found: set[str] = set()
    for cell in notebook.code[: notebook.code.index(until)]:
        for node in ast.walk(cell.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.alias):
                found.add(node.asname or node.name.partition(".")[0])
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
    return found


def _names(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _is_text(node: ast.expr) -> bool:
    return isinstance(literal(node), str)


RULES = (exercises_are_whole, exercises_are_counted)
